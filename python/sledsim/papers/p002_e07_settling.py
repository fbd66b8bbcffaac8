"""002-E-7: Figures 9 and 10, the mean access over what sets the settling time."""

import numpy as np
import pyarrow

from .. import device_studies
from ..models import device
from .claims import Claim, claim
from .experiments import Result
from .findings import Statement

_CONSTANTS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
_FREQUENCIES_HZ = (50.0, 100.0, 220.0, 400.0, 800.0, 1600.0)
#: Points with a correlation above this lie on a straight line, as far as one sees in a figure.
_STRAIGHT = 0.99


def run(quick: bool) -> Result:
    """Sweep the number of time constants, and the frequency; so few points that `quick` changes nothing."""
    model = device("sigmetrics00")
    constants = device_studies.run("sensitivity-settling", model, values=_CONSTANTS)
    frequency = device_studies.run("sensitivity-frequency", model, values=_FREQUENCIES_HZ)
    return Result(
        devices=[model],
        claims=[_settling(constants.table, frequency.table, model.characteristics()["settle_s"] * 1e3)],
        tables={
            "Mean access over time constants": constants.table,
            "Mean access over resonant frequency": frequency.table,
        },
        charts={"Figure 10: time constants": constants.plot, "Figure 9: resonant frequency": frequency.plot},
        notes=[
            "Without settling, y decides more seeks than x does: the first constant therefore adds less than"
            " each one after it, and the line is straight from one constant on."
        ],
    )


def _settling(constants: pyarrow.Table, frequency: pyarrow.Table, constant_ms: float) -> Claim:
    access_ms = constants["mean_service_s"].to_numpy()[1:] * 1e3
    steps_ms = np.diff(access_ms)
    straight = np.corrcoef(constants["settle_time_constants"].to_numpy()[1:], access_ms)[0, 1]
    per_hz = 1 / frequency["resonant_frequency_hz"].to_numpy()
    inverse = np.corrcoef(per_hz, frequency["mean_service_s"].to_numpy())[0, 1]
    return claim(
        "002-C13",
        "The access time goes with the inverse of the resonant frequency, and linearly with the number of"
        " time constants (read: from one constant on).",
        Statement(
            "correlation of access and inverse frequency",
            "inverse",
            f"{inverse:.4f}",
            holds=inverse > _STRAIGHT,
        ),
        Statement(
            "correlation of access and time constants",
            "linear",
            f"{straight:.4f}; each adds {steps_ms.min():.2f}-{steps_ms.max():.2f} ms of {constant_ms:.2f}",
            holds=straight > _STRAIGHT,
        ),
    )
