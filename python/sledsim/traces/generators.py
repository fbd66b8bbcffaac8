"""Workloads drawn at random by the generators of `sledsim.workloads`."""

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
    """Draw the requests of a workload for a device.

    Equal names, options and devices give equal requests on every platform. The trace's `notes` report how
    closely a workload resembles the published workload that it models.

    Args:
        name: Name from `workloads`, with any options after a colon as on the command line:
            ``zipf:theta=0.8``.
        device: Device or volume that receives the requests.
        options: Further options from `workload_options`: ``workload("zipf", device, rate=1000)``.

    Raises:
        ParameterError: A name is unknown, an option is given twice, or a value is invalid.
    """
    return draw(_with_options(name, options), target_of(device))


def open_workload(name: str, device: TargetOrName, **options: str | float) -> TraceStream:
    """Draw the requests of `workload` in batches: any number of requests in little memory.

    Requests are drawn while earlier ones are processed. ``fitted``, ``metadata``, ``rmw`` and ``raid5`` are
    drawn as a whole: their requests are sorted, or their notes cover all of them.

    Raises:
        ParameterError: An argument is invalid, as for `workload`.
    """
    return open_drawn(_with_options(name, options), target_of(device))


def _with_options(name: str, options: Mapping[str, str | float]) -> str:
    given = ",".join(f"{option}={value}" for option, value in options.items())
    joined = "," if ":" in name else ":"
    return f"{name}{joined}{given}" if given else name


def open_drawn(text: str, device: Target) -> TraceStream:
    """Open a workload by name with options, as `open_workload` does."""
    reader = _native.WorkloadReader.open(device._native, text)
    if reader is None:
        return stream_of(draw(text, device))
    about: dict[str, Any] = {
        **dict.fromkeys(ABOUT),
        "skipped": {},
        "device_names": {},
        "notes": (),
        "format": "",
    }
    batches = (Trace._of_core(columns, source=reader.name()) for columns in iter(reader.next, None))
    return TraceStream(reader.name(), batches, lambda: {**about, "seed": reader.seed()})


def draw(text: str, device: Target, progress: Callable[[int], object] | None = None) -> Trace:
    """Draw a workload by name with options; `progress` receives the number of drawn requests now and then."""
    most = most_requests()

    def report(done: int) -> None:
        check_requests(done, text, most)
        if progress:
            progress(done)

    columns, source, seed, notes = _native.workload(device._native, text, report)
    check_requests(len(columns["lbn"]), text, most)
    return Trace.from_columns(columns, source=source, seed=seed, notes=tuple(notes))


def given_options(text: str) -> dict[str, str]:
    """Options after the name of a generator, by their names in the table.

    Raises:
        ParameterError: A name is unknown, or an option is given twice or without a value.
    """
    _native.check_workload(text)
    name, _, options = text.partition(":")
    known = {normal_name(option): option for option in workload_options(name)}
    pairs = [item.partition("=") for item in options.split(",") if item.strip()]
    return {known[normal_name(option)]: value.strip() for option, _, value in pairs}


def is_generated(text: str) -> bool:
    """Return True for the name of a generator, with any options after a colon."""
    name, colon, _ = text.partition(":")
    return bool(colon) and find(name) is not None


def find(name: str) -> str | None:
    """The generator with this name, in any spelling that the core accepts; None if it does not exist."""
    return next((known for known in workloads() if normal_name(known) == normal_name(name)), None)
