"""What there is to choose from: the core's tables as dictionaries of name and one-line description."""

from . import _native


def devices() -> dict[str, str]:
    """The built-in devices; any of the names goes into `device`."""
    return dict(_native.devices())


def schedulers() -> dict[str, str]:
    """The policies that choose the next request, for `simulate`."""
    return dict(_native.schedulers())


def formats() -> dict[str, str]:
    """The trace formats that `read_trace` knows."""
    return dict(_native.formats())


def past_end_rules() -> dict[str, str]:
    """What `simulate` may do with a request past the end of the device."""
    return dict(_native.past_end_rules())
