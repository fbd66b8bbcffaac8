"""Requests that replace the traces TPC-C and Cello, on which papers 001 and 002 compare schedulers.

Each traced disk has its own device, as in the papers. Addresses past the end of the device are taken modulo
its capacity, so neighbouring blocks stay neighbours. A scale factor replays a trace faster. A load is given
as the utilization that the busiest disk would have under first come, first served.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sledsim import Device, Trace, bundled_trace
from sledsim.files import PathLike
from sledsim.listings import bundled_traces
from sledsim.results import Curves
from sledsim.traces.tools import remap_trace

from .hp_disks import CELLO, TPCC, read_disks, read_tpcc
from .perturbations import device, response_curves, simulate, trace_curves, volume, workload
from .policy_curves import POLICIES, rounded

#: Names of the papers' traces.
LIKE_TPCC, LIKE_CELLO = "TPC-C", "Cello"
#: High loads, and all tried loads, as utilizations under first come, first served; a load above 1 saturates
#: it.
HIGH = (1.0, 1.1, 1.2)
PARTS = (0.1, 0.3, 0.6, 0.9, *HIGH)
#: Number of blocks of the database on each of two disks (1 GB in all, as in 001 and 002), and number of
#: blocks of one of its pages.
_DATABASE_BLOCKS, _PAGE_BLOCKS = 2**20, 16
_COUNT, _REPLICATIONS = (20_000, 40_000), (5, 8)


@dataclass(frozen=True, eq=False)
class Input:
    """Requests that replace a trace of the papers, with the mean response under every policy.

    Attributes:
        name: Name by which findings refer to the requests.
        like: Trace that the requests replace: `LIKE_TPCC` or `LIKE_CELLO`.
        is_drawn: True if the requests are drawn at random, False if they come from traces.
        loads: Rates or scale factors by load of `PARTS`: arrival rates in requests/s for drawn requests,
            scale factors for traces.
        curves: Mean response of each policy at the rates or scale factors in `loads`.
    """

    name: str
    like: str
    is_drawn: bool
    loads: Mapping[float, float]
    curves: Curves


def inputs(model: str, quick: bool, traces: PathLike | None = None) -> list[Input]:
    """Build all inputs that replace TPC-C or Cello: random requests, bundled captures, and real traces.

    Args:
        model: Name of the device.
        quick: True to draw fewer requests.
        traces: Folder of the real traces; None for a run without real traces.

    Raises:
        ParameterError: The folder does not have the trace cello of HP.
        TraceError: A file is not a trace of the expected format.
    """
    captures = [bundled_trace(name).transfers() for name in bundled_traces()]
    found = [
        _drawn("a drawn database", LIKE_TPCC, model, quick, database),
        _drawn("the Random workload", LIKE_CELLO, model, quick, _random),
        _traced(f"{len(captures)} own captures", LIKE_CELLO, model, captures),
    ]
    if traces is None:
        return found
    disks = [disk.trace for disk in read_disks(traces, [CELLO])]
    pages = read_tpcc(traces)
    return [
        *found,
        *([_traced(f"the {TPCC}", LIKE_TPCC, model, pages)] if pages else []),
        _traced(CELLO, LIKE_CELLO, model, disks),
    ]


def _random(model: Device, rate_per_s: float, count: int, seed: int) -> Trace:
    return workload("random", model, rate=rate_per_s, count=count, seed=seed)


def database(model: Device, rate_per_s: float, count: int, seed: int) -> Trace:
    """Draw requests of 8 KiB at random places in the first 512 MiB of a device, like a database."""
    size: dict[str, str | float] = {"sizes": "fixed", "size_bytes": 512 * _PAGE_BLOCKS}
    pages = workload("random", model, rate=rate_per_s, count=count, seed=seed, **size)
    lbn = pages.lbn * _DATABASE_BLOCKS // int(model.characteristics()["blocks"])
    return replace(pages, lbn=lbn // _PAGE_BLOCKS * _PAGE_BLOCKS)


def _drawn(
    name: str, like: str, model: str, quick: bool, draw: Callable[[Device, float, int, int], Trace]
) -> Input:
    one, count = device(model), _COUNT[not quick]
    loads = _loads(_busy(one, draw(one, 1.0, count, 1)))

    def requests(target: Device, rate_per_s: float, seed: int) -> Trace:
        return draw(target, rate_per_s, count, seed)

    requests.__name__ = name
    rates = list(loads.values())
    curves = response_curves(one, list(POLICIES), rates, draw=requests, replications=_REPLICATIONS[not quick])
    return Input(name, like, True, loads, curves)


def _traced(name: str, like: str, model: str, disks: Sequence[Trace]) -> Input:
    one = device(model)
    capacity = int(one.characteristics()["blocks"])
    wrapped = [remap_trace(disk, "wrap", capacity) for disk in disks]
    loads = _loads(max(_busy(one, disk) for disk in wrapped))
    together = _side_by_side(name, wrapped, capacity)
    system = volume("sleds", devices=len(disks), device=model)
    curves = trace_curves(system, together, list(POLICIES), list(loads.values()))
    return Input(name, like, False, loads, curves)


def _side_by_side(name: str, disks: Sequence[Trace], capacity: int) -> Trace:
    """Merge the traces of several disks into one: each disk gets the next `capacity` blocks of addresses."""
    arrival_ns, blocks, op = (
        np.concatenate([getattr(disk, column) for disk in disks]) for column in ("arrival_ns", "blocks", "op")
    )
    lbn = np.concatenate([disk.lbn + at * capacity for at, disk in enumerate(disks)])
    order = np.argsort(arrival_ns, kind="stable")
    since_first_ns = arrival_ns[order] - arrival_ns.min()
    return Trace(since_first_ns, lbn[order], blocks[order], op[order], source=name)


def _busy(model: Device, disk: Trace) -> float:
    """Utilization of a device that serves a trace at the original rate, first come, first served."""
    span_s = float(disk.arrival_ns[-1] - disk.arrival_ns[0]) * 1e-9
    return simulate(model, disk, "fcfs").summary()["mean_service_s"] * len(disk) / span_s


def _loads(busy: float) -> dict[float, float]:
    """Rounded scale factor for each load of `PARTS`; `busy` is the utilization at scale factor 1."""
    return {part: rounded(part / busy) for part in PARTS}
