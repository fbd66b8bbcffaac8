"""What can be done to a trace before it is replayed: one file a tool.

Every tool takes a `Trace` and gives one, or takes a `TraceStream` and gives one: then a trace of any size
passes through in little memory.
"""

from .merging import SHARING, TIMES, merge_traces
from .popularity import PopularExtents, popular_extents
from .remapping import REMAP_RULES, remap_trace, trace_end
from .sampling import SAMPLE_UNITS, sample_trace
from .scaling import scale_trace
from .selecting import CLASSES, select_devices
from .slicing import slice_trace

__all__ = [
    "CLASSES",
    "REMAP_RULES",
    "SAMPLE_UNITS",
    "SHARING",
    "TIMES",
    "PopularExtents",
    "merge_traces",
    "popular_extents",
    "remap_trace",
    "sample_trace",
    "scale_trace",
    "select_devices",
    "slice_trace",
    "trace_end",
]
