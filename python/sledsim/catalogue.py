"""What there is to choose from: the core's tables as dictionaries of name and one-line description."""

from . import _native


def devices(kind: str | None = None) -> dict[str, str]:
    """The built-in devices; any of the names goes into `device`.

    Args:
        kind: Only those of this kind, one of `device_kinds`.
    """
    return {name: text for name, its_kind, text in _native.devices() if kind in (None, its_kind)}


def device_kinds() -> list[str]:
    """The kinds of devices: sleds of medium under tips (``mems``) and disk drives (``disk``)."""
    return _native.kinds()


def schedulers() -> dict[str, str]:
    """The policies that choose the next request, for `simulate`."""
    return dict(_native.schedulers())


def scheduler_wrappers() -> dict[str, str]:
    """What may stand around any policy: ``sptf+deadline:after_ms=50``."""
    return dict(_native.scheduler_wrappers())


def scheduler_options(name: str) -> dict[str, tuple[str, str]]:
    """The options of a policy or wrapper, each with its default and what it means.

    They are given in the name: ``asptf:weight=5``, ``zsptf:zone=120x1200,parity=joined``.

    Raises:
        ParameterError: There is no such policy.
    """
    return {option: (default, text) for option, default, text in _native.scheduler_options(name)}


def power_policies() -> dict[str, str]:
    """The policies that shut a device down, for its parameter ``power_policy``."""
    return dict(_native.power_policies())


def workloads() -> dict[str, str]:
    """The generators of workloads, for `workload` and for the command line."""
    return dict(_native.workloads())


def workload_options(name: str) -> dict[str, tuple[str, str, str]]:
    """The options of a generator, each with its default, its unit and what it means.

    An option whose default is empty has to be given.

    Raises:
        ParameterError: There is no such generator.
    """
    return {option: (default, unit, text) for option, unit, default, text in _native.workload_options(name)}


def formats() -> dict[str, str]:
    """The trace formats that `read_trace` knows."""
    from . import parquet_traces

    known = {name: text for name, text, _ in _native.formats()}
    return {**known, parquet_traces.NAME: parquet_traces.DESCRIPTION}


def writable_formats() -> dict[str, str]:
    """The trace formats that `write_trace` knows."""
    can_be_read_only = {name for name, _, is_writable in _native.formats() if not is_writable}
    return {name: text for name, text in formats().items() if name not in can_be_read_only}


def replays() -> dict[str, str]:
    """What may decide when the requests of a trace come, for `simulate`."""
    return dict(_native.replays())


def replay_options(name: str) -> dict[str, tuple[str, str]]:
    """The options of a replay, each with its default and what it means: ``closed:outstanding=16``.

    Raises:
        ParameterError: There is no such replay.
    """
    return {option: (default, text) for option, default, text in _native.replay_options(name)}


def past_end_rules() -> dict[str, str]:
    """What `simulate` may do with a request past the end of the device."""
    return dict(_native.past_end_rules())
