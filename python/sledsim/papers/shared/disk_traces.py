"""Inputs in place of the TPC-C and Cello traces, on which 001 and 002 compare schedulers.

Each traced disk has its own device, as in the papers. Addresses past the end of the device wrap modulo its
capacity, which keeps neighbours together. A scale factor makes traces faster. A load is named by the
utilization of the busiest disk under first come, first served.
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
#: High loads, relative to the capacity of first come, first served; and all loads that are tried.
HIGH = (1.0, 1.1, 1.2)
PARTS = (0.1, 0.3, 0.6, 0.9, *HIGH)
#: Blocks on each disk of the database of 001 and 002 (1 GB striped over two disks); blocks of a server page.
_DATABASE_BLOCKS, _PAGE_BLOCKS = 2**20, 16
_COUNT, _REPLICATIONS = (20_000, 40_000), (5, 8)


@dataclass(frozen=True, eq=False)
class Input:
    """An input in place of one of the papers' traces, with curves of every policy.

    Attributes:
        name: Name of the input in findings.
        like: Trace that the input replaces: `LIKE_TPCC` or `LIKE_CELLO`.
        is_drawn: True if the requests are drawn, False if they come from traces.
        loads: Arrival rates or scale factors by the loads of `PARTS`.
        curves: Mean responses over these loads.
    """

    name: str
    like: str
    is_drawn: bool
    loads: Mapping[float, float]
    curves: Curves


def inputs(model: str, quick: bool, traces: PathLike | None = None) -> list[Input]:
    """Make the inputs: drawn requests, our captures, and the real traces if given.

    Args:
        model: Name of the device.
        quick: True to draw fewer requests.
        traces: Folder of the real traces.

    Raises:
        ParameterError: HP's traces are missing.
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
    """Draw pages of a small database: the Random workload within half a gigabyte of the device."""
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
    """Merge the requests of all disks, each at the addresses of its own device."""
    arrival_ns, blocks, op = (
        np.concatenate([getattr(disk, column) for disk in disks]) for column in ("arrival_ns", "blocks", "op")
    )
    lbn = np.concatenate([disk.lbn + at * capacity for at, disk in enumerate(disks)])
    order = np.argsort(arrival_ns, kind="stable")
    since_first_ns = arrival_ns[order] - arrival_ns.min()
    return Trace(since_first_ns, lbn[order], blocks[order], op[order], source=name)


def _busy(model: Device, disk: Trace) -> float:
    """The utilization under first come, first served at the trace's own speed."""
    span_s = float(disk.arrival_ns[-1] - disk.arrival_ns[0]) * 1e-9
    return simulate(model, disk, "fcfs").summary()["mean_service_s"] * len(disk) / span_s


def _loads(busy: float) -> dict[float, float]:
    """Scale factors of the arrival times for each load of `PARTS`, rounded."""
    return {part: rounded(part / busy) for part in PARTS}
