"""``sledsim study bounds``: compare policies with the least possible positioning time of queued requests."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..._native import ParameterError
from .. import command_options as options
from ..output import print_json, print_note, print_result
from ..shared import COUNT, SEED
from ..terminal import progress
from ..trace_names import SECTOR_BYTES

if TYPE_CHECKING:
    from ...model.devices import Device
    from ...traces.trace import Trace

OutOption = Annotated[
    Path | None,
    options.of_output(help="Write the bounds, and all data needed to check them, to this JSON file."),
]
VerifyOption = Annotated[
    bool,
    typer.Option("--verify", help="Check the totals and the lower bound by a second, independent method."),
]


@dataclass(frozen=True)
class Batch:
    """Group of options: the requests to put in order, and the seed of the search for their best order."""

    count: Annotated[int, COUNT(" in the batch, N", "-n")] = 1000
    start_at: Annotated[
        int,
        typer.Option("--start-at", help="First of the N requests: its number in the trace, from 0."),
    ] = 0
    seed: Annotated[int, SEED(" of the search for a good order")] = 1

    def of(self, trace: "Trace") -> "Trace":
        """Return `count` consecutive requests of a trace, beginning with request `start_at`.

        Raises:
            ParameterError: ``--count`` is below 1, or the trace has no request with the number
                ``--start-at``.
        """
        if self.count < 1:
            raise ParameterError(f"--count {self.count}: expected at least 1 request")
        if len(trace) and not 0 <= self.start_at < len(trace):
            raise ParameterError(
                f"--start-at {self.start_at}: expected the number of a request of {trace.source}, from 0 to"
                f" {len(trace) - 1}"
            )
        return trace.rows(slice(self.start_at, self.start_at + self.count))


def bounds(
    *,
    trace: options.TraceArgument,
    batch: Batch,
    device_name: options.DeviceOption = "osdi00",
    schedulers: options.SchedulersOption = "fcfs,sptf",
    settings: options.SetOption = None,
    how: options.Fitting,
    out: OutOption = None,
    verify: VerifyOption = False,
    as_json: options.JsonOption = False,
) -> None:
    """Compare policies with the best possible order of N requests that are all queued at the start.

    Prints the total positioning time of each policy, and a lower bound that no order of the requests beats.
    """
    from ...common.output_files import check_writable
    from ...model.typed import device
    from ...runs.bounds import schedule_bounds
    from ...runs.bounds.search import WHOLE
    from ..replaying import fitting_device
    from ..workloads import load_trace

    model = device(device_name, **options.parse_settings(settings))
    names = options.parse_schedulers("--schedulers", schedulers)
    if out is not None:
        if out.suffix != ".json":
            raise ParameterError(f"--out {out}: expected a name that ends in .json")
        check_writable(out)
    workload = load_trace(trace, model, how).transfers()
    model, rule = fitting_device(workload, model, how)
    model, workload = _moved(workload, model, rule)
    with progress("Bounding", WHOLE) as report:
        found = schedule_bounds(model, batch.of(workload), names, seed=batch.seed, progress=report)
    if verify:
        with progress("Verifying", None):
            found.verify()
    if out is not None:
        found.write(out)
    if as_json:
        print_json({"device": model.name, "trace": found.trace, "verified": verify, **found.summary()})
    else:
        print_result(found)
    if verify:
        print_note("verified: the totals are correct, and no order takes less than the bound")
    if out is not None:
        print_note(f"bounds written to {out}")


def _moved(trace: "Trace", model: "Device", rule: str) -> "tuple[Device, Trace]":
    """Return the device and the trace after one of them was changed, by the rule, so that the trace fits."""
    from ...runs.trace_fit import capacity_bytes, reach_bytes, sleds_for
    from ...traces.tools import remap_trace

    if reach_bytes(trace) <= capacity_bytes(model):
        return model, trace
    if rule == "sleds":
        return model.with_parameters(sleds=sleds_for(model, trace)), trace
    moved = remap_trace(trace, rule, capacity_bytes(model) // SECTOR_BYTES)
    print_note(*moved.notes)
    return model, moved
