"""Tables of the Rust core: every policy, volume, layout, workload and so on, with its options."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from .. import _native
from . import installed


class OptionRow(TypedDict):
    """Dictionary in which the core returns an option; `Option` describes its keys."""

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
    """Dictionary in which the core returns a row of a table; `Entry` describes its keys."""

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
        unit: Unit of the value; empty if it has no unit.
        default: Default value as text; empty if the option is required.
        choices: Allowed names, if the value is a choice.
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
    """A row of one of the core's tables: a policy, a kind of volume, a layout, a workload and so on.

    Attributes:
        name: Name that users type.
        aliases: Other names that users can type.
        summary: Description in one line.
        source: Publications that describe the policy or model of the row; empty if none is known.
        disksim: Number and name by which DiskSim calls the same policy or model; empty if DiskSim does not
            have it.
        keys: Keys of a device file that the policy or model uses.
        options: Options of the policy, volume, workload or replay mode of the row.
        members: Role, default device and meaning of each member, if the row is a kind of volume.
        counters: Counters that a kind of volume keeps during a run, with their meanings.
        is_writable: True if the row is a trace format that `write_trace` can write.
        parameters: Name, unit, range and meaning of each key in the device files of a kind of devices.
        characteristics: Derived quantities of a kind of devices, with their meanings.
        choices: Keys of a kind of devices whose value is one of several words, with each meaning.
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
        """Return the option with this name, which must exist."""
        return next(one for one in self.options if one.name == name)


def table(kind: str) -> dict[str, Entry]:
    """Return the rows of a core table by name; rows of users and of installed packages come last.

    Args:
        kind: Name of the table: ``kinds``, ``schedulers``, ``wrappers``, ``layouts``, ``seek_models``,
            ``power_policies``, ``volumes``, ``replacements``, ``workloads``, ``replays`` or ``formats``.
    """
    installed.load_all(kind)
    return rows(kind)


def rows(kind: str) -> dict[str, Entry]:
    """Return the rows of a core table by name, without loading installed packages."""
    return {row["name"]: _entry(row) for row in _native.tables()[kind]}


def entry(kind: str, name: str) -> Entry:
    """Return a row of a core table by name or alias; case and punctuation do not matter.

    Raises:
        ParameterError: The row does not exist; the message has the nearest name.
    """
    found = _native.row_name(kind, name)
    return rows(kind)[found]


def _entry(row: Mapping[str, Any]) -> Entry:
    return Entry(**{**_frozen(row), "options": tuple(Option(**_frozen(one)) for one in row["options"])})


def _frozen(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(cell) if isinstance(cell, list) else cell for name, cell in row.items()}
