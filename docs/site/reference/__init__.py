"""Pages of the reference that are made of the program's own tables; `PAGES` lists what makes them."""

from collections.abc import Callable, Iterator

from . import columns, commands, counters, devices, kinds, python, studies, tables, volumes

#: Each gives paths below the site and what stands there.
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
#: Those that stand in the navigation; others are found from them.
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
