"""Probabilities of losing data: tips of a device, defects of its medium, devices of an array.

Each is there in closed form, where there is one, and by simulation, with an interval. Tips fail independently
at a constant rate, and some at manufacture; defects of the medium come at a constant rate. What is missing
is replaced at once by the same place under a spare tip of its track, if one is left there; places under
spares that wait do not go bad, those in use do as any. A block is lost when more of its tip sectors are gone
than its code has check tips; a device when one of its blocks is.
"""

from .arrays import ArrayPopulation, exact_array_loss, simulated_array_loss
from .shares import Share, wilson
from .simulation import MOST_EVENTS, Losses, mean_events, simulated_losses
from .tips import MediaDefects, TipPopulation
from .with_defects import ExactLosses, exact_losses

__all__ = [
    "MOST_EVENTS",
    "ArrayPopulation",
    "ExactLosses",
    "Losses",
    "MediaDefects",
    "Share",
    "TipPopulation",
    "exact_array_loss",
    "exact_losses",
    "mean_events",
    "simulated_array_loss",
    "simulated_losses",
    "wilson",
]
