"""The design space of a device: which format, and which parameters, for a workload (004)."""

from .exploring import format_space
from .result import FormatSpace
from .space import Space, format_characteristics, read_space

__all__ = ["FormatSpace", "Space", "format_characteristics", "format_space", "read_space"]
