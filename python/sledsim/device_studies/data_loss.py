"""Losing a block or the device over its life: codes and spares against tips and defects (001-F21, F24)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..models import Device
from ..survival import MOST_EVENTS, MediaDefects, TipPopulation, exact_losses, mean_events, simulated_losses
from . import options
from .tables import from_rows, origin

if TYPE_CHECKING:
    import pyarrow

    from .options import Progress

#: What a line of the chart is of.
_ALL, _TIPS = "tips and defects", "failing tips alone"
#: Tips over which a Reed-Solomon code of bytes reaches.
_CODE_TIPS = 255


def data_loss(
    device: Device,
    check_tips: options.Several[int] = (0, 1, 2, 4),
    spare_tips: options.Several[int] = (0, 4, 16),
    failures_per_tip_year: float = 1e-3,
    dead_at_manufacture: float = 1e-3,
    defects_per_year: float = 100.0,
    defect_tips: options.Several[float] = (0.25, 0.25, 0.25, 0.25),
    defect_cylinders: int = 1,
    defect_rows: int = 1,
    years: float = 5.0,
    count: int = 500,
    seed: int = 1,
    progress: "Progress | None" = None,
) -> "pyarrow.Table":
    """Probabilities of data loss, in closed form and simulated.

    No paper gives failure rates of tips, nor of defects: those here are assumed, and are to be set.

    Args:
        device: Any device of the kind mems: its tips, tracks and blocks are taken; checks and spares stand
            beside its tips of data.
        check_tips: Tips that the code adds to a block.
        spare_tips: Spares of each track.
        failures_per_tip_year (1/year): Rate at which a tip fails.
        dead_at_manufacture: That a tip never works.
        defects_per_year (1/year): Defects of the medium of a device; 0 leaves them out.
        defect_tips: Shares of those under 1, 2, 3, ... neighbouring tips, which are of different blocks.
        defect_cylinders: Of a defect under each of its tips.
        defect_rows: Tip sectors of a column that it takes.
        years (years): The life.
        count: Devices that are simulated for a row; 2 at least.
        seed: Of their failures.
        progress: Told the percentage done.

    Returns:
        check_tips, spare_tips, overhead (tips beside those of data, over these), block_loss (closed form),
        block_loss_by_tips (the same without defects), block_loss_simulated, block_loss_low, block_loss_high
        (99 % intervals), device_loss (closed form; None where there is none), device_loss_at_most (in closed
        form), device_loss_by_tips, device_loss_simulated, device_loss_low, device_loss_high; years,
        failures_per_tip_year and defects_per_year, for which all these hold.

    Raises:
        ParameterError: An option is wrong.
    """
    found = device.parameters
    tracks = int(found["sleds"] * (found["tips"] // found["active_tips"]))
    per_block = int(found["tips_per_block"])
    blocks = int(found["active_tips"] // per_block)
    if per_block > _CODE_TIPS:
        options.refuse(
            "tips_per_block", per_block, f"at most {_CODE_TIPS}, over which a code of bytes reaches"
        )
    checks = options.whole_numbers("check_tips", check_tips, 0, _CODE_TIPS - per_block)
    spares = options.whole_numbers("spare_tips", spare_tips, 0, int(found["active_tips"]))
    dead = options.number("dead_at_manufacture", dead_at_manufacture)
    if dead >= 1:
        options.refuse("dead_at_manufacture", dead_at_manufacture, "a number from 0 to less than 1")
    life = options.number("years", years)
    rates = {
        "years": life,
        "failures_per_tip_year": options.number("failures_per_tip_year", failures_per_tip_year),
        "defects_per_year": options.number("defects_per_year", defects_per_year),
    }
    failures = rates["failures_per_tip_year"] * life
    shape = (defect_tips, defect_cylinders, defect_rows)
    defects = _defects(device, rates["defects_per_year"] * life, blocks, *shape)
    devices = options.whole_number("count", count, 2)
    first = options.whole_number("seed", seed, 0)
    populations = [
        TipPopulation(tracks, blocks, per_block + check, check, spare, dead, failures, defects)
        for check in checks
        for spare in spares
    ]
    if not (events := max(map(mean_events, populations))) <= MOST_EVENTS:
        options.refuse(
            "years",
            years,
            f"at most {MOST_EVENTS:,} faults of a device over its life (tips that fail are counted again for"
            f" each defect), found {events:.3g}; they follow from failures_per_tip_year, defects_per_year and"
            " the size of defects, too",
        )
    rows: list[dict[str, Any]] = []
    for at, tips in enumerate(populations):
        done = partial(_tell, progress, at * devices, len(populations) * devices)
        rows.append({**_row(tips, devices, first + at, done), **rates})
    return from_rows(rows)


def _tell(progress: "Progress | None", before: int, of: int, done: int) -> None:
    """The percentage of all devices that are done with so many more."""
    if progress:
        progress(100 * (before + done) // of)


def _defects(
    device: Device, mean: float, blocks: int, tips: options.Several[float], cylinders: int, rows: int
) -> MediaDefects:
    """So many of that shape, in the regions of the device's tips."""
    found = device.characteristics()
    region = (int(found["cylinders"]), int(found["rows_per_track"]))
    shares = options.numbers("defect_tips", tips)
    if not sum(shares) or len(shares) > blocks:
        expected = f"shares of 1 to {blocks} tips, one of them above 0: so many blocks lie side by side"
        options.refuse("defect_tips", tips, expected)
    size = (
        options.whole_number("defect_cylinders", cylinders, 1, region[0]),
        options.whole_number("defect_rows", rows, 1, region[1]),
    )
    return MediaDefects(mean, tuple(shares), *size, *region)


def _row(tips: TipPopulation, devices: int, seed: int, progress: Callable[[int], object]) -> dict[str, Any]:
    exact, found = exact_losses(tips), simulated_losses(tips, devices, seed, progress)
    data = tips.blocks * (tips.block_tips - tips.check_tips)
    return {
        "check_tips": tips.check_tips,
        "spare_tips": tips.spare_tips,
        "overhead": (tips.blocks * tips.check_tips + tips.spare_tips) / data,
        "block_loss": exact.block,
        "block_loss_by_tips": exact.block_by_tips,
        "block_loss_simulated": found.block.value,
        "block_loss_low": found.block.low,
        "block_loss_high": found.block.high,
        "device_loss": exact.device,
        "device_loss_at_most": exact.device_at_most,
        "device_loss_by_tips": exact.device_by_tips,
        "device_loss_simulated": found.device.value,
        "device_loss_low": found.device.low,
        "device_loss_high": found.device.high,
    }


def chart(table: "pyarrow.Table") -> Any:
    """The loss of the device and that of a given block over the check tips, and what of it is due to tips."""
    from .drawing import alt, titled

    # The names of a scale of colours are text, and numbers are none of them.
    rows = [{**row, "spare_tips": str(row["spare_tips"])} for row in table.to_pylist()]
    about, first = origin(table)["options"], rows[0]
    subtitle = [
        f"In {first['years']:g} years; a tip fails with {first['failures_per_tip_year']:g} a year and is dead"
        f" from the start with {about['dead_at_manufacture']:g}; {first['defects_per_year']:g} defects of the"
        " medium a year. All of these are assumed.",
        f"Left: {about['count']} devices simulated, bars are intervals of 99 %, a triangle the end of one"
        f" where no device lost a block. Right: in closed form; defects add {_added(rows):.1%} at most.",
    ]
    panels = alt.hconcat(_devices(rows), _blocks(rows), spacing=32)
    return titled(panels, table, "Data loss over the life", subtitle)


def _added(rows: list[dict[str, Any]]) -> float:
    """The most by which defects increase the loss of a block, over that to tips alone."""
    both = [(row["block_loss"], row["block_loss_by_tips"]) for row in rows]
    return max((whole / tips - 1 for whole, tips in both if whole and tips), default=0.0)


def _devices(rows: list[dict[str, Any]]) -> Any:
    """The share of devices that lose a block: simulated, and by tips alone."""
    from .drawing import alt

    some = [row for row in rows if row["device_loss_simulated"]]
    none = [row for row in rows if not row["device_loss_simulated"]]
    y = _loss(rows, ("device_loss_low", "device_loss_by_tips"), "Devices that lose a block (log scale)")
    found = _base(some)
    layers = (
        found.mark_rule(strokeWidth=6, opacity=0.3).encode(y=y("device_loss_low"), y2="device_loss_high:Q"),
        found.mark_point(filled=True, size=45, opacity=1).encode(y=y("device_loss_simulated")),
        _base(none).mark_point(shape="triangle-down", size=60, strokeWidth=2).encode(y=y("device_loss_high")),
        *_lines(rows, {"device_loss_simulated": _ALL, "device_loss_by_tips": _TIPS}, y),
    )
    return alt.layer(*layers).properties(title="The device", width=380, height=300)


def _blocks(rows: list[dict[str, Any]]) -> Any:
    """The probability that a given block is lost."""
    from .drawing import alt

    keys = {"block_loss": _ALL, "block_loss_by_tips": _TIPS}
    y = _loss(rows, tuple(keys), "Loss of a given block (log scale)")
    return alt.layer(*_lines(rows, keys, y)).properties(title="A given block", width=380, height=300)


def _base(rows: list[dict[str, Any]]) -> Any:
    """Rows over their check tips, in the colour of their spares."""
    from .drawing import alt, colour

    spares = sorted({row["spare_tips"] for row in rows}, key=int)
    checks = sorted({row["check_tips"] for row in rows})
    return alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("check_tips:Q", title="Check tips of a block")
        .scale(padding=12)
        .axis(values=checks, format="d"),
        color=colour("spare_tips", "Spares of a track", spares),
        tooltip=["check_tips:Q", "spare_tips:N", "device_loss_simulated:Q", "device_loss_at_most:Q"],
    )


def _loss(rows: list[dict[str, Any]], keys: Sequence[str], title: str) -> Callable[[str], Any]:
    """An axis of losses, up to all, for a column."""
    from .drawing import alt, logarithmic

    least = [row[key] for row in rows for key in keys if row[key]]
    return lambda key: logarithmic(alt.Y(f"{key}:Q", title=title), (*least, 1.0), "~e")


def _lines(rows: list[dict[str, Any]], keys: dict[str, str], y: Callable[[str], Any]) -> list[Any]:
    """A line a column; what has no place on a logarithmic axis is left out."""
    from .drawing import alt

    dash = alt.StrokeDash("by:N", title="Lost to").scale(domain=[_ALL, _TIPS], range=[[1, 0], [5, 3]])
    return [
        _base([{**row, "by": by} for row in rows if row[key]])
        .mark_line()
        .encode(y=y(key), strokeDash=dash.legend(labelLimit=400, symbolSize=500, symbolType="stroke"))
        for key, by in keys.items()
    ]
