"""002-E-4, Figure 7: sensitivity to access velocity.

Mean access over the velocity, for several accelerations.
"""

from typing import Any

from sledsim import Device, studies
from sledsim.estimates import best_of

from ..shared import SHAPE, Claim, Result, Statement, device, noted, stated

_ACCELERATIONS_M_PER_S2 = (50.0, 114.8, 400.0)
#: Access velocities in mm/s; the paper's text mentions 1, 10 and 20.
_VELOCITIES = (1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 60.0, 80.0, 100.0)
_VELOCITIES_QUICK = (1.0, 10.0, 20.0, 30.0, 40.0, 60.0, 100.0)
#: Access velocity in mm/s beyond which accesses take longer, according to the paper's text.
_TURN = 20.0


def run(quick: bool) -> Result:
    """Compute the mean access over access velocity and acceleration of the sled."""
    model = device("sigmetrics00")
    values = _VELOCITIES_QUICK if quick else _VELOCITIES
    options: dict[str, Any] = {"accelerations": _ACCELERATIONS_M_PER_S2, "values": values}
    study = studies.run("sensitivity-velocity", model, **options)
    rows = study.table.to_pylist()
    curves = {
        acceleration: {
            row["access_velocity_mm_per_s"]: row["mean_service_s"] * 1e3
            for row in rows
            if row["acceleration_m_per_s2"] == acceleration
        }
        for acceleration in _ACCELERATIONS_M_PER_S2
    }
    return Result(
        devices=[model],
        claims=[_tip_rate(model), _velocity(curves)],
        tables={"Mean access over velocity": study.table},
        charts={"Figure 7: access velocity": study.plot},
        notes=noted("002-E-4"),
    )


def _tip_rate(model: Device) -> Claim:
    parameters = model.parameters
    bits_per_s = parameters["access_velocity_mm_per_s"] * 1e-3 / (parameters["bit_width_nm"] * 1e-9)
    return stated("002-C4", bits_per_s / 1e3)


def _velocity(curves: dict[float, dict[float, float]]) -> Claim:
    default, fast = curves[114.8], curves[400.0]
    best, best_fast = best_of(default, default.__getitem__), best_of(fast, fast.__getitem__)
    top, gain = max(default), default[_TURN] / default[best] - 1
    return stated(
        "002-C12",
        (f"{default[1.0]:.2f} to {default[10.0]:.2f} ms", default[1.0] > 2 * default[10.0]),
        Statement(
            "fastest velocity at 114.8 m/s²",
            f"{_TURN:g} mm/s: faster is slower",
            f"{best:g} mm/s ({default[best]:.2f} ms); at {_TURN:g} mm/s the access is {gain:.1%} longer"
            f" ({default[_TURN]:.2f} ms)",
            holds=gain <= SHAPE,
            in_shape=best > _TURN,
        ),
        (f"{default[top]:.2f} ms at {top:g} mm/s", default[top] > default[_TURN]),
        (
            f"fastest at {best_fast:g} mm/s: {fast[_TURN]:.2f} to {fast[best_fast]:.2f} ms",
            fast[best_fast] < fast[_TURN] and best_fast > best,
        ),
        turn=_TURN,
        best=best,
        fall=1 - default[best] / default[_TURN],
    )
