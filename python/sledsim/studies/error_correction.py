"""Errors that a code across the tips of a block corrects, with checks inside tip sectors (001-F21).

Blocks are encoded, damaged and decoded; the outcome is compared with the guarantee of the code.
"""

from collections.abc import Iterator
from typing import Any

from ..charts.grammar import alt, groups, names, plot, tips
from ..model.devices import Device
from ..model.tip_codes import TipCode, code_of
from . import sheet_options as options
from .drawing import titled
from .sheet import defined
from .tables import Table, from_rows

#: Outcomes of reading a block, each with its colour. "silent" means wrong data without an error, and has a
#: striking colour.
_OUTCOMES = {"recovered": "#009E73", "lost": "#bbbbbb", "silent": "#D55E00"}

#: Columns of the table whose values define a code.
_CODE = ("check_tips", "detection", "block_check")


def error_correction(
    device: Device,
    check_tips: options.Several[int] = (0, 1, 2, 3, 4),
    detection: options.Several[str] = ("none", "crc16"),
    block_check: options.Several[str] = ("none", "crc32c"),
    count: int = 100,
    seed: int = 1,
    progress: options.Progress = None,
) -> Table:
    """Encode random blocks, damage the data of some tips, decode, and count the outcomes.

    Every number of check tips is tried with every check in the tip sectors and every check over the block.

    Args:
        device: Any device of the kind mems; it supplies the blocks and tip sectors.
        check_tips (from 0): Numbers of check tips that the error-correcting code across tips adds to a block.
        detection: Checksums inside each tip sector, which detect damage to it: "none", "crc8", "crc16" or
            "crc32".
        block_check: Checksum over the data of a whole block: "none", or "crc32c", which occupies one more
            tip.
        count (from 1): Number of blocks tried for each row of the table.
        seed (from 0): Seed of the random data and damage.
        progress: Function that is called with the percentage done.

    Returns:
        check_tips, detection, block_check (the code, from the options), missing (number of tips that return
        no data), overwritten (number of further tips that return random bytes), correctable (guarantee of the
        code: "yes", "no", or "if detected" if vertical checks must find the overwritten tips), patterns
        (number of blocks tried), recovered (number of blocks read correctly), lost (number of blocks with a
        detected error), silent (number of blocks that return wrong data without an error), block_tips
        (number of tips for data, block check and horizontal code), overhead (ratio of bytes on the medium to
        bytes of data, minus 1). The damage goes up to one tip more than the code is guaranteed to correct.

    Raises:
        ParameterError: An option is wrong.
    """
    patterns = options.whole_number("count", count, 1)
    first = options.whole_number("seed", seed, 0)
    checks = options.whole_numbers("check_tips", check_tips, 0)
    # Make all codes first, so that an impossible code raises its error before any code is tried.
    codes: list[tuple[dict[str, Any], TipCode]] = [
        (dict(zip(_CODE, about, strict=True)), code_of(device.parameters, *about))
        for vertical in _names("detection", detection)
        for over_block in _names("block_check", block_check)
        for about in ((check, vertical, over_block) for check in checks)
    ]
    tries = [
        (*code, *damage, first + number) for code in codes for number, damage in enumerate(_damages(code[-1]))
    ]
    rows = []
    for done, (about, code, missing, overwritten, own_seed) in enumerate(tries, 1):
        damage = {"missing": missing, "overwritten": overwritten}
        promise = _promise(code.check_tips, missing, overwritten, about["detection"])
        found = code.trial(missing, overwritten, patterns, own_seed)
        cost = {"block_tips": code.tips, "overhead": code.overhead}
        rows.append({**about, **damage, "correctable": promise, **found, **cost})
        if progress:
            progress(100 * done // len(tries))
    return from_rows(rows)


def _names(key: str, given: options.Several[str]) -> list[str]:
    return [str(name) for name in options.several(key, given, "checks")]


def _damages(code: TipCode) -> Iterator[tuple[int, int]]:
    """Yield pairs: number of missing tips, and number of overwritten tips.

    Their sum is at most one more than the number of check tips.
    """
    for damaged in range(min(code.check_tips + 1, code.tips) + 1):
        for overwritten in range(damaged + 1):
            yield damaged - overwritten, overwritten


def _promise(check_tips: int, missing: int, overwritten: int, detection: str) -> str:
    """Return whether the code surely corrects these numbers of damaged tips: "yes", "if detected" or "no"."""
    if missing + 2 * overwritten <= check_tips:
        return "yes"
    return "if detected" if missing + overwritten <= check_tips and detection != "none" else "no"


def corrected(table: Table) -> Table:
    """Return one row per code: largest numbers of damaged tips that it corrected, and silent errors.

    A number counts if the code recovered all blocks with this damage. Silent errors are wrong data without an
    error.
    """
    return from_rows(
        [
            {
                **dict(zip(_CODE, code, strict=True)),
                "missing_corrected": _most(rows, "missing", "overwritten"),
                "overwritten_corrected": _most(rows, "overwritten", "missing"),
                "silent": sum(row["silent"] for row in rows),
                "patterns": sum(row["patterns"] for row in rows),
                "overhead": rows[0]["overhead"],
            }
            for code, rows in groups(table.to_pylist(), *_CODE).items()
        ]
    )


def _most(rows: list[dict[str, Any]], damage: str, other: str) -> int:
    """Return the largest number of tips with one kind of damage that the code corrected in all blocks."""
    return max(int(row[damage]) for row in rows if not row[other] and row["recovered"] == row["patterns"])


def chart(table: Table) -> Any:
    """Draw the outcome over the numbers of damaged tips and of check tips.

    Each kind of damage (missing, overwritten, both) and each kind of check has a panel.
    """
    rows = table.to_pylist()
    kinds = {
        "missing": [row for row in rows if not row["overwritten"]],
        "overwritten": [row for row in rows if not row["missing"]],
        "overwritten, and as many missing as there are check tips": [
            row for row in rows if row["missing"] == row["check_tips"]
        ],
    }
    # The names of the checks stand above each column of panels, and need the width of five cells.
    size = {"width": 42 * max(5, len(names(rows, "check_tips"))), "height": alt.Step(22)}
    scale = alt.Scale(domain=list(_OUTCOMES), range=list(_OUTCOMES.values()))
    panels: list[Any] = []
    for kind, damaged in kinds.items():
        cells = [_cell(row, "missing" if kind == "missing" else "overwritten") for row in damaged]
        base = plot(
            cells,
            x=alt.X("check_tips:O", title="Check tips").axis(labelAngle=0),
            y=alt.Y("wrong:O", title="Wrong tips", sort="descending"),
        )
        squares = base.mark_rect(stroke="white").encode(
            color=alt.Color("outcome:N", title="Most blocks are", scale=scale),
            tooltip=tips("check_tips:O", "wrong:O", *(f"{name}:Q | | .3%" for name in _OUTCOMES)),
        )
        layers = (squares + base.mark_text(fontSize=11).encode(text="text:N")).properties(**size)
        column = alt.Column("checks:N", title=None, sort=names(cells, "checks"))
        drawn = layers.facet(column=column.header(labels=not panels, labelFontSize=12))
        panels.append(drawn.properties(title=f"Tips that are {kind}"))
    subtitle = [
        "An overwritten tip costs two check tips, or one if a check in the tip sector finds it.",
        "A check over the block detects errors that would be silent (wrong data without an error).",
    ]
    stacked = alt.vconcat(*panels, spacing=20)
    return titled(
        stacked, table, "Errors that a code over tips corrects", subtitle, legend_columns=len(_OUTCOMES)
    )


def _cell(row: dict[str, Any], wrong: str) -> dict[str, Any]:
    """Return the cell of the chart for a row: the most frequent outcome, and its share as text.

    The text is empty if all blocks had this outcome.
    """
    outcome = max(_OUTCOMES, key=lambda name: int(row[name]))
    shares = {name: row[name] / row["patterns"] for name in _OUTCOMES}
    share = shares[outcome]
    # A share just below 100 % must not be rounded to 100 %.
    text = "" if share == 1 else f"{share:.3%}" if share > 0.9995 else f"{share:.1%}"
    return {
        "checks": f"tip sector: {row['detection']}, block: {row['block_check']}",
        **{"check_tips": row["check_tips"], "wrong": row[wrong]},
        **{"outcome": outcome, "text": text, **shares},
    }


ROW = defined(error_correction, chart, corrected)
