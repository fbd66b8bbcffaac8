"""Arrays over their economic life: failing devices, and rebuilds as fast as the devices stream (001-F25)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..models import Device
from ..models import device as named
from ..survival import ArrayPopulation, exact_array_loss, simulated_array_loss
from . import options
from .tables import from_rows

if TYPE_CHECKING:
    import pyarrow

#: Devices that may be missing, by the kind of array.
_TOLERATED = {"stripe": 0, "raid5": 1, "two-parity": 2}
_DISK = "atlas10k"
_HOURS_A_YEAR = 8766.0


def array_survival(
    device: Device,
    devices: int = 5,
    mean_life_hours: Sequence[float] = (10_000.0, 100_000.0, 1_000_000.0),
    rebuild_share: float = 0.1,
    years: float = 5.0,
    count: int = 20_000,
    seed: int = 1,
) -> "pyarrow.Table":
    """That an array loses data over its life, of the device and of the disk of 001.

    No paper gives mean lives of MEMS devices: those here are assumed, and are to be set.

    Args:
        device: Any device of the kind mems.
        devices: In the array, those for parity among them.
        mean_life_hours: Of one device.
        rebuild_share: Of its streaming rate that rebuilding takes.
        years: The economic life.
        count: Arrays that are simulated for a row.
        seed: Of their failures.

    Returns:
        device, array ("stripe", "raid5", "two-parity"), mean_life_hours, rebuild_s (of one device), loss (in
        closed form: a Markov chain), loss_simulated, loss_low, loss_high (99 % interval), survival (1 less
        loss).

    Raises:
        ParameterError: An option is wrong.
    """
    tolerated_most = max(_TOLERATED.values())
    how_many = options.whole_number("devices", devices, tolerated_most + 1)
    lives = options.numbers("mean_life_hours", mean_life_hours, above=True)
    share = options.number("rebuild_share", rebuild_share, above=True)
    hours = options.number("years", years, above=True) * _HOURS_A_YEAR
    arrays = options.whole_number("count", count, 1)
    first = options.whole_number("seed", seed, 0)
    rows: list[dict[str, Any]] = []
    for model in (device, named(_DISK)):
        rebuild_s = _rebuild_s(model) / share
        for kind, tolerated in _TOLERATED.items():
            for life in lives:
                array = ArrayPopulation(how_many, tolerated, hours / life, rebuild_s / 3600 / hours)
                found = simulated_array_loss(array, arrays, first + len(rows))
                loss = exact_array_loss(array)
                about = {"device": model.name, "array": kind, "mean_life_hours": life, "rebuild_s": rebuild_s}
                simulated = {"loss_simulated": found.value, "loss_low": found.low}
                rows.append(
                    {**about, "loss": loss, **simulated, "loss_high": found.high, "survival": 1 - loss}
                )
    return from_rows(rows)


def _rebuild_s(model: Device) -> float:
    """To write a whole device at the rate of a stream; of a disk at that of its innermost tracks."""
    found = model.characteristics()
    rate = found.get("sustained_bytes_per_s") or found["inner_track_bytes_per_s"]
    return float(found["capacity_bytes"]) / float(rate)


def chart(table: "pyarrow.Table") -> Any:
    """The loss over the mean life of a device."""
    from .drawing import alt, colour, titled

    rows = [{**row, "which": f"{row['array']} of {row['device']}"} for row in table.to_pylist()]
    names = list(dict.fromkeys(row["which"] for row in rows))
    base = alt.Chart(alt.InlineData(values=rows), width=480, height=300).encode(
        x=alt.X("mean_life_hours:Q", title="Mean life of a device (hours)").scale(type="log"),
        y=alt.Y("loss:Q", title="Arrays that lose data").scale(type="log"),
        color=colour("which", "Array", names),
        tooltip=["which:N", "mean_life_hours:Q", "rebuild_s:Q", "loss:Q", "loss_low:Q", "loss_high:Q"],
    )
    layers = alt.layer(base.mark_line(), base.mark_point(filled=True))
    return titled(layers, table, "Arrays over their economic life", "A replaced device is rebuilt at once.")
