"""002-E-7, Figures 9 and 10: sensitivity to settling.

Mean access over the number of time constants, and over the time constant itself.
"""

import numpy as np
import pyarrow

from sledsim import studies

from ..shared import SHAPE, Claim, Result, device, noted, stated

_CONSTANTS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
_FREQUENCIES_HZ = (50.0, 100.0, 220.0, 400.0, 800.0, 1600.0)


def run(quick: bool) -> Result:
    """Compute the mean access over the settling time (in time constants) and the resonant frequency."""
    model = device("sigmetrics00")
    constants = studies.run("sensitivity-settling", model, values=_CONSTANTS)
    frequency = studies.run("sensitivity-frequency", model, values=_FREQUENCIES_HZ)
    return Result(
        devices=[model],
        claims=[_settling(constants.table, frequency.table, model.characteristics()["settle_s"] * 1e3)],
        tables={
            "Mean access over time constants": constants.table,
            "Mean access over resonant frequency": frequency.table,
        },
        charts={"Figure 10: time constants": constants.plot, "Figure 9: resonant frequency": frequency.plot},
        notes=noted("002-E-7"),
    )


def _settling(constants: pyarrow.Table, frequency: pyarrow.Table, constant_ms: float) -> Claim:
    access_ms = constants["mean_service_s"].to_numpy() * 1e3
    first_ms, *later_ms = (float(step) for step in np.diff(access_ms))
    # At each frequency the sled settles for one time constant; compare changes of settling and access.
    settling_ms = 1e3 / (2 * np.pi * frequency["resonant_frequency_hz"].to_numpy())
    shares = np.diff(frequency["mean_service_s"].to_numpy() * 1e3) / np.diff(settling_ms)
    return stated(
        "002-C13",
        (
            f"{shares[0]:.2f} from the lowest on, falling to {shares[-1]:.2f}",
            bool(np.all(shares > 0) and np.all(shares <= 1) and np.all(np.diff(shares) < 0)),
        ),
        (
            f"{first_ms:.2f} ms for the first, {min(later_ms):.2f} to {max(later_ms):.2f} ms for each more;"
            f" {access_ms[0]:.2f} ms without settling",
            max(later_ms) <= min(later_ms) * (1 + SHAPE),
        ),
        none_ms=access_ms[0],
        first_ms=first_ms,
        constant_ms=constant_ms,
    )
