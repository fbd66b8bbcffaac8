"""The design space of a device: data formats and parameters to choose for a workload (004)."""

from .explored_formats import FormatSpace as FormatSpace
from .exploring import format_space as format_space
from .file_space import file_share as file_share, file_sizes as file_sizes, read_file_sizes as read_file_sizes
from .space import (
    AXES as AXES,
    Space as Space,
    format_characteristics as format_characteristics,
    read_space as read_space,
)
