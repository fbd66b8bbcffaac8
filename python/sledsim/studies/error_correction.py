"""What a code over tips and a check down them correct, tried with data (001-F21).

What a code over tips corrects, computed and tried with real data.
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

#: What may come of a block, and its colour: that of what is read as something else is the one to be seen.
_OUTCOMES = {"recovered": "#009E73", "lost": "#bbbbbb", "silent": "#D55E00"}

#: What makes a code.
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
    """Blocks with so many tips missing and so many overwritten, encoded, damaged and read.

    Every code of so many check tips is tried with every one of the checks.

    Args:
        device: Any device of the kind mems: its blocks and tip sectors are taken.
        check_tips (from 0): Tips that the horizontal code adds to a block.
        detection: The vertical check in a tip sector: "none", "crc8", "crc16" or "crc32".
        block_check: The check over the data of a block: "crc32c", in a tip of its own, or "none".
        count (from 1): Blocks a row.
        seed (from 0): Seed of data and damage.
        progress: Told the percentage done.

    Returns:
        check_tips, detection, block_check (the code, as the options say), missing (tips that give nothing),
        overwritten (tips besides, with random bytes), correctable (what the code promises: yes, no, or "if
        detected", where the vertical checks have to find what is overwritten), patterns (blocks tried),
        recovered (blocks read as they were), lost (and known to be), silent (read as something else),
        block_tips (tips of a block: data, block check and horizontal code), overhead (bytes on the medium
        over those of data, less 1). Rows go one tip beyond what the code can do.

    Raises:
        ParameterError: An option is wrong.
    """
    patterns = options.whole_number("count", count, 1)
    first = options.whole_number("seed", seed, 0)
    checks = options.whole_numbers("check_tips", check_tips, 0)
    # A code that cannot be is known before any is tried.
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
    """Numbers of missing and of overwritten tips, up to one tip beyond what the code can do."""
    for damaged in range(min(code.check_tips + 1, code.tips) + 1):
        for overwritten in range(damaged + 1):
            yield damaged - overwritten, overwritten


def _promise(check_tips: int, missing: int, overwritten: int, detection: str) -> str:
    """Whether a code has the power for it."""
    if missing + 2 * overwritten <= check_tips:
        return "yes"
    return "if detected" if missing + overwritten <= check_tips and detection != "none" else "no"


def corrected(table: Table) -> Table:
    """Each code and its checks: how many wrong tips it always corrects, and what is silent."""
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
    """The most tips with one kind of damage, and none with the other, of which all blocks were recovered."""
    return max(int(row[damage]) for row in rows if not row[other] and row["recovered"] == row["patterns"])


def chart(table: Table) -> Any:
    """Wrong tips over check tips: what came of the blocks; a panel a kind of damage and of checks."""
    rows = table.to_pylist()
    kinds = {
        "missing": [row for row in rows if not row["overwritten"]],
        "overwritten": [row for row in rows if not row["missing"]],
        "overwritten, and as many missing as there are check tips": [
            row for row in rows if row["missing"] == row["check_tips"]
        ],
    }
    # The names of the checks, once above all, need as much room as five columns.
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
        "An overwritten tip costs two check tips, or one where a check in the tip sector finds it.",
        "A check over the block turns what would be read as something else (silent) into a known loss.",
    ]
    stacked = alt.vconcat(*panels, spacing=20)
    return titled(stacked, table, "What the code over tips corrects", subtitle, legend_columns=len(_OUTCOMES))


def _cell(row: dict[str, Any], wrong: str) -> dict[str, Any]:
    """What came of most blocks of a row, and of how many where it did not of all."""
    outcome = max(_OUTCOMES, key=lambda name: int(row[name]))
    shares = {name: row[name] / row["patterns"] for name in _OUTCOMES}
    share = shares[outcome]
    # Not quite all must not read as all.
    text = "" if share == 1 else f"{share:.3%}" if share > 0.9995 else f"{share:.1%}"
    return {
        "checks": f"tip sector: {row['detection']}, block: {row['block_check']}",
        **{"check_tips": row["check_tips"], "wrong": row[wrong]},
        **{"outcome": outcome, "text": text, **shares},
    }


ROW = defined(error_correction, chart, corrected)
