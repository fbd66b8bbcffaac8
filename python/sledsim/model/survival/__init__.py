"""Probabilities of data loss: by failing tips, by defects of the medium, or by failing devices of an array.

Each probability is available in closed form, if one is known, and by simulation, with an interval. Tips fail
independently at a constant rate, and some are dead at manufacture; defects of the medium occur at a constant
rate. A lost tip sector is replaced at once by the same place under a spare tip of its track, if the track has
one
left. Tip sectors under unused spares do not fail; those under used spares fail like all others. A block is
lost
when it has lost more tip sectors than its code has check tips; a device is lost when one of its blocks is
lost.
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
