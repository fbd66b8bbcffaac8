"""Losing a block or the device over its life: codes and spares against failing tips (001-F21, F24)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..models import Device
from ..survival import TipPopulation, exact_losses, simulated_losses
from . import options
from .tables import from_rows

if TYPE_CHECKING:
    import pyarrow

    from .options import Progress


def data_loss(
    device: Device,
    check_tips: Sequence[int] = (0, 1, 2, 4),
    spare_tips: Sequence[int] = (0, 4, 16),
    failures_per_tip_year: float = 1e-3,
    dead_at_manufacture: float = 1e-3,
    years: float = 5.0,
    count: int = 500,
    seed: int = 1,
    progress: "Progress | None" = None,
) -> "pyarrow.Table":
    """Probabilities of data loss, in closed form and simulated.

    No paper gives failure rates of tips: those here are assumed, and are to be set.

    Args:
        device: Any device of the kind mems: its tips, tracks and blocks are taken; checks and spares stand
            beside its tips of data.
        check_tips: Tips that the code adds to a block.
        spare_tips: Spares of each track.
        failures_per_tip_year: Rate at which a tip fails.
        dead_at_manufacture: That a tip never works.
        years: The life.
        count: Devices that are simulated for a row; 2 at least.
        seed: Of their failures.
        progress: Told the percentage done.

    Returns:
        check_tips, spare_tips, overhead (tips beside those of data, over these), block_loss (closed form),
        block_loss_simulated, block_loss_low, block_loss_high (99 % intervals), device_loss,
        device_loss_simulated, device_loss_low, device_loss_high.

    Raises:
        ParameterError: An option is wrong.
    """
    found = device.parameters
    tracks = int(found["sleds"] * (found["tips"] // found["active_tips"]))
    blocks = int(found["active_tips"] // found["tips_per_block"])
    checks = options.whole_numbers("check_tips", check_tips, 0, 255 - int(found["tips_per_block"]))
    spares = options.whole_numbers("spare_tips", spare_tips, 0, int(found["active_tips"]))
    dead = options.number("dead_at_manufacture", dead_at_manufacture)
    if dead >= 1:
        options.refuse("dead_at_manufacture", dead_at_manufacture, "a number from 0 to less than 1")
    failures = options.number("failures_per_tip_year", failures_per_tip_year) * options.number("years", years)
    devices = options.whole_number("count", count, 2)
    first = options.whole_number("seed", seed, 0)
    rows: list[dict[str, Any]] = []
    for check in checks:
        for spare in spares:
            block_tips = int(found["tips_per_block"]) + check
            tips = TipPopulation(tracks, blocks, block_tips, check, spare, dead, failures)
            rows.append(_row(tips, devices, first + len(rows)))
            if progress:
                progress(100 * len(rows) // (len(checks) * len(spares)))
    return from_rows(rows)


def _row(tips: TipPopulation, devices: int, seed: int) -> dict[str, Any]:
    block, whole = exact_losses(tips)
    found = simulated_losses(tips, devices, seed)
    data = tips.blocks * (tips.block_tips - tips.check_tips)
    return {
        "check_tips": tips.check_tips,
        "spare_tips": tips.spare_tips,
        "overhead": (tips.blocks * tips.check_tips + tips.spare_tips) / data,
        "block_loss": block,
        "block_loss_simulated": found.block.value,
        "block_loss_low": found.block.low,
        "block_loss_high": found.block.high,
        "device_loss": whole,
        "device_loss_simulated": found.device.value,
        "device_loss_low": found.device.low,
        "device_loss_high": found.device.high,
    }


def chart(table: "pyarrow.Table") -> Any:
    """The loss of the device over the check tips: lines in closed form, bars of what was simulated."""
    from .drawing import alt, colour, data, titled

    rows = data(table)
    spares = sorted({str(row["spare_tips"]) for row in table.to_pylist()}, key=int)
    base = alt.Chart(rows, width=480, height=300).encode(
        x=alt.X("check_tips:O", title="Check tips of a block").axis(labelAngle=0),
        color=colour("spare_tips", "Spares of a track", spares),
        tooltip=["check_tips:O", "spare_tips:O", "device_loss:Q", "device_loss_low:Q", "device_loss_high:Q"],
    )
    y = alt.Y("device_loss:Q", title="Devices that lose a block").axis(format="%")
    bars = base.mark_rule(strokeWidth=6, opacity=0.3).encode(y="device_loss_low:Q", y2="device_loss_high:Q")
    layers = alt.layer(bars, base.mark_line().encode(y=y), base.mark_point(filled=True).encode(y=y))
    return titled(layers, table, "Data loss over the life", "Lines: closed form. Bars: simulated, 99 %.")
