"""The TRACE argument: a file, a random workload, or the bundled trace."""

from pathlib import Path

from .. import _native
from ..models import Device
from ..traces import Trace, demo_trace, random_workload, read_trace
from .progress import progress

_RANDOM = "random:"
_RANDOM_KEYS = "rate (requests a second, required), count (default 100000), seed (default 1)"


def load_trace(text: str, device: Device, format: str | None, sort: bool) -> Trace:
    """The workload that `text` names, for a device.

    Raises:
        ParameterError: A key of a random workload is unknown, missing, or no number.
        TraceError: The file is not such a trace.
        OSError: The file cannot be read.
    """
    path = Path(text)
    bundled = text == "demo" and not path.exists()
    if format is not None and (bundled or is_random(text)):
        raise _native.ParameterError(f"--format {format}: {text!r} is no file")
    if is_random(text):
        return _random(text, device)
    if bundled:
        return demo_trace()
    if is_meant_random(text) and not path.exists():
        raise _native.ParameterError(
            f"{text}: no such file; did you mean '{_RANDOM}rate=...'? Keys: {_RANDOM_KEYS}"
        )
    with progress(f"Reading {path.name}", path.stat().st_size) as report:
        return read_trace(text, format, sort, report)


def is_random(text: str) -> bool:
    """Whether a TRACE argument is a random workload."""
    return text.startswith(_RANDOM)


def is_meant_random(text: str) -> bool:
    """Whether it is one but for its colon or capitals."""
    return text.lower().partition(":")[0] == _RANDOM.removesuffix(":")


def random_keys(text: str) -> dict[str, float | int]:
    """The keys of a random workload that are given.

    Raises:
        ParameterError: A key is unknown, given twice, or no number.
    """
    kinds = {"rate": float, "count": int, "seed": int}
    values: dict[str, float | int] = {}
    for item in filter(None, text.removeprefix(_RANDOM).replace(" ", "").split(",")):
        key, _, value = item.partition("=")
        if key not in kinds or key in values:
            wrong = "is given twice" if key in values else "is unknown"
            raise _native.ParameterError(f"{text}: key {key!r} {wrong}: expected {_RANDOM_KEYS}")
        try:
            values[key] = kinds[key](value)
        except ValueError:
            expected = "a whole number" if kinds[key] is int else "a number"
            raise _native.ParameterError(f"{text}: {key}: expected {expected}, found {value!r}") from None
    return values


def _random(text: str, device: Device) -> Trace:
    values = random_keys(text)
    if "rate" not in values:
        raise _native.ParameterError(f"{text!r}: key 'rate' is missing: expected {_RANDOM_KEYS}")
    count, seed = int(values.get("count", 100_000)), int(values.get("seed", 1))
    with progress("Drawing requests", None):
        return random_workload(device, rate_per_s=values["rate"], count=count, seed=seed)
