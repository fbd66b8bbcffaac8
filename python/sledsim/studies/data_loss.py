"""Probability of data loss by failing tips and defects, with several codes and spare tips (001-F21, F24)."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from ..charts.grammar import alt, colour, logarithmic, names, plot
from ..model.devices import Device
from ..model.survival import (
    MOST_EVENTS,
    MediaDefects,
    TipPopulation,
    exact_losses,
    mean_events,
    simulated_losses,
)
from . import sheet_options as options
from .drawing import titled
from .sheet import defined
from .tables import Table, from_rows, origin, simulated

#: Causes of data loss, each with a separate line in the chart.
_ALL, _TIPS = "tips and defects", "failing tips alone"
#: Largest number of tips in a block with a Reed-Solomon code over bytes.
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
    progress: options.Progress = None,
) -> Table:
    """Compute the probabilities that one given block is lost, and that a device loses any block.

    Each probability is computed by a formula and by a simulation. No paper states how often tips fail or
    defects arise: the defaults are assumptions to be replaced.

    Args:
        device: Any device of the kind mems. Its data tips, tracks and blocks are used; check tips and spare
            tips are added.
        check_tips (from 0 to 255 minus the tips of a block): Numbers of check tips that the error-correcting
            code across tips adds to a block.
        spare_tips (from 0 to the active tips): Numbers of spare tips of each track.
        failures_per_tip_year (1/year, from 0): Mean number of failures of one tip per year.
        dead_at_manufacture (from 0 to less than 1): Probability that a tip never works.
        defects_per_year (1/year, from 0): Mean number of new defects of a device's medium per year; 0 means
            no defects.
        defect_tips (from 0): Shares of the defects by their size in tips: the first share is of defects under
            one tip, the second under two neighbouring tips, and so on. Neighbouring tips belong to different
            blocks.
        defect_cylinders (from 1 to all): Width of a defect under each of its tips, in cylinders.
        defect_rows (from 1 to all): Length of a defect under each of its tips, in rows.
        years (years, from 0): Life of the device.
        count (from 2): Number of devices simulated per row.
        seed (from 0): Seed of the failures.
        progress: Function that is called with the percentage done.

    Returns:
        check_tips, spare_tips, overhead (ratio of check and spare tips to data tips), block_loss
        (probability of losing a given block, in closed form), block_loss_by_tips (the same probability if
        there were no defects), block_loss_simulated, block_loss_low, block_loss_high (the simulated
        probability of losing a given block, with its 99 % interval), device_loss (probability that a device
        loses at least one block; None without a closed form), device_loss_at_most (its upper bound in closed
        form), device_loss_by_tips (the same probability if there were no defects), device_loss_simulated,
        device_loss_low, device_loss_high (the simulated probability that a device loses at least one block,
        with its 99 % interval); years, failures_per_tip_year and defects_per_year (the options).

    Raises:
        ParameterError: An option is wrong.
    """
    found = device.parameters
    tracks = int(found["sleds"] * (found["tips"] // found["active_tips"]))
    per_block = int(found["tips_per_block"])
    blocks = int(found["active_tips"] // per_block)
    if per_block > _CODE_TIPS:
        options.refuse("tips_per_block", per_block, f"at most {_CODE_TIPS}, the limit of a code of bytes")
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

    def tell(done: int) -> None:
        if progress:
            progress(100 * (len(rows) * devices + done) // (len(populations) * devices))

    for at, tips in enumerate(populations):
        rows.append({**_row(tips, devices, first + at, tell), **rates})
    return from_rows(rows)


def _defects(
    device: Device, mean: float, blocks: int, tips: options.Several[float], cylinders: int, rows: int
) -> MediaDefects:
    """Return the defects of the medium of one device.

    `mean` is the expected number of defects; `tips` has the share of defects under 1 tip, 2 neighbouring
    tips, and so on.
    """
    found = device.characteristics()
    region = (int(found["cylinders"]), int(found["rows_per_track"]))
    shares = options.numbers("defect_tips", tips)
    if not sum(shares) or len(shares) > blocks:
        expected = f"shares of 1 to {blocks} tips, one of them above 0: {blocks} blocks lie side by side"
        options.refuse("defect_tips", tips, expected)
    size = (
        options.whole_number("defect_cylinders", cylinders, 1, region[0]),
        options.whole_number("defect_rows", rows, 1, region[1]),
    )
    return MediaDefects(mean, tuple(shares), *size, *region)


def _row(tips: TipPopulation, devices: int, seed: int, progress: Callable[[int], object]) -> dict[str, Any]:
    exact, found = exact_losses(tips), simulated_losses(tips, devices, seed, progress)
    data = tips.blocks * (tips.block_tips - tips.check_tips)
    overhead = (tips.blocks * tips.check_tips + tips.spare_tips) / data
    return {
        **{"check_tips": tips.check_tips, "spare_tips": tips.spare_tips, "overhead": overhead},
        **{"block_loss": exact.block, "block_loss_by_tips": exact.block_by_tips},
        **simulated("block_loss", found.block),
        **{"device_loss": exact.device, "device_loss_at_most": exact.device_at_most},
        **{"device_loss_by_tips": exact.device_by_tips},
        **simulated("device_loss", found.device),
    }


def chart(table: Table) -> Any:
    """Draw two probabilities over the number of check tips: a device loses a block, a given block is lost.

    Each is drawn for tips and defects together, and for failing tips alone.
    """
    rows = _side_by_side(table.to_pylist())
    about, first = origin(table)["options"], rows[0]
    panels = [_devices(rows)]
    seen = (
        f"{about['count']} devices simulated; bars are intervals of 99 %, a triangle is the upper end if no"
        " device lost a block."
    )
    if any(row["block_loss"] for row in rows):
        panels.append(_blocks(rows))
        seen = f"Left: {seen} Right: in closed form; defects add at most {_added(rows):.1%}."
    subtitle = [
        f"In {first['years']:g} years; a tip fails with a probability of {first['failures_per_tip_year']:g} a"
        f" year and is dead from the start with a probability of {about['dead_at_manufacture']:g};",
        f"{first['defects_per_year']:g} defects of the medium a year. All of these rates are assumed.",
        seen,
    ]
    return titled(alt.hconcat(*panels, spacing=32), table, "Data loss over the life", subtitle)


def _side_by_side(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows sorted by spare tips, with a place on the x axis that is shifted for each number of spares.

    Without the shift, rows with equal check tips would lie on each other.
    """
    spares, checks = (sorted({row[key] for row in rows}) for key in ("spare_tips", "check_tips"))
    gaps = [right - left for left, right in itertools.pairwise(checks)] or [1]
    apart = min(0.025 * sum(gaps), 0.6 * min(gaps) / len(spares))
    places = {spare: (at - (len(spares) - 1) / 2) * apart for at, spare in enumerate(spares)}
    # A colour scale needs its values as texts.
    return [
        {**row, "spare_tips": str(row["spare_tips"]), "place": row["check_tips"] + places[row["spare_tips"]]}
        for row in sorted(rows, key=lambda row: (row["spare_tips"], row["check_tips"]))
    ]


def _added(rows: list[dict[str, Any]]) -> float:
    """Return the largest share by which defects raise the probability that a block is lost."""
    both = [(row["block_loss"], row["block_loss_by_tips"]) for row in rows]
    return max((whole / tips - 1 for whole, tips in both if whole and tips), default=0.0)


def _devices(rows: list[dict[str, Any]]) -> Any:
    """Draw the share of devices that lose a block: simulated, and by formula for failing tips alone."""
    some = [row for row in rows if row["device_loss_simulated"]]
    none = [row for row in rows if not row["device_loss_simulated"]]
    # The axis starts lower than the least upper end, so that its triangle is inside the panel.
    ends = [row["device_loss_low"] for row in some] + [row["device_loss_high"] / 1.5 for row in none]
    y = _loss([*ends, *(row["device_loss_by_tips"] for row in rows)], "Devices that lose a block (log scale)")
    interval = {"y": y("device_loss_low"), "y2": "device_loss_high:Q"}
    found, never = _base(rows, some), _base(rows, none).encode(y=y("device_loss_high"))
    layers = (
        *_lines(rows, {"device_loss_simulated": _ALL, "device_loss_by_tips": _TIPS}, y),
        found.mark_rule(strokeWidth=6, opacity=0.4).encode(**interval),
        found.mark_point(filled=True, size=45, opacity=1).encode(y=y("device_loss_simulated")),
        never.mark_point(shape="triangle-down", size=60, strokeWidth=2, opacity=1),
    )
    return alt.layer(*layers).properties(title="The device", width=380, height=300)


def _blocks(rows: list[dict[str, Any]]) -> Any:
    """Draw the probability that a given block is lost, over check tips."""
    keys = {"block_loss": _ALL, "block_loss_by_tips": _TIPS}
    y = _loss([row[key] for row in rows for key in keys], "Loss of a given block (log scale)")
    return alt.layer(*_lines(rows, keys, y)).properties(title="A given block", width=380, height=300)


def _base(rows: list[dict[str, Any]], shown: list[dict[str, Any]]) -> Any:
    """Return the base of a panel over check tips: rows `shown`, in colours by spare tips.

    All `rows` together set the range of the x axis and the colours.
    """
    checks = sorted(names(rows, "check_tips"))
    beside = 0.1 * (checks[-1] - checks[0] or 1)
    x = alt.X("place:Q", title="Check tips of a block").axis(values=checks, format="d")
    return plot(
        shown,
        x=x.scale(domain=[checks[0] - beside, checks[-1] + beside], nice=False),
        color=colour("spare_tips", "Spares of a track", names(rows, "spare_tips")),
        tooltip=["check_tips:Q", "spare_tips:N", "device_loss_simulated:Q", "device_loss_at_most:Q"],
    )


def _loss(losses: Sequence[float], title: str) -> Callable[[str], Any]:
    """Return a function that makes a logarithmic axis for a column, from the least of `losses` to 1."""
    return lambda key: logarithmic(alt.Y(f"{key}:Q", title=title), (*losses, 1.0), "~e")


def _lines(rows: list[dict[str, Any]], keys: dict[str, str], y: Callable[[str], Any]) -> list[Any]:
    """Draw a line for each column in `keys`; values of 0 are skipped, because the axis is logarithmic.

    Lines are wider for fewer spares, so that lines under others stay visible. With a single number of check
    tips, a short stroke is drawn instead of a line.
    """
    spares = names(rows, "spare_tips")
    widths = [2 + 3 * left / max(1, len(spares) - 1) for left in reversed(range(len(spares)))]
    width = alt.StrokeWidth("spare_tips:O", sort=spares, title="Spares of a track")
    dash = alt.StrokeDash("by:N", title="Lost to").scale(domain=[_ALL, _TIPS], range=[[1, 0], [5, 3]])
    style = {
        "strokeWidth": width.scale(type="ordinal", domain=spares, range=widths),
        "strokeDash": dash.legend(labelLimit=400, symbolSize=500, symbolType="stroke"),
    }
    is_one = len(names(rows, "check_tips")) == 1
    mark = {"type": "point", "shape": "stroke", "size": 900, "opacity": 1} if is_one else {"type": "line"}
    return [
        _base(rows, drawn).properties(mark=mark).encode(y=y(key), **style)
        for key, by in keys.items()
        if (drawn := [{**row, "by": by} for row in rows if row[key]])
    ]


ROW = defined(data_loss, chart)
