"""Many devices, workloads and policies: every combination of what is asked for, kept in a ledger."""

from .comparing import compare as compare
from .holding import Holding as Holding, holds as holds
from .optimising import Optimum as Optimum, optimise as optimise
from .sensitivity import Sensitivity as Sensitivity, sensitivity as sensitivity
from .sweep import Sweep as Sweep, read_sweep as read_sweep, sweep as sweep
