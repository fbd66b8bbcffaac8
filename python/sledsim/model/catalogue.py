"""Lists of available devices, policies, workloads and options, with their descriptions."""

from .. import _native
from . import installed
from .core_tables import entry, rows, table


def devices(kind: str | None = None) -> dict[str, str]:
    """List the built-in devices and the devices of installed packages; `device` accepts each name.

    Args:
        kind: Kind of the devices to list, one of `device_kinds`; None lists all.
    """
    return {name: text for name, its_kind, text in device_rows() if kind in (None, its_kind)}


def device_rows() -> list[tuple[str, str, str]]:
    """Return the name, kind and description of each device."""
    installed.load_all("kinds")
    return _native.devices()


def column_sets() -> dict[str, str]:
    """List the sets of columns that the option ``columns`` of `simulate` accepts, each with its contents."""
    return dict(_native.column_sets())


def device_kinds() -> list[str]:
    """List the kinds of devices, such as sleds of medium under tips (``mems``) and disk drives (``disk``)."""
    return list(table("kinds"))


def schedulers() -> dict[str, str]:
    """List the policies that choose the next request, for `simulate`."""
    return _summaries("schedulers")


def scheduler_wrappers() -> dict[str, str]:
    """List the wrappers, which change another policy: ``sptf+deadline:after_ms=50``."""
    return _summaries("wrappers")


def scheduler_options(name: str) -> dict[str, tuple[str, str]]:
    """List the options of a policy or wrapper, each with its default and meaning.

    Options follow the name of the policy: ``asptf:weight=5``, ``zsptf:zone=120x1200,parity=joined``.

    Raises:
        ParameterError: The policy does not exist.
    """
    kind = "wrappers" if name in rows("wrappers") else "schedulers"
    return {one.name: (one.default, one.meaning) for one in entry(kind, name).options}


def power_policies() -> dict[str, str]:
    """List the policies that shut a device down, for its parameter ``power_policy``."""
    return _summaries("power_policies")


def workloads() -> dict[str, str]:
    """List the generators of workloads, for `workload` and the command line."""
    return _summaries("workloads")


def workload_options(name: str) -> dict[str, tuple[str, str, str]]:
    """List the options of a generator, each with its default, unit and meaning.

    An option with an empty default is required.

    Raises:
        ParameterError: The generator does not exist.
    """
    return {one.name: (one.default, one.unit, one.meaning) for one in entry("workloads", name).options}


def replays() -> dict[str, str]:
    """List the replay modes, which decide when the requests of a trace arrive, for `simulate`."""
    return _summaries("replays")


def replay_options(name: str) -> dict[str, tuple[str, str]]:
    """List the options of a replay mode, each with its default and meaning: ``closed:outstanding=16``.

    Raises:
        ParameterError: The replay mode does not exist.
    """
    return {one.name: (one.default, one.meaning) for one in entry("replays", name).options}


def past_end_rules() -> dict[str, str]:
    """List the rules of `simulate` for requests past the end of the device."""
    return dict(_native.past_end_rules())


def _summaries(kind: str) -> dict[str, str]:
    return {name: row.summary for name, row in table(kind).items()}
