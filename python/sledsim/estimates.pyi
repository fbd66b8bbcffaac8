from .common.arguments import check_whole as check_whole
from .common.ranking import best_of as best_of, ordered as ordered
from .runs.curve_points import CurvePoint as CurvePoint
from .runs.curves import Difference as Difference
from .runs.intervals import (
    Estimate as Estimate,
    batch_means as batch_means,
    batch_slices as batch_slices,
    jackknife as jackknife,
    mean as mean,
    ratio as ratio,
)
from .runs.steady_state import measure as measure
from .runs.tails import figures as figures
from .runs.workers import Workers as Workers
