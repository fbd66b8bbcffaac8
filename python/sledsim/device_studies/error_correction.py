"""What a code over tips corrects, computed and tried with real data (001-F21)."""

from typing import TYPE_CHECKING, Any

from ..models import Device
from ..tip_codes import code_of
from . import options
from .tables import from_rows

if TYPE_CHECKING:
    import pyarrow


def error_correction(
    device: Device,
    check_tips: int = 4,
    detection: str = "crc16",
    block_check: str = "crc32c",
    count: int = 1000,
    seed: int = 1,
) -> "pyarrow.Table":
    """Blocks with so many tips missing and so many overwritten, encoded, damaged and read.

    Args:
        device: Any device of the kind mems: its blocks and tip sectors are taken.
        check_tips: Tips that the horizontal code adds to a block.
        detection: The vertical check in a tip sector: "none", "crc8", "crc16" or "crc32".
        block_check: The check over the data of a block: "crc32c", in a tip of its own, or "none".
        count: Blocks a row.
        seed: Of data and damage.

    Returns:
        missing (tips that give nothing), overwritten (tips besides, with random bytes), correctable (what the
        code promises: yes, no, or "if detected", where the vertical checks have to find what is overwritten),
        patterns, recovered, lost (and known to be), silent (read as something else), block_tips (tips of a
        block: data, block check and horizontal code), overhead (bytes on the medium over those of data, less
        1). Rows go one tip beyond what the code can do.

    Raises:
        ParameterError: An option is wrong.
    """
    checks = options.whole_number("check_tips", check_tips, 0)
    code = code_of(device.parameters, checks, detection, block_check)
    patterns = options.whole_number("count", count, 1)
    first = options.whole_number("seed", seed, 0)
    rows: list[dict[str, Any]] = []
    for damaged in range(min(check_tips + 1, code.tips) + 1):
        for overwritten in range(damaged + 1):
            missing = damaged - overwritten
            trial = code.trial(missing, overwritten, patterns, first + len(rows))
            promise = _promise(code.check_tips, missing, overwritten, detection)
            about = {"missing": missing, "overwritten": overwritten, "correctable": promise}
            rows.append({**about, **trial, "block_tips": code.tips, "overhead": code.overhead})
    return from_rows(rows)


def _promise(check_tips: int, missing: int, overwritten: int, detection: str) -> str:
    """Whether a code has the power for it."""
    if missing + 2 * overwritten <= check_tips:
        return "yes"
    return "if detected" if missing + overwritten <= check_tips and detection != "none" else "no"


def chart(table: "pyarrow.Table") -> Any:
    """A bar a combination: what came of its blocks."""
    from .drawing import alt, colour, titled

    outcomes = ("recovered", "lost", "silent")
    rows = [
        {
            "damage": f"{row['missing']} missing, {row['overwritten']} overwritten",
            "outcome": outcome,
            "share": row[outcome] / row["patterns"],
            "order": order,
        }
        for row in table.to_pylist()
        for order, outcome in enumerate(outcomes)
    ]
    bars = alt.Chart(alt.InlineData(values=rows), width=480).mark_bar()
    made = bars.encode(
        x=alt.X("share:Q", title="Blocks").axis(format="%"),
        y=alt.Y("damage:N", title="Tips of a block", sort=list(dict.fromkeys(row["damage"] for row in rows))),
        color=colour("outcome", "Read", outcomes),
        order="order:Q",
        tooltip=["damage:N", "outcome:N", alt.Tooltip("share:Q", format=".3%")],
    )
    subtitle = "A tip with a wrong check counts as missing."
    return titled(made.properties(height=alt.Step(20)), table, "What the code over tips corrects", subtitle)
