from .exploration.design import FormatSpace as FormatSpace
from .exploration.holding import Holding as Holding
from .exploration.optimising import Optimum as Optimum
from .exploration.sobol_sensitivity import Sensitivity as Sensitivity
from .exploration.sweeping import Sweep as Sweep
from .model.disksim import ImportedDisk as ImportedDisk
from .model.episodes import EpisodicDevice as EpisodicDevice
from .model.faults import FaultyDevice as FaultyDevice
from .model.tip_codes import DecodedBlock as DecodedBlock, TipPlacement as TipPlacement
from .runs.bounds import Bounds as Bounds
from .runs.breakdown import Breakdown as Breakdown
from .runs.comparison import Comparison as Comparison
from .runs.curves import Curves as Curves
from .runs.device_check import Checked as Checked, DeviceCheck as DeviceCheck
from .runs.explanations import (
    Alternative as Alternative,
    Explanation as Explanation,
    Impossible as Impossible,
    Segment as Segment,
    Served as Served,
)
from .runs.overview import Overview as Overview
from .runs.simulation import Completions as Completions
from .runs.trace_fit import Fit as Fit
from .runs.validation import Validation as Validation
from .traces.fitting import FittedWorkload as FittedWorkload
from .traces.statistics import TraceStatistics as TraceStatistics
