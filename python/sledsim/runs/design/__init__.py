"""The design space of a device: which format, and which parameters, for a workload (004)."""

from .exploring import format_space
from .file_space import file_share, file_sizes, read_file_sizes
from .result import FormatSpace
from .space import Space, format_characteristics, read_space

__all__ = [
    "FormatSpace",
    "Space",
    "file_share",
    "file_sizes",
    "format_characteristics",
    "format_space",
    "read_file_sizes",
    "read_space",
]
