"""Random workloads, drawn by the generators that `sledsim.workloads` lists."""

from collections.abc import Callable, Mapping
from typing import Any

from .. import _native
from .._native import normal_name
from ..common.memory import check_requests, most_requests
from ..model.catalogue import workload_options, workloads
from ..model.volumes import Target, TargetOrName, target_of
from .streams import TraceStream, stream_of
from .trace import ABOUT, Trace


def workload(name: str, device: TargetOrName, **options: str | float) -> Trace:
    """Draw the random requests of a workload that fit a device.

    Equal names, options and devices give equal requests on every platform. If the generator models a
    published workload, the trace's `notes` report how closely.

    Args:
        name: Name of a generator from `workloads`, with options after a colon as on the command line:
            ``zipf:theta=0.8``.
        device: Device or volume whose capacity limits the addresses.
        options: Further options from `workload_options`: ``workload("zipf", device, rate=1000)``.

    Raises:
        ParameterError: A name is unknown, an option is given twice, or a value is invalid.
    """
    return draw(_with_options(name, options), target_of(device))


def open_workload(name: str, device: TargetOrName, **options: str | float) -> TraceStream:
    """Draw the random requests of a workload in batches, so that their number is not limited by memory.

    Requests are drawn when they are needed. The generators ``fitted``, ``metadata``, ``rmw`` and ``raid5``
    draw all requests at once, to sort them or to report on all of them.

    Raises:
        ParameterError: An argument is invalid, as for `workload`.
    """
    return open_drawn(_with_options(name, options), target_of(device))


def _with_options(name: str, options: Mapping[str, str | float]) -> str:
    given = ",".join(f"{option}={value}" for option, value in options.items())
    joined = "," if ":" in name else ":"
    return f"{name}{joined}{given}" if given else name


def open_drawn(text: str, device: Target) -> TraceStream:
    """Open a stream of requests as `open_workload` does; `text` is, for example, ``zipf:theta=0.8``."""
    reader = _native.WorkloadReader.open(device._native, text)
    if reader is None:
        return stream_of(draw(text, device))
    about: dict[str, Any] = {
        **dict.fromkeys(ABOUT),
        "skipped": {},
        "device_names": {},
        "notes": (),
        "evidence": (),
        "format": "",
    }
    batches = (Trace._of_core(columns, source=reader.name()) for columns in iter(reader.next, None))
    return TraceStream(reader.name(), batches, lambda: {**about, "seed": reader.seed()})


def draw(text: str, device: Target, progress: Callable[[int], object] | None = None) -> Trace:
    """Draw the workload `text`, such as ``zipf:theta=0.8``; report the number of requests to `progress`."""
    most = most_requests()

    def report(done: int) -> None:
        check_requests(done, text, most)
        if progress:
            progress(done)

    columns, source, seed, notes = _native.workload(device._native, text, report)
    check_requests(len(columns["lbn"]), text, most)
    return Trace.from_columns(columns, source=source, seed=seed, notes=tuple(notes))


def given_options(text: str) -> dict[str, str]:
    """Return the options in the text of a workload, such as ``rate`` in ``random:rate=5``, with their values.

    Raises:
        ParameterError: The generator or an option is unknown, or an option occurs twice or without a value.
    """
    _native.check_workload(text)
    name, _, options = text.partition(":")
    known = {normal_name(option): option for option in workload_options(name)}
    pairs = [item.partition("=") for item in options.split(",") if item.strip()]
    return {known[normal_name(option)]: value.strip() for option, _, value in pairs}


def is_generated(text: str) -> bool:
    """Return True if a text is the name of a workload generator and a colon, with or without options."""
    name, colon, _ = text.partition(":")
    return bool(colon) and find(name) is not None


def find(name: str) -> str | None:
    """Return the exact name of the workload generator `name`, spelled in any way; None if unknown."""
    return next((known for known in workloads() if normal_name(known) == normal_name(name)), None)
