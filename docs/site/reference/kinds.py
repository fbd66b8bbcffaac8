"""A page of each table of the core: policies, layouts, seek models, workloads, formats and so on."""

from collections.abc import Iterator

from sledsim.common.citations import cited
from sledsim.model.core_tables import Entry, entry, table as rows_of
from sledsim.traces import formats

from ..markdown import code, joined, plain, table
from .options import options_table

#: Title of each table, an example of its use, and the page with more about it.
KINDS = {
    "schedulers": ("Every scheduler", "`sledsim run demo --scheduler sptf`", "reference/schedulers.md"),
    "wrappers": (
        "Every wrapper of schedulers",
        "`sledsim run demo --scheduler sptf+deadline:after_ms=50`",
        "reference/schedulers.md",
    ),
    "layouts": ("Every layout", "`sledsim run demo --set layout=random`", "reference/layouts.md"),
    "seek_models": ("Every seek model", "`sledsim run demo --set seek_model=table`", "background/model.md"),
    "power_policies": (
        "Every power policy",
        "`sledsim run demo --set power_policy=timeout:ms=2`",
        "background/model.md",
    ),
    "replacements": (
        "Every replacement policy",
        "the option `policy` of the volumes `cache` and `virtual-disk`",
        "reference/volumes.md",
    ),
    "workloads": ("Every workload", "`sledsim run random:rate=1000`", "reference/workloads.md"),
    "replays": ("Every replay", "`sledsim run demo --replay closed:outstanding=16`", "reference/traces.md"),
    "episodes": (
        "Every kind of episodes",
        "`sledsim run demo --stall at=10,ms=500,every=30`",
        "how-to/episodes.md",
    ),
    "formats": ("Every trace format", "`sledsim run TRACE --format spc`", "reference/traces.md"),
}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of each table."""
    for kind, (title, how, more) in KINDS.items():
        rows = (formats.rows() if kind == "formats" else rows_of(kind)).values()
        listed = ((f"[`{row.name}`](#{anchor(row.name)})", plain(cited(row.summary))) for row in rows)
        yield (
            f"generated/{kind}.md",
            joined(
                f"# {title}",
                f"Find the meaning of each name and of each option. Choose with {how};"
                f" [another page](../{more}) says when to use which.",
                table(("name", "meaning"), listed),
                *map(_section, rows),
            ),
        )


def anchor(heading: str) -> str:
    """Return the anchor of a heading, in the form of GitHub."""
    kept = (letter for letter in heading.lower().replace(" ", "-") if letter.isalnum() or letter in "-_")
    return "".join(kept)


def _section(row: Entry) -> str:
    summary = cited(row.summary)
    about = [
        f"Also called {', '.join(map(code, row.aliases))}." if row.aliases else "",
        f"From {plain(cited(row.source))}." if row.source else "",
        f"DiskSim calls it {plain(row.disksim)}." if row.disksim else "",
        "sledsim also writes this format." if row.is_writable else "",
    ]
    of_device = (key for key in entry("kinds", "mems").parameters if key[0] in row.keys)
    keys = ((code(key), unit, plain(values), plain(text)) for key, unit, values, text in of_device)
    return joined(
        f"## `{row.name}`",
        f"{plain(summary[:1].upper() + summary[1:])}.",
        " ".join(filter(None, about)),
        options_table(row.options),
        table(("key of the device", "unit", "range", "meaning"), keys),
    )
