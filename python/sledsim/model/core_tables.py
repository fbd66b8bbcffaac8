"""Tables of the core: every pluggable choice, with the options of each row."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from .. import _native
from . import installed


class OptionRow(TypedDict):
    """An option from the core, with the fields of `Option`."""

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
    """A row of a table from the core, with the fields of `Entry`."""

    members: list[tuple[str, str, str]]
    counters: dict[str, str]
    is_writable: bool
    parameters: list[tuple[str, str, str, str]]
    characteristics: dict[str, str]
    choices: dict[str, dict[str, str]]


@dataclass(frozen=True)
class Option:
    """An option of a policy, a volume or a workload.

    Attributes:
        name: Name of the option, as in ``asptf:weight=5``.
        kind: Kind of the value: ``number``, ``whole number``, ``choice``, ``size`` (``120x1200``) or
            ``text``.
        unit: Unit of the value; empty without a unit.
        default: Default of the value; empty if the option is required.
        choices: Allowed names of a choice.
        range: Allowed values, in words: ``a number from 0 to 1e9``.
        meaning: Effect of the option.
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
    """A row of a table of choices, such as one policy or one kind of volume.

    Attributes:
        name: Name for users.
        aliases: Other names of the same row.
        summary: Description in one line.
        source: Papers and equations, or works, on which the row is based; empty without a source.
        disksim: DiskSim's number and name of the same choice; empty if DiskSim has no equivalent.
        keys: Keys of a device file that the row uses.
        options: Options of the row.
        members: Role, default and meaning of each member of a volume.
        counters: Counters of a volume in a run, with their meanings.
        is_writable: True if traces can be written in this trace format.
        parameters: Name, unit, range and meaning of each key in the files of a kind of devices.
        characteristics: Derived quantities of a kind of devices, with their meanings.
        choices: Keys of a kind of devices with a fixed set of names, and the meaning of each name.
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
        """Name and aliases of the row."""
        return (self.name, *self.aliases)

    def option(self, name: str) -> Option:
        """The option with this name, which must exist."""
        return next(one for one in self.options if one.name == name)


def table(kind: str) -> dict[str, Entry]:
    """Rows of a table by name, registered rows last; installed packages are loaded.

    Args:
        kind: Name of the table: ``kinds``, ``schedulers``, ``wrappers``, ``layouts``, ``seek_models``,
            ``power_policies``, ``volumes``, ``replacements``, ``workloads``, ``replays`` or ``formats``.
    """
    installed.load_all(kind)
    return rows(kind)


def rows(kind: str) -> dict[str, Entry]:
    """Rows of a table that are loaded so far; installed packages are loaded when named."""
    return {row["name"]: _entry(row) for row in _native.tables()[kind]}


def entry(kind: str, name: str) -> Entry:
    """Row of a table by name or alias, without regard to case and punctuation.

    Raises:
        ParameterError: The row does not exist; the message has the nearest name.
    """
    found = _native.row_name(kind, name)
    return rows(kind)[found]


def _entry(row: Mapping[str, Any]) -> Entry:
    return Entry(**{**_frozen(row), "options": tuple(Option(**_frozen(one)) for one in row["options"])})


def _frozen(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(cell) if isinstance(cell, list) else cell for name, cell in row.items()}
