"""Tables of a design space: the best design for each goal, and the Pareto front."""

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from ..common.grids import Grid
from ..common.ranking import groups, ordered
from ..common.units import number
from ..exploration.design.explored_formats import FormatSpace, setting

#: Largest number of rows in the table of the front.
_SHOWN = 20


def parts(found: FormatSpace) -> Iterator[Grid | str]:
    """Yield the tables of the best designs and of the front; designs with equal figures share a row."""
    if not found.designs:
        yield from found.conclusions()
        return
    yield _listing(found, list(found.picks().items()))
    alike = _alike(found.front)
    shown = alike[:_SHOWN]
    as_one = ", equal designs as one row" if len(alike) < len(found.front) else ""
    title = f"Pareto front ({len(found.front)} designs that no other beats{as_one})"
    counts = [len(rows) for rows in shown] if as_one else ()
    yield _listing(found, [("", rows[0]) for rows in shown], counts, title)
    if len(shown) < len(alike):
        yield f"... and {len(alike) - len(shown)} more: write(folder) and --out DIR write them all."
    yield from found.conclusions()


def _alike(front: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return groups of designs with equal response, energy and capacity, the least response first."""
    rows = ordered(front, itemgetter("mean_response_s"))
    return groups(rows, *map(itemgetter, ("mean_response_s", "energy_j", "usable_bytes")))


def _listing(
    found: FormatSpace, rows: list[tuple[str, dict[str, Any]]], alike: Sequence[int] = (), title: str = ""
) -> Grid:
    """Return a table of designs, one per row, under the title `title`.

    `rows` are pairs of a goal (or an empty text) and the design that is best for it; `alike` has the number
    of designs that each row stands for.
    """
    varied = found.varied
    capacity = ">GiB usable for these files" if found.is_for_files else ">Capacity GiB"
    headings = (">Probes", ">Sectors", ">Sector KiB", ">Response ms", ">Energy J", capacity)
    named = any(name for name, _ in rows)
    marks = (["Pick"] if named else [], [">Alike"] if alike else [])
    made = Grid((*marks[0], *headings[:3], *varied, *headings[3:], *marks[1]), [], title)
    for at, (name, row) in enumerate(rows):
        cells = (
            f"{row['probes']}",
            f"{row['sectors']}",
            f"{row['sector_bytes'] / 1024:g}",
            *(setting(row[key]) for key in varied),
            number(row["mean_response_s"] * 1e3),
            number(row["energy_j"]),
            f"{row['usable_bytes'] / 2**30:.3f}",
            *([f"{alike[at]}"] if alike else []),
        )
        made.add_row(*([name] if named else []), *cells)
    return made
