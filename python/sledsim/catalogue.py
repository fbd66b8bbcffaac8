"""What there is to choose from: the core's tables as dictionaries of name and one-line description."""

from . import _native


def devices() -> dict[str, str]:
    """The built-in devices; any of the names goes into `device`."""
    return dict(_native.devices())


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


def formats() -> dict[str, str]:
    """The trace formats that `read_trace` knows."""
    return dict(_native.formats())


def past_end_rules() -> dict[str, str]:
    """What `simulate` may do with a request past the end of the device."""
    return dict(_native.past_end_rules())
