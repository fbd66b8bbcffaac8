"""``sledsim devices``, ``schedulers``, ``layouts`` and the other listings: what there is to choose from."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

import typer

from .. import _native
from ..common.citations import cited
from ..common.units import label
from ..model.catalogue import device_rows
from ..model.tables import Entry, entry, table as rows_of
from .completion import complete_rows
from .options import FormatArgument, JsonOption, OptionalDeviceArgument
from .output import console, explained, is_narrow, plain_options, print_json, print_table, print_text, table
from .show import show

#: The device whose values are shown where each device has its own.
_EXAMPLE = "osdi00"
#: What JSON has of a key of a device file.
_OF_KEY = ("unit", "range", "description")


@dataclass(frozen=True)
class Listing:
    """A command that lists tables of the core.

    Attributes:
        command: Its name.
        help: What it lists.
        headings: The tables, and what heads each.
        hint: How a name is given.
    """

    command: str
    help: str
    headings: Mapping[str, str]
    hint: str

    def find(self, name: str) -> tuple[str, Entry]:
        """The table and the row that a name or an alias means.

        Raises:
            ParameterError: There is none; the message has the nearest name.
        """
        first, *others = self.headings
        kind = next((kind for kind in others if name in rows_of(kind)), first)
        return kind, entry(kind, name)


LISTINGS = (
    Listing(
        "schedulers",
        "List the scheduling policies, the wrappers around them, and their options.",
        {"schedulers": "Scheduler", "wrappers": "Wrapper: add to any policy"},
        "In the name: asptf:weight=5, zsptf:zone=60x600,parity=joined, sptf+deadline:after_ms=50",
    ),
    Listing(
        "power-policies",
        "List the policies that shut a device down, and their options.",
        {"power_policies": "Power policy"},
        "In the name: --set power_policy=timeout:ms=2",
    ),
    Listing(
        "episodes",
        "List the episodes in which a device begins nothing or is slow, and their options.",
        {"episodes": "Episode"},
        "sledsim run TRACE --stall at=10,ms=500,every=30 --slow at=5,ms=2000,factor=4",
    ),
    Listing(
        "workloads",
        "List the workloads that can be drawn, and their options.",
        {"workloads": "Workload"},
        "As a trace: random:rate=1000, zipf:rate=500,theta=0.8,arrivals=bursts",
    ),
    Listing(
        "replays",
        "List the ways in which the requests of a trace can come, and their options.",
        {"replays": "Replay"},
        "sledsim run TRACE --replay closed:outstanding=16",
    ),
    Listing(
        "layouts",
        "List the layouts of logical blocks on the medium of a MEMS device.",
        {"layouts": "Layout"},
        "sledsim run TRACE --set layout=random --set layout_seed=7 --set layout_extent_blocks=8",
    ),
    Listing(
        "seek-models",
        "List the ways in which the seek times of a MEMS device are computed.",
        {"seek_models": "Seek model"},
        "sledsim show osdi00 --set seek_model=table --set seek_table_steps=500",
    ),
    Listing(
        "volumes",
        "List the kinds of volumes: arrays, caches, hierarchies; their options and members.",
        {"volumes": "Volume"},
        "sledsim run TRACE --volume raid5:devices=5 --device atlas10k --set stripe_unit_kib=32\n"
        "sledsim run TRACE --volume mmcd --set disk=cheetah4lp --set mems.settle_ms=0.1",
    ),
)


def command(listing: Listing) -> Callable[..., None]:
    """The function of a listing, as the command line calls it."""
    completion = complete_rows(*listing.headings)
    argument = typer.Argument(help="One of them: what its options mean.", autocompletion=completion)

    def run(name: Annotated[str | None, argument] = None, as_json: JsonOption = False) -> None:
        if name is not None:
            found = [listing.find(name)]
        else:
            found = [(kind, row) for kind in listing.headings for row in rows_of(kind).values()]
        if as_json:
            print_json({row.name: _plain(kind, row) for kind, row in found})
        elif name is not None:
            _explain(*found[0])
        else:
            _list(listing)

    run.__doc__ = listing.help
    return run


def devices(name: OptionalDeviceArgument = None, as_json: JsonOption = False) -> None:
    """List the devices; of one, show what `sledsim show` shows."""
    rows = device_rows()
    if name is not None:
        show(name, as_json=as_json)
    elif as_json:
        print_json({name: {"kind": kind, "description": text} for name, kind, text in rows})
    else:
        described = ((name, kind, cited(text)) for name, kind, text in rows)
        print_table(None, table("Device", "Kind", "Description", rows=described))
        print_text("What a device is made of: sledsim show NAME")


def formats(name: FormatArgument = None, as_json: JsonOption = False) -> None:
    """List the trace formats, and which of them can be written; of one, say how it is read and written."""
    from ..traces.formats import find, rows

    if name is not None:
        row = find(name)
        if as_json:
            print_json({row.name: {**_plain("formats", row), "is_writable": row.is_writable}})
        else:
            _explain_format(row)
    elif as_json:
        print_json({row.name: row.summary for row in rows().values()})
    else:
        listed = ((row.name, "yes" if row.is_writable else "", row.summary) for row in rows().values())
        print_table(None, table("Format", "Can write", "Description", rows=listed))
        print_text("How a format is read and written: sledsim formats NAME")


def _explain_format(row: Entry) -> None:
    """What a format is, and the options with which it is read and written."""
    console().print(f"{row.name}: {row.summary}")
    if row.options:
        print_table("", explained("Field of --map", row.options))
        fields = "--map FIELD=COLUMN[:UNIT],..., a column by its name or its number from 1"
        print_text(f"Without a header of common names it needs {fields}")
    print_text(f"Recognised by its content; else with --format {row.name}")
    if row.is_writable:
        print_text(f"Written to a file that ends in .{row.name}, or with --to {row.name}")


def _list(listing: Listing) -> None:
    """A line for each row with the defaults of its options; those that most rows have stand below."""
    for kind, heading in listing.headings.items():
        rows = list(rows_of(kind).values())
        counts = Counter(one for row in rows for one in row.options)
        shared = [one for one, count in counts.items() if count > len(rows) / 2]
        is_wide = kind == "volumes" and not is_narrow()
        made = table(heading, "Description", "Options", *(["Members"] if is_wide else []))
        for row in rows:
            own = (f"{one.name}={one.default or '...'}" for one in row.options if one not in shared)
            given = "\n".join([*own, *(f"--set {key}" for key in row.keys)])
            over = "\n".join(f"{role}={default}" for role, default, _ in row.members)
            names = "\n".join([row.name, *(f"({alias})" for alias in row.aliases)])
            # What a volume survives stands where it is explained.
            summary = row.summary.partition(";")[0] if kind == "volumes" else row.summary
            made.add_row(
                names, summary, *((given, over) if is_wide else ("\n".join(filter(None, (given, over))),))
            )
        print_table(None, made)
        if shared:
            print_table(None, explained(f"Option of most {listing.command}", shared))
    print_text(f"{listing.hint}\nWhat options mean: sledsim {listing.command} NAME")


def _explain(kind: str, row: Entry) -> None:
    """What a row is, and what its options, keys, members and counters mean."""
    console().print("".join([row.name, *(f" ({alias})" for alias in row.aliases), f": {row.summary}"]))
    if row.disksim:
        print_text(f"DiskSim's policy {row.disksim}")
    own = _native.Device.load(_EXAMPLE, {}).parameters() if row.keys else {}
    keys = ((key, str(own.get(key, "to be set")), *about) for key, *about in _keys(row))
    members = ((f"{role}={default}", about) for role, default, about in row.members)
    counters = ((label(key), about) for key, about in row.counters.items())
    for made in (
        explained("Option", row.options),
        table("Parameter of the device", f"Of {_EXAMPLE}", "Unit", "Range", "Meaning", rows=keys),
        table("Member", "Meaning", rows=members),
        table("Counted in a run", "Meaning", rows=counters),
    ):
        if made.row_count:
            print_table("", made)


def _keys(row: Entry) -> Iterable[tuple[str, str, str, str]]:
    """Name, unit, range and meaning of the keys of a device file that it takes."""
    return (key for key in entry("kinds", "mems").parameters if key[0] in row.keys)


def _plain(kind: str, row: Entry) -> dict[str, object]:
    """A row as JSON has it."""
    plain: dict[str, object] = {
        "aliases": list(row.aliases),
        "description": row.summary,
        "source": row.source,
        "disksim": row.disksim,
        "parameters": list(row.keys),
        "keys": {key: dict(zip(_OF_KEY, about, strict=True)) for key, *about in _keys(row)},
        "options": plain_options(row.options, "kind", "unit", "default", "range"),
    }
    if kind == "volumes":
        # What it had before there could be several.
        plain["alias"] = row.aliases[0] if row.aliases else None
        plain["members"] = {
            role: {"default": default, "description": about} for role, default, about in row.members
        }
        plain["counters"] = dict(row.counters)
    return plain
