"""Probabilities of losing data: tips of a device, defects of its medium, devices of an array.

Each is there in closed form, where there is one, and by simulation, with an interval. Tips fail independently
at a constant rate, and some at manufacture; defects of the medium come at a constant rate. What is missing
is replaced at once by the same place under a spare tip of its track, if one is left there; places under
spares that wait do not go bad, those in use do as any. A block is lost when more of its tip sectors are gone
than its code has check tips; a device when one of its blocks is.
"""

from .arrays import (
    ArrayPopulation as ArrayPopulation,
    exact_array_loss as exact_array_loss,
    simulated_array_loss as simulated_array_loss,
)
from .loss_simulation import (
    MOST_EVENTS as MOST_EVENTS,
    Losses as Losses,
    mean_events as mean_events,
    simulated_losses as simulated_losses,
)
from .simulated_shares import Share as Share, wilson as wilson
from .tip_population import MediaDefects as MediaDefects, TipPopulation as TipPopulation
from .with_defects import ExactLosses as ExactLosses, exact_losses as exact_losses
