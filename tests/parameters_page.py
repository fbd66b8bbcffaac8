"""docs/reference/parameters.md, of the texts that the program itself shows: `make parameters` writes it.

The counts of verdicts in docs/background/validation.md are written, too, from the shipped table.
"""

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from sledsim import _native
from sledsim.common import units
from sledsim.model.catalogue import column_sets
from sledsim.model.core_tables import Option, table
from sledsim.papers import Verdict, shipped_verdicts
from sledsim.studies import STUDIES, described

_DOCS = Path(__file__).parents[1] / "docs"
PAGE = _DOCS / "reference" / "parameters.md"
VALIDATION = _DOCS / "background" / "validation.md"

_KINDS = {"mems": "MEMS devices", "disk": "Disks", "flash": "Flash cards"}
_HEAD = """\
# Parameters, options and counters

Find the meaning of each key of a device file, characteristic, option and counter.

```sh
sledsim show osdi00               # keys and characteristics of a device
sledsim list schedulers asptf     # options of a policy, workload, volume or study
make parameters                   # in a checkout: writes this page from the same texts
```

Papers are cited as in [devices.md](devices.md); the [glossary](glossary.md) explains words.
"""
_LISTED = {
    "kinds": ("Kinds of devices", "`kind` of a device file; see [devices.md](devices.md)."),
    "schedulers": (
        "Schedulers",
        "Options stand in the name (`asptf:weight=6`); see [schedulers.md](schedulers.md).",
    ),
    "wrappers": ("Wrappers", "Around any policy: `sptf+deadline:after_ms=50`."),
    "workloads": ("Workloads", "Given as a trace (`random:rate=1000`); see [workloads.md](workloads.md)."),
    "replays": ("Replays", "`--replay closed:outstanding=16`; see [traces.md](traces.md)."),
    "layouts": ("Layouts", "`--set layout=random`; see [layouts.md](layouts.md)."),
    "seek_models": ("Seek models", "`--set seek_model=table`; see [model.md](../background/model.md)."),
    "power_policies": (
        "Power policies",
        "`power_policy` of a MEMS device; options in the name: `timeout:ms=2`.",
    ),
    "episodes": ("Episodes", "`--stall at=10,ms=500,every=30`; see [episodes.md](../how-to/episodes.md)."),
    "replacements": ("Replacement policies", "`policy` of the volumes cache and virtual-disk."),
    "formats": ("Trace formats", "Options are fields of `--map`; see [traces.md](traces.md)."),
}


def page() -> str:
    """Return the whole page."""
    listed = (part for kind in _LISTED for part in _listed(kind))
    parts = [_HEAD, *_devices(), *listed, *_volumes(), *_columns(), *_device_counters(), *_studies()]
    return "\n".join(parts)


def _listed(kind: str) -> Iterator[str]:
    """Return the rows of a table of the core, and their options; options of most rows stand there once."""
    heading, how = _LISTED[kind]
    rows = table(kind).values()
    yield f"## {heading}\n\n{how}\n"
    more = {
        "source": [row.source for row in rows],
        "DiskSim": [row.disksim for row in rows],
        "parameters": [", ".join(f"`{key}`" for key in row.keys) for row in rows],
    }
    more = {name: cells for name, cells in more.items() if any(cells)}
    cells = zip(rows, *more.values(), strict=True)
    yield _table(
        ("name", "what it does", *more), ((f"`{row.name}`", row.summary, *own) for row, *own in cells)
    )
    owners: dict[Option, list[str]] = defaultdict(list)
    for row in rows:
        for one in row.options:
            owners[one].append(f"`{row.name}`")
    if owners:
        of = {
            one: "most" if len(rows) > 4 and 2 * len(names) > len(rows) else ", ".join(names)
            for one, names in owners.items()
        }
        yield _table((*_OPTION, "of"), ((*_option(one), of[one]) for one in owners))


_OPTION = ("option", "default", "unit", "range", "meaning")


def _option(one: Option) -> tuple[str, ...]:
    return (f"`{one.name}`", one.default, one.unit, one.range, one.meaning)


def _devices() -> Iterator[str]:
    for kind, row in table("kinds").items():
        yield f'## {_KINDS[kind]}\n\nKeys of device files with `kind = "{kind}"`, and of `--set`.\n'
        yield _table(
            ("key", "unit", "range", "meaning"),
            ((f"`{key}`", unit, values, text) for key, unit, values, text in row.parameters),
        )
        if row.choices:
            yield "Keys that are one of a few names:\n"
            chosen = row.choices.items()
            rows = ((f"`{key}`", f"`{name}`", text) for key, names in chosen for name, text in names.items())
            yield _table(("key", "name", "meaning"), rows)
        yield "What follows from them (`sledsim show`; `Device.characteristics()` in SI units):\n"
        yield _table(
            ("characteristic", "shown as", "meaning"),
            ((f"`{key}`", units.label(key), text) for key, text in row.characteristics.items()),
        )


def _volumes() -> Iterator[str]:
    yield "## Volumes\n\nOptions stand in the name (`raid5:devices=5`), `--set` or a file; see"
    yield "[volumes.md](volumes.md).\n"
    for name, row in table("volumes").items():
        other = "".join(f" (`{alias}`)" for alias in row.aliases)
        summary = f"{row.summary[0].upper()}{row.summary[1:]}."
        yield f"### `{name}`{other}\n\n{textwrap.fill(summary, 120, break_on_hyphens=False)}\n"
        if row.options:
            yield _table(_OPTION, map(_option, row.options))
        members = ((f"`{role}`", f"`{default}`", about) for role, default, about in row.members)
        yield _table(("member", "default", "meaning"), members)
        if row.counters:
            yield _counters(row.counters.items())


def _columns() -> Iterator[str]:
    yield """## Columns of a result

`Run.requests`, or the Parquet file: one row a request, in order of arrival. Times are integer nanoseconds
from the start of the trace. In every row
`completion - start = command + wait + positioning + hold + switch + transfer + bus`.
On a [volume](volumes.md) start and phases are those of the part that was served last.
"""
    columns = [(name, of, values, unit, text) for name, of, values, unit, _, text in _native.result_columns()]
    meanings = dict(_native.selectable_columns())
    columns += [(name, *cells, meanings[name]) for name, *cells in _DERIVED]
    headings = ("column", "set", "type", "unit", "meaning")
    yield _table(headings, ((f"`{name}`", *cells) for name, *cells in columns))
    yield "Sets are named together in `columns=` and `--columns`, as in `times,energy_j`:\n"
    sets = (*column_sets(), "all", "none")
    yield _table(("set", "columns of"), ((f"`{name}`", meanings[name]) for name in sets))


#: Columns that are computed from other columns when a result is shown or written.
_DERIVED = [
    ("response_ns", "times", "i64", "ns"),
    ("where", "phases", "text", ""),
]


def _device_counters() -> Iterator[str]:
    counters = dict(_native.device_counters())
    yield "## What devices count\n\nUnder a [plan of faults](../how-to/faults.md):\n"
    yield _counters(counters["Faults"])
    yield "Where the medium has to be erased (`erase_block_kib`):\n"
    yield _counters(counters["Erasing"])
    yield "Where a logical block is larger than a sector of 512 bytes (`emsoft08`):\n"
    yield _counters(counters["Partial writes"])


def _studies() -> Iterator[str]:
    yield "## Studies\n\nOptions of `sledsim study NAME -O option=value`; see [studies.md](studies.md).\n"
    rows = (
        (f"`{study.name}`", f"`{one.name}`", one.default, one.unit, one.range, one.meaning)
        for study in STUDIES
        for one in described(study.table)
    )
    yield _table(("study", "option", "default", "unit", "range", "meaning"), rows)


def _counters(meanings: Iterable[tuple[str, str]]) -> str:
    rows = ((f"`{name}`", text) for name, text in meanings)
    return _table(("counted in a run", "meaning"), rows)


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(headings)
    lines = (head, ("---",) * len(head), *rows)
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)


def validation(text: str) -> str:
    """Return the page on validation with the counts of verdicts of the shipped table."""
    counts = Counter(verdict for verdict, _ in shipped_verdicts().values())
    counted = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict)
    return re.sub(r"(?<=its last line counts the verdicts: )[^.]*", counted, text, count=1)


if __name__ == "__main__":
    PAGE.write_text(page())
    VALIDATION.write_text(validation(VALIDATION.read_text()))
