"""Tools that change a trace before it is replayed, one per file.

Every tool takes a `Trace` or a `TraceStream`, and returns the changed one. A stream needs little memory.
"""

from .gaps import GapCut as GapCut, cut_gaps as cut_gaps
from .merging import SHARING as SHARING, TIMES as TIMES, merge_traces as merge_traces
from .popularity import PopularExtents as PopularExtents, popular_extents as popular_extents
from .remapping import REMAP_RULES as REMAP_RULES, remap_trace as remap_trace, trace_end as trace_end
from .sampling import SAMPLE_UNITS as SAMPLE_UNITS, sample_trace as sample_trace
from .scaling import scale_trace as scale_trace
from .selecting import CLASSES as CLASSES, select_devices as select_devices
from .slicing import slice_trace as slice_trace
from .spreading import SPREADS as SPREADS, spread as spread
