"""A page of each kind of volume: options, members and counters."""

from collections.abc import Iterator

from sledsim.common.units import label
from sledsim.model.core_tables import Entry, table as rows_of

from ..markdown import code, joined, plain, table, toctree
from .options import options_table


def pages() -> Iterator[tuple[str, str]]:
    """Yield the list of volumes and the page of each."""
    rows = rows_of("volumes")
    listed = ((f"[`{name}`]({name}.md)", plain(row.summary.partition(";")[0])) for name, row in rows.items())
    yield (
        "generated/volumes/index.md",
        joined(
            "# Every volume",
            "Find a volume: several devices that look like one. Choose it with"
            " `sledsim run demo --volume raid5:devices=5`; [another page](../../reference/volumes.md)"
            " explains how volumes work.",
            table(("volume", "purpose"), listed),
            toctree(rows, hidden=""),
        ),
    )
    for name, row in rows.items():
        yield f"generated/volumes/{name}.md", _page(row)


def _page(row: Entry) -> str:
    members = ((code(role), code(default), plain(text)) for role, default, text in row.members)
    counters = ((code(name), label(name), plain(text)) for name, text in row.counters.items())
    also = f"Also called {', '.join(map(code, row.aliases))}." if row.aliases else ""
    options = options_table(row.options)
    return joined(
        f"# `{row.name}`",
        f"{plain(row.summary[:1].upper() + row.summary[1:])}. {also}".strip(),
        f"`sledsim run demo --volume {row.name} --fit` runs a trace on it."
        f" `sledsim list volumes {row.name}` prints these tables.",
        "## Options" if options else "",
        f"Add options to the name: `{row.name}:{row.options[0].name}={row.options[0].default}`."
        if options
        else "",
        options,
        "## Members",
        table(("member", "default", "meaning"), members),
        "## Counters" if row.counters else "",
        table(("key", "shown as", "meaning"), counters),
    )
