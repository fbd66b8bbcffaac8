"""The TRACE argument: a file, a random workload, or the bundled trace."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _native
from ..models import Device
from ..models import device as find_device
from ..trace_files import STANDARD_INPUT, TraceStream, demo_trace, open_trace, read_trace, stream_of
from ..trace_tools import select_devices
from ..traces import Trace, random_workload
from .output import print_note
from .progress import progress

_RANDOM = "random:"
_RANDOM_KEYS = "rate (requests a second, required), count (default 100000), seed (default 1)"


@dataclass(frozen=True)
class Reading:
    """How a trace file is to be read: what the options of a command say."""

    format: str | None = None
    map: str | None = None
    skip_bad: bool = False
    traced_devices: str | None = None

    def arguments(self) -> dict[str, Any]:
        """What `read_trace` and `open_trace` are told."""
        return {"format": self.format, "map": self.map, "skip_bad": self.skip_bad}

    def given(self) -> dict[str, object]:
        """The options that are given, by name."""
        options = {"--format": self.format, "--map": self.map, "--skip-bad": self.skip_bad or None}
        options["--traced-device"] = self.traced_devices
        return {option: value for option, value in options.items() if value is not None}


def load_trace(text: str, device: Device, reading: Reading) -> Trace:
    """The workload that `text` names, for a device; what is to be known about its reading is said on stderr.

    Raises:
        ParameterError: A key of a random workload is unknown, missing, or no number.
        TraceError: The file is not such a trace.
        OSError: The file cannot be read.
    """
    trace = _drawn_or_bundled(text, lambda: device, reading)
    if trace is None:
        with progress(f"Reading {_name(text)}", _size_bytes(text)) as report:
            trace = read_trace(text, progress=report, **reading.arguments())
        for note in trace.notes:
            print_note(note)
    return select_devices(trace, reading.traced_devices)


@contextmanager
def open_source(
    text: str, reading: Reading, title: str = "Reading", device_name: str = "osdi00"
) -> Iterator[TraceStream]:
    """The workload that `text` names, to go through in batches under a progress bar.

    Raises:
        ParameterError, TraceError, OSError: As `load_trace`.
    """
    trace = _drawn_or_bundled(text, lambda: find_device(device_name), reading)
    if trace is not None:
        yield stream_of(trace)
        return
    with progress(f"{title} {_name(text)}", _size_bytes(text)) as report:
        yield open_trace(text, progress=report, **reading.arguments())


def _drawn_or_bundled(text: str, device: Callable[[], Device], reading: Reading) -> Trace | None:
    """The workload, unless it is in a file."""
    path = Path(text)
    bundled = text == "demo" and not path.exists()
    if bundled or is_random(text):
        for option in reading.given():
            if option != "--traced-device":
                raise _native.ParameterError(f"{option}: {text!r} is no file")
        return demo_trace() if bundled else _random(text, device())
    if is_meant_random(text) and not path.exists():
        raise _native.ParameterError(
            f"{text}: no such file; did you mean '{_RANDOM}rate=...'? Keys: {_RANDOM_KEYS}"
        )
    return None


def _name(text: str) -> str:
    return "standard input" if text == STANDARD_INPUT else Path(text).name


def _size_bytes(text: str) -> int | None:
    return None if text == STANDARD_INPUT else _native.trace_size_bytes(text)


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
