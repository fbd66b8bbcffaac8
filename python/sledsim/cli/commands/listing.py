"""``sledsim list``: list devices, policies and so on; also older commands, such as ``sledsim schedulers``."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias, TypeVar

import typer

from ... import _native
from ...common import packages
from ...common.citations import cited
from ...common.deprecation import command, notice
from ...common.error_places import unknown
from ...common.units import label
from ...model import catalogue
from ...model.catalogue import device_rows
from ...model.core_tables import Entry, entry, table as rows_of
from ...traces.formats import find as find_format, formats, recognised_by, rows as formats_of
from ..command_options import JsonOption
from ..completion import Offered, beginning, complete_row
from ..output import (
    console,
    explained,
    is_narrow,
    plain_options,
    print_json,
    print_note,
    print_table,
    print_text,
    table,
)
from .show import show

#: Device whose parameter values the explanation of a policy or layout shows as an example.
_EXAMPLE = "osdi00"
#: Names of the fields that describe a key of a device file in the JSON output.
_OF_KEY = ("unit", "range", "description")

Row = TypeVar("Row")
#: Function that explains one name of a kind, or lists all names if the first argument is None. The second
#: argument is True to print JSON. The third is the typed command, which hints repeat.
Shower: TypeAlias = Callable[[str | None, bool, str], None]


@dataclass(frozen=True)
class Kind:
    """Kind of named things that ``sledsim list KIND`` lists, such as devices or policies.

    Attributes:
        name: The word after ``sledsim list``.
        meaning: Description of the kind, for a help text.
        rows: Function that returns a one-line description of each name of the kind.
        show: Function that prints all names of the kind, or explains one of them.
        tables: Names of the tables in the Rust core that list the members; empty if the members are not from
            the core.
    """

    name: str
    meaning: str
    rows: Callable[[], Mapping[str, str]]
    show: Shower
    tables: tuple[str, ...] = ()

    def complete(self, incomplete: str) -> Offered:
        """Return the names that begin with `incomplete`; core tables also give aliases and options."""
        if self.tables:
            return [found for one in self.tables for found in complete_row(one, incomplete)]
        return beginning(self.rows().items(), incomplete)


def _of_core(name: str, meaning: str, headings: Mapping[str, str], hint: str) -> Kind:
    """Return a kind whose names are those of the rows of tables in the Rust core.

    Args:
        name: The word after ``sledsim list``.
        meaning: Description of the kind, for a help text.
        headings: Heading above the names of each printed table, by name of the core table that it prints.
        hint: Examples of commands or names, printed below the list.
    """

    def rows() -> dict[str, str]:
        return {row.name: row.summary for one in headings for row in rows_of(one).values()}

    def show_rows(one: str | None, as_json: bool, typed: str) -> None:
        if one is not None:
            found = [_find(headings, one)]
        else:
            found = [(of, row) for of in headings for row in rows_of(of).values()]
        if as_json:
            print_json({row.name: _plain(of, row) for of, row in found})
        elif one is not None:
            _explain(*found[0])
        else:
            _list(name, headings)
            print_text(f"{hint}\nTo explain options: {typed} NAME")

    return Kind(name, meaning, rows, show_rows, tuple(headings))


def _find(headings: Mapping[str, str], name: str) -> tuple[str, Entry]:
    """Return the core table with a row of this name or alias, and the row.

    Raises:
        ParameterError: The name is unknown; the message suggests the nearest name.
    """
    first, *others = headings
    kind = next((kind for kind in others if name in rows_of(kind)), first)
    return kind, entry(kind, name)


def _show_devices(name: str | None, as_json: bool, typed: str) -> None:
    rows = device_rows()
    if name is not None:
        show(name, as_json=as_json)
    elif as_json:
        print_json({name: {"kind": kind, "description": text} for name, kind, text in rows})
    else:
        described = ((name, kind, cited(text)) for name, kind, text in rows)
        print_table(None, table("Device", "Kind", "Description", rows=described))
        print_text("Parameters of a device: sledsim show NAME")


def _show_formats(name: str | None, as_json: bool, typed: str) -> None:
    if name is not None:
        row = find_format(name)
        if as_json:
            print_json({row.name: {**_plain("formats", row), "is_writable": row.is_writable}})
        else:
            _explain_format(row)
    elif as_json:
        print_json(formats())
    else:
        listed = ((row.name, "yes" if row.is_writable else "", row.summary) for row in formats_of().values())
        print_table(None, table("Format", "Can write", "Description", rows=listed))
        print_text(f"To explain a format: {typed} NAME")


def _traces() -> dict[str, str]:
    from ...traces.trace_files import bundled_traces

    return bundled_traces()


def _show_traces(name: str | None, as_json: bool, typed: str) -> None:
    rows = _traces()
    if name is not None:
        rows = {name: _row("bundled trace", rows, name)}
    if as_json:
        print_json(rows)
        return
    print_table(None, table("Bundled trace", "Description", rows=rows.items()))
    print_text("Statistics of a trace: sledsim trace info NAME")


def _studies() -> dict[str, str]:
    from ...studies import STUDIES

    return {row.name: row.description for row in STUDIES}


def _show_studies(name: str | None, as_json: bool, typed: str) -> None:
    from .study import list_sheets

    list_sheets(name, as_json, typed)


KINDS = (
    Kind("devices", "Built-in devices", catalogue.devices, _show_devices),
    _of_core(
        "volumes",
        "Kinds of volumes: arrays, caches, hierarchies",
        {"volumes": "Volume"},
        "sledsim run TRACE --volume raid5:devices=5 --device atlas10k --set stripe_unit_kib=32\n"
        "sledsim run TRACE --volume mmcd --set disk=cheetah4lp --set mems.settle_ms=0.1",
    ),
    _of_core(
        "schedulers",
        "Scheduling policies, and wrappers around them",
        {"schedulers": "Scheduler", "wrappers": "Wrapper: add to any policy"},
        "In the name: asptf:weight=5, zsptf:zone=60x600,parity=joined, sptf+deadline:after_ms=50",
    ),
    _of_core(
        "power-policies",
        "Policies that shut a device down",
        {"power_policies": "Power policy"},
        "In the name: --set power_policy=timeout:ms=2",
    ),
    _of_core(
        "layouts",
        "Layouts of logical blocks on the medium of a MEMS device",
        {"layouts": "Layout"},
        "sledsim run TRACE --set layout=random --set layout_seed=7 --set layout_extent_blocks=8",
    ),
    _of_core(
        "seek-models",
        "Models of the seek times of a MEMS device",
        {"seek_models": "Seek model"},
        "sledsim show osdi00 --set seek_model=table --set seek_table_steps=500",
    ),
    _of_core(
        "episodes",
        "Episodes in which a device starts no request or is slow",
        {"episodes": "Episode"},
        "sledsim run TRACE --stall at=10,ms=500,every=30 --slow at=5,ms=2000,factor=4",
    ),
    _of_core(
        "workloads",
        "Random workloads",
        {"workloads": "Workload"},
        "In place of a trace: random:rate=1000, zipf:rate=500,theta=0.8,arrivals=bursts",
    ),
    Kind("traces", "Bundled traces", _traces, _show_traces),
    _of_core(
        "replays",
        "Rules by which the requests of a trace arrive",
        {"replays": "Replay"},
        "sledsim run TRACE --replay closed:outstanding=16",
    ),
    Kind("formats", "Formats of trace files", formats, _show_formats),
    Kind("studies", "Tables and charts of one device for 'sledsim study'", _studies, _show_studies),
)
_BY_NAME = {kind.name: kind for kind in KINDS}


def kinds() -> dict[str, Kind]:
    """Return all kinds by name: built-in ones first, then those of installed packages; warn of bad ones."""
    found = dict(_BY_NAME)

    def add(one: packages.Added) -> None:
        if one.name in _BY_NAME:
            raise one.wrong("has the name of a built-in kind of 'sledsim list'")
        found[one.name] = _of_package(one)

    packages.each("listing", add)
    return found


def _of_package(one: packages.Added) -> Kind:
    made = one.load()
    if not isinstance(made, Kind):
        raise one.wrong(f"expected a Kind, found {made!r}")
    return replace(made, name=one.name, meaning=one.marked(made.meaning))


def _kind(name: str) -> Kind:
    """Return the kind called `name`; installed packages are searched only if it is not built in.

    Raises:
        ParameterError: The kind is unknown; the message suggests the nearest name.
    """
    return _BY_NAME[name] if name in _BY_NAME else _row("kind", kinds(), name)


def _row(what: str, rows: Mapping[str, Row], name: str) -> Row:
    """Return the value under `name`; an error calls the missing name an unknown `what`, such as a trace.

    Raises:
        ParameterError: The name is unknown; the message suggests the nearest names.
    """
    if name not in rows:
        raise unknown(what, name, rows)
    return rows[name]


def _complete_kind(incomplete: str) -> Offered:
    return beginning(((kind.name, kind.meaning) for kind in kinds().values()), incomplete)


def _complete_name(context: typer.Context, incomplete: str) -> Offered:
    # An incomplete word would stop the parser before the words on its left.
    typed = (context.params.get("kind"), *context.args)
    return [found for kind in kinds().values() if kind.name in typed for found in kind.complete(incomplete)]


KindArgument = Annotated[
    str | None,
    typer.Argument(
        help="Kind of things to list: " + ", ".join(_BY_NAME) + ", or a kind that an installed package adds. "
        "\\[default: list the kinds]",
        autocompletion=_complete_kind,
    ),
]
NameArgument = Annotated[
    str | None, typer.Argument(help="Name to explain, with its options.", autocompletion=_complete_name)
]


def list_kind(kind: KindArgument = None, name: NameArgument = None, as_json: JsonOption = False) -> None:
    """List devices, policies, layouts, workloads, formats, studies and other named things."""
    if kind is not None:
        _kind(kind).show(name, as_json, " ".join(("sledsim list", kind)))
        return
    counts = {one.name: (len(one.rows()), one.meaning) for one in kinds().values()}
    if as_json:
        print_json({name: {"count": count, "description": text} for name, (count, text) in counts.items()})
        return
    rows = ((name, f"{count}", text) for name, (count, text) in counts.items())
    print_table(None, table("Kind", ">Count", "Meaning", rows=rows))
    print_text("List one kind: sledsim list KIND. Explain one name: sledsim list KIND NAME")


def formerly(kind: Kind) -> Callable[..., None]:
    """Return the older command that lists one kind, such as ``sledsim schedulers``."""
    moved = notice(command(kind.name))
    argument = typer.Argument(help="Name to explain.", autocompletion=kind.complete)

    def run(name: Annotated[str | None, argument] = None, as_json: JsonOption = False) -> None:
        print_note(moved)
        kind.show(name, as_json, " ".join(("sledsim", kind.name)))

    run.__doc__ = moved
    return run


def _explain_format(row: Entry) -> None:
    """Print the description of a trace format, and how to read and write it."""
    console().print(f"{row.name}: {row.summary}")
    if row.options:
        print_table("", explained("Field of --map", row.options))
        fields = "--map FIELD=COLUMN[:UNIT],...: COLUMN is a name, or a number from 1"
        print_text(f"A file without a header of common names needs {fields}")
    print_text(f"Recognised by {recognised_by(row.name)}; otherwise, add --format {row.name}")
    if row.is_writable:
        print_text(f"Written to a file that ends in .{row.name}, or with --to {row.name}")


def _list(name: str, headings: Mapping[str, str]) -> None:
    """Print core tables with the options of each row, and below them the options that most rows share."""
    for kind, heading in headings.items():
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
            # The explanation of a volume prints the failures that it survives.
            summary = row.summary.partition(";")[0] if kind == "volumes" else row.summary
            made.add_row(
                names, summary, *((given, over) if is_wide else ("\n".join(filter(None, (given, over))),))
            )
        print_table(None, made)
        if shared:
            print_table(None, explained(f"Option of most {name}", shared))


def _explain(kind: str, row: Entry) -> None:
    """Print all about one row of the core table `kind`: summary, options, keys, members and counters."""
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
        if made.rows:
            print_table("", made)


def _keys(row: Entry) -> Iterable[tuple[str, str, str, str]]:
    """Return name, unit, range and meaning of each device file key that a row, such as a layout, uses."""
    return (key for key in entry("kinds", "mems").parameters if key[0] in row.keys)


def _plain(kind: str, row: Entry) -> dict[str, object]:
    """Return a row of the core table `kind` for JSON, by the names of its fields."""
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
        # Key of earlier versions, in which each row had one value.
        plain["alias"] = row.aliases[0] if row.aliases else None
        plain["members"] = {
            role: {"default": default, "description": about} for role, default, about in row.members
        }
        plain["counters"] = dict(row.counters)
    return plain


COMMANDS = {"list": list_kind}
