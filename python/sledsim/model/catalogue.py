"""What there is to choose from: the core's tables as dictionaries of name and one-line description."""

from .. import _native
from . import installed
from .core_tables import entry, rows, table


def devices(kind: str | None = None) -> dict[str, str]:
    """The built-in devices, and those of installed packages; any of the names goes into `device`.

    Args:
        kind: Only those of this kind, one of `device_kinds`.
    """
    return {name: text for name, its_kind, text in device_rows() if kind in (None, its_kind)}


def device_rows() -> list[tuple[str, str, str]]:
    """Name, kind and description of each device."""
    installed.load_all("kinds")
    return _native.devices()


def column_sets() -> dict[str, str]:
    """Sets of columns of a result, for the ``columns`` of `simulate`, and what is in each."""
    return dict(_native.column_sets())


def device_kinds() -> list[str]:
    """The kinds of devices: sleds of medium under tips (``mems``) and disk drives (``disk``)."""
    return list(table("kinds"))


def schedulers() -> dict[str, str]:
    """The policies that choose the next request, for `simulate`."""
    return _summaries("schedulers")


def scheduler_wrappers() -> dict[str, str]:
    """What may stand around any policy: ``sptf+deadline:after_ms=50``."""
    return _summaries("wrappers")


def scheduler_options(name: str) -> dict[str, tuple[str, str]]:
    """The options of a policy or wrapper, each with its default and what it means.

    They are given in the name: ``asptf:weight=5``, ``zsptf:zone=120x1200,parity=joined``.

    Raises:
        ParameterError: There is no such policy.
    """
    kind = "wrappers" if name in rows("wrappers") else "schedulers"
    return {one.name: (one.default, one.meaning) for one in entry(kind, name).options}


def power_policies() -> dict[str, str]:
    """The policies that shut a device down, for its parameter ``power_policy``."""
    return _summaries("power_policies")


def workloads() -> dict[str, str]:
    """The generators of workloads, for `workload` and for the command line."""
    return _summaries("workloads")


def workload_options(name: str) -> dict[str, tuple[str, str, str]]:
    """The options of a generator, each with its default, its unit and what it means.

    An option whose default is empty has to be given.

    Raises:
        ParameterError: There is no such generator.
    """
    return {one.name: (one.default, one.unit, one.meaning) for one in entry("workloads", name).options}


def replays() -> dict[str, str]:
    """What may decide when the requests of a trace come, for `simulate`."""
    return _summaries("replays")


def replay_options(name: str) -> dict[str, tuple[str, str]]:
    """The options of a replay, each with its default and what it means: ``closed:outstanding=16``.

    Raises:
        ParameterError: There is no such replay.
    """
    return {one.name: (one.default, one.meaning) for one in entry("replays", name).options}


def past_end_rules() -> dict[str, str]:
    """What `simulate` may do with a request past the end of the device."""
    return dict(_native.past_end_rules())


def _summaries(kind: str) -> dict[str, str]:
    return {name: row.summary for name, row in table(kind).items()}
