"""Reference pages generated from the tables of the program; `PAGES` lists their generators."""

from collections.abc import Callable, Iterator

from . import columns, commands, counters, devices, kinds, python, studies, tables, volumes

#: Generators that yield pairs of a path in the site and the text of the page.
PAGES: tuple[Callable[[], Iterator[tuple[str, str]]], ...] = (
    devices.pages,
    kinds.pages,
    volumes.pages,
    columns.pages,
    tables.pages,
    counters.pages,
    studies.pages,
    commands.pages,
    python.pages,
)
#: Pages in the navigation; other generated pages are linked from them.
LISTED = (
    "generated/devices/index.md",
    "generated/volumes/index.md",
    *(f"generated/{name}.md" for name in kinds.KINDS),
    "generated/columns.md",
    "generated/tables.md",
    "generated/counters.md",
    "generated/studies.md",
    "generated/commands/index.md",
    "generated/python/index.md",
)
