"""Shell completion: the words that a shell offers for an incomplete word of a command line."""

import glob
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

import typer

from .. import _native
from ..model import catalogue
from ..model.core_tables import Entry, table
from ..traces.formats import formats, writable_formats

#: Words that the shell offers, each with a line that explains it.
Offered: TypeAlias = list[tuple[str, str]]
Completion: TypeAlias = Callable[[str], Offered]


def beginning(rows: Iterable[tuple[str, str]], incomplete: str, before: str = "", after: str = "") -> Offered:
    """Return the rows whose names begin with `incomplete`; put `before` and `after` around each name."""
    return [(f"{before}{name}{after}", text) for name, text in rows if name.startswith(incomplete)]


def completing(rows: Callable[[], Mapping[str, str]]) -> Completion:
    """Return a shell completion that offers the keys of the dictionary that the function `rows` returns."""

    def complete(incomplete: str) -> Offered:
        return beginning(rows().items(), incomplete)

    return complete


def complete_tool(choices: str) -> Completion:
    """Return a shell completion that offers the keys of the dictionary in `traces.tools` named `choices`."""

    def complete(incomplete: str) -> Offered:
        from ..traces import tools

        rows = vars(tools)[choices].items()
        texts = ((key, row if isinstance(row, str) else getattr(row, "description", "")) for key, row in rows)
        return beginning(texts, incomplete)

    return complete


def complete_rows(*kinds: str) -> Completion:
    """Return a shell completion that offers names from core tables, and, after ``NAME:``, options of NAME."""

    def complete(incomplete: str) -> Offered:
        return [found for kind in kinds for found in complete_row(kind, incomplete)]

    return complete


def complete_row(kind: str, incomplete: str) -> Offered:
    """Return the names in the core table `kind` that begin with `incomplete`, or options after ``NAME:``.

    For a word such as ``random:rate=5,co``, return the options of ``random`` that begin with ``co``.
    """
    name, colon, given = incomplete.partition(":")
    rows = {known: row for row in table(kind).values() for known in row.names}
    if not colon or name not in rows:
        return beginning(((known, row.summary) for known, row in rows.items()), incomplete)
    before, comma, last = given.rpartition(",")
    options = ((one.name, one.meaning) for one in rows[name].options)
    return beginning(options, last, f"{name}:{before}{comma}", "=")


def complete_columns(incomplete: str) -> Offered:
    """Complete the last word of a list of columns and sets of columns, which are separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    return beginning(_native.selectable_columns(), last, f"{before}{comma}")


complete_device = completing(catalogue.devices)
complete_past_end = completing(catalogue.past_end_rules)
complete_format = completing(formats)
complete_writable = completing(writable_formats)
complete_replay = complete_rows("replays")


def complete_trace(incomplete: str) -> Offered:
    """Complete a TRACE argument: a bundled trace, a random workload with its options, or a file."""
    name, colon, options = incomplete.partition(":")
    if colon:
        return _complete_workload_option(name, options)
    from ..traces.trace_files import bundled_traces

    workloads = ((f"{name}:", row.summary) for name, row in table("workloads").items())
    known = beginning([*bundled_traces().items(), *workloads], incomplete)
    # The shell offers files by itself if the completion offers nothing else.
    files = sorted(path.name for path in Path().iterdir()) if known else []
    return known + beginning(((name, "") for name in files), incomplete)


def _complete_workload_option(name: str, options: str) -> Offered:
    before, comma, last = options.rpartition(",")
    if last.startswith("file="):
        paths = sorted(Path().glob(f"{glob.escape(last.removeprefix('file='))}*"))
        return [(f"{name}:{before}{comma}file={path}", "") for path in paths]
    return complete_row("workloads", f"{name}:{options}")


def complete_scheduler(incomplete: str) -> Offered:
    """Complete a TRACE argument: a bundled trace, a random workload with its options, or a file."""
    inner, plus, last = incomplete.rpartition("+")
    return beginning(complete_row("wrappers" if plus else "schedulers", last), "", f"{inner}{plus}")


def complete_schedulers(incomplete: str) -> Offered:
    """Complete the last policy of a list of policies, which are separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    return beginning(complete_scheduler(last), "", f"{before}{comma}")


def complete_volume(incomplete: str) -> Offered:
    """Complete a kind of volume, or, after ``KIND:``, an option of the kind or a role of its members."""
    found = complete_row("volumes", incomplete)
    name, colon, given = incomplete.partition(":")
    if not colon or name not in volume_names():
        return found
    from ..model.volumes import volume_roles

    before, comma, last = given.rpartition(",")
    roles = ((role, text) for role, (_, text) in volume_roles(name).items())
    return found + beginning(roles, last, f"{name}:{before}{comma}", "=")


def volume_names() -> set[str]:
    """Return the names and aliases of all kinds of volumes."""
    return {name for row in table("volumes").values() for name in row.names}


def complete_setting(context: typer.Context, incomplete: str) -> Offered:
    """Complete a parameter of the devices on the command line, or, after ``KEY=``, a value of KEY."""
    key, equals, value = incomplete.partition("=")
    kinds = {kind.name: kind for kind in map(_kind, _typed_devices(context))}.values()
    if equals:
        return [
            one for kind in kinds for one in beginning(kind.choices.get(key, {}).items(), value, f"{key}=")
        ]
    keys = {name: text for kind in kinds for name, *_, text in kind.parameters}
    return beginning(keys.items(), key, after="=")


def complete_price(incomplete: str) -> Offered:
    """Complete the names of devices for `--price`."""
    return beginning(catalogue.devices().items(), incomplete, after="=")


def _typed_devices(context: typer.Context) -> list[str]:
    """Return the names of devices on the command line so far; ``[""]`` if it has none."""
    typed = (context.params.get(name) for name in ("device_name", "name", "device_names", "devices"))
    first = next(filter(None, typed), "")
    return [*first] if isinstance(first, list | tuple) else [str(first)]


def _kind(device_name: str) -> Entry:
    """Return the core's description of the device's kind; an unknown device gets that of the first kind."""
    kinds = table("kinds")
    try:
        return kinds[_native.Device.load(device_name, {}).kind]
    except (_native.ParameterError, OSError):
        return next(iter(kinds.values()))


def complete_study(incomplete: str) -> Offered:
    """Complete the name of a table of one device, such as ``seek-map``."""
    from ..studies import STUDIES

    return beginning(((row.name, row.description) for row in STUDIES), incomplete)


def complete_study_option(context: typer.Context, incomplete: str) -> Offered:
    """Complete an option of the table of one device that the command line names."""
    from ..studies import STUDIES, described

    # An incomplete option would stop the parser before the words on its left.
    typed = (context.params.get("name"), *context.args)
    options = (option for row in STUDIES if row.name in typed for option in described(row.table))
    return beginning(((one.name, one.meaning) for one in options), incomplete, after="=")
