"""What can be plugged in: every table of the core, with the options of each row."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from .. import _native
from . import installed


class OptionRow(TypedDict):
    """An option, as the core gives it: what `Option` has."""

    name: str
    kind: str
    unit: str
    default: str
    choices: list[str]
    range: str
    meaning: str


class _EveryRow(TypedDict):
    name: str
    aliases: list[str]
    summary: str
    source: str
    disksim: str
    keys: list[str]
    options: list[OptionRow]


class TableRow(_EveryRow, total=False):
    """A row of a table, as the core gives it: what `Entry` has."""

    members: list[tuple[str, str, str]]
    counters: dict[str, str]
    is_writable: bool
    parameters: list[tuple[str, str, str, str]]
    characteristics: dict[str, str]
    choices: dict[str, dict[str, str]]


@dataclass(frozen=True)
class Option:
    """Something that can be set of a policy, a volume, a workload.

    Attributes:
        name: As it stands in the name of its owner: ``asptf:weight=5``.
        kind: Of value: ``number``, ``whole number``, ``choice``, ``size`` (``120x1200``) or ``text``.
        unit: Of its value; empty if it has none.
        default: Its value where none is given; empty if one has to be.
        choices: The names that a choice has.
        range: What may be given, in words: ``a number from 0 to 1e9``.
        meaning: What it does.
    """

    name: str
    kind: str
    unit: str
    default: str
    choices: tuple[str, ...]
    range: str
    meaning: str


@dataclass(frozen=True)
class Entry:
    """A row of a table.

    Attributes:
        name: The name that users give.
        aliases: Other names that mean it.
        summary: What it does, in one line.
        source: Where it comes from: papers and equations, or works; empty if nowhere.
        disksim: DiskSim's number and name of it; empty if DiskSim has no such thing.
        keys: Keys of a device file that it takes.
        options: What can be set.
        members: Of a volume: role, default and meaning of each.
        counters: Of a volume: what it counts in a run, and what that means.
        is_writable: Of a format: whether traces can be written in it, too.
        parameters: Of a kind of devices: name, unit, range and meaning of each key of its files.
        characteristics: Of a kind of devices: what follows from them, and what that means.
        choices: Of a kind of devices: the keys that are one of a few names, and what each name means.
    """

    name: str
    aliases: tuple[str, ...]
    summary: str
    source: str
    disksim: str
    keys: tuple[str, ...]
    options: tuple[Option, ...]
    members: tuple[tuple[str, str, str], ...] = ()
    counters: Mapping[str, str] = field(default_factory=dict)
    is_writable: bool = False
    parameters: tuple[tuple[str, str, str, str], ...] = ()
    characteristics: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)

    def option(self, name: str) -> Option:
        """The option of that name, which it has."""
        return next(one for one in self.options if one.name == name)


def table(kind: str) -> dict[str, Entry]:
    """The rows of a table by their names, those that were registered last; installed packages' are loaded.

    Args:
        kind: One of ``kinds``, ``schedulers``, ``wrappers``, ``layouts``, ``seek_models``,
            ``power_policies``, ``volumes``, ``replacements``, ``workloads``, ``replays`` and ``formats``.
    """
    installed.load_all(kind)
    return rows(kind)


def rows(kind: str) -> dict[str, Entry]:
    """The rows of a table as they are: without those of installed packages that nobody has named yet."""
    return {row["name"]: _entry(row) for row in _native.tables()[kind]}


def entry(kind: str, name: str) -> Entry:
    """The row of a table that a name or an alias means, without regard to case and punctuation.

    Raises:
        ParameterError: There is none; the message has the nearest name.
    """
    found = _native.row_name(kind, name)
    return rows(kind)[found]


def _entry(row: Mapping[str, Any]) -> Entry:
    return Entry(**{**_frozen(row), "options": tuple(Option(**_frozen(one)) for one in row["options"])})


def _frozen(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(cell) if isinstance(cell, list) else cell for name, cell in row.items()}
