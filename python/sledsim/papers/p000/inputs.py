"""Requests for experiments on paper 000: drawn streams and hours like its traces, and real traces."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sledsim import Device, Trace
from sledsim.files import PathLike
from sledsim.results import Curves

from ..shared import device, noted, response_curves, simulate, trace_curves
from ..shared.hp_disks import Disk, read_disks
from ..shared.policy_curves import rounded
from .hours import REQUESTS, drawn_hours, hour_curves
from .sequential_streams import bursty_stream, stream

#: Share of sequential requests that paper 000 prints for each of its traces; then the number of sleds of the
#: device for each trace.
SEQUENTIALITY = {"server": 0.005, "user": 0.829}
SLEDS = {"server": 3, "user": 2}
#: Mean arrival rate of each trace at its own speed, in requests/s.
OWN_RATE = {"server": 33.0, "user": 20.9}
#: Reason given in claims: without the unpublished traces, the percentages of the paper cannot be reproduced.
REASON = "The traces of 1999 are not published: other inputs can show a direction, not the percentages."
#: Names of the loads to which statements of the paper apply: moderate loads only, or moderate and heavy
#: loads.
MODERATE, BUSY = ("moderate",), ("moderate", "heavy")
#: Arrival rates in requests/s that stand for the paper's light, moderate and heavy loads, for a quick and for
#: a full run. FCFS can serve 1,350/s of the stream like ``server`` and 2,050/s of that like ``user``; at
#: heavy loads, policies that reorder requests are saturated, too, or almost.
_RATES: dict[str, dict[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {
    "server": {
        "light": ((800,), (400, 800)),
        "moderate": ((1600,), (1200, 1400, 1600)),
        "heavy": ((1800,), (1700, 1800, 1900)),
    },
    "user": {
        "light": ((1000,), (400, 1000)),
        "moderate": ((1800,), (1600, 1700, 1800)),
        "heavy": ((2000,), (1900, 2000, 2050)),
    },
}
#: Moderate and heavy loads of drawn hours, given as utilizations under FCFS (000-loads). The light load is
#: the original rate of the trace. A quick run uses only the last of the moderate loads.
_HOUR_PART = {"moderate": (0.25, 0.5), "heavy": (1.5, 2.0)}
#: Loads of real traces, which are replayed whole, as utilizations under first come, first served.
_BUSY_PART = {"light": (0.001,), "moderate": (0.03, 0.1), "heavy": (0.3,)}
_COUNT, _REPLICATIONS = (30_000, 60_000), (3, 8)
#: Number of drawn hours in a quick run and in a full run.
_HOURS = (5, 8)


#: Function that takes a sequentiality and a number of requests, and returns a function that draws them.
Draw = Callable[[float, int], Callable[[Device, float, int], Trace]]


@dataclass(frozen=True, eq=False)
class Input:
    """Requests that replace a trace of the paper, with the loads at which they are run.

    Attributes:
        name: Name of the requests in findings.
        like: Trace of the paper that the requests resemble: ``server`` or ``user``.
        device: Device that receives the requests, with enough sleds for their addresses.
        loads: Arrival rates in requests/s, or scale factors of the original rate, for each of ``light``,
            ``moderate`` and ``heavy``.
        measure: Function that runs policies at loads and returns the curves.
        is_bursty: True if requests arrive in bursts. Loads are then scale factors, else arrival rates.
        is_trace: True for a real trace. It is run once, so that only its means have intervals.
    """

    name: str
    like: str
    device: Device
    loads: Mapping[str, Sequence[float]]
    measure: Callable[[Sequence[str], Sequence[float]], Curves]
    is_bursty: bool = False
    is_trace: bool = False

    @property
    def is_matched(self) -> bool:
        """True if the requests have all statistics that the paper prints of the trace that they replace."""
        return self.is_bursty and not self.is_trace

    def curves(self, schedulers: Sequence[str], *bands: str) -> Curves:
        """Run policies at loads named ``light``, ``moderate`` or ``heavy`` in `bands`, or at all loads."""
        return self.measure(schedulers, [load for band in bands or self.loads for load in self.loads[band]])


def inputs(quick: bool, traces: PathLike | None = None) -> list[Input]:
    """Build all inputs: drawn streams and hours for both traces of the paper, and disks of real traces.

    Raises:
        ParameterError: The folder `traces` lacks a trace.
        TraceError: A file is not a trace of the expected format.
    """
    disks = [] if traces is None else read_disks(traces)
    drawn = [draw(like, quick) for draw in (synthetic, hour) for like in SEQUENTIALITY]
    return drawn + [_real(disk) for disk in disks]


def stream_curves(
    draw: Draw, like: str, schedulers: Sequence[str], rates: Sequence[float], *, count: int, replications: int
) -> Curves:
    """Run policies at several arrival rates of a stream that resembles the trace `like`, in one thread.

    The runs use one thread, because threads that run Python code only take turns.
    """
    workload = draw(SEQUENTIALITY[like], count)
    model = zoned_device(SLEDS[like])
    how = {"replications": replications, "workers": 1}
    return response_curves(model, schedulers, rates, draw=workload, **how)


def load_columns(draw: Draw, like: str, rate_per_s: float) -> dict[str, Any]:
    """Return table columns that identify a stream and its load: trace, rate, and scale of bursty streams."""
    is_bursty = draw is bursty_stream
    return {
        "input": f"{'bursty ' if is_bursty else ''}{like}-like",
        "rate_per_s": rate_per_s,
        "scale": rate_per_s / OWN_RATE[like] if is_bursty else None,
    }


def zoned_device(sleds: int) -> Device:
    """Return the device of 000 section 7.2, all of whose zones have the same size, with `sleds` sleds."""
    return device("mascots03-zones").with_parameters(sleds=sleds)


def synthetic(
    like: str, quick: bool, count: int | None = None, replications: int | None = None, seed: int = 1
) -> Input:
    """Build the stream with Poisson arrivals that replaces a trace of the paper.

    Args:
        like: Trace of the paper: ``server`` or ``user``.
        quick: True for the rates, requests and replications of a quick run.
        count: Number of requests per replication; None for the number of a quick or full run.
        replications: Number of replications; None for the number of a quick or full run.
        seed: Seed of the first replication.
    """
    model = zoned_device(SLEDS[like])
    draw = stream(SEQUENTIALITY[like], count or _COUNT[not quick])
    runs = replications or _REPLICATIONS[not quick]

    measure = partial(response_curves, model, draw=draw, replications=runs, seed=seed)
    loads = {band: choices[not quick] for band, choices in _RATES[like].items()}
    return Input(f"the {like}-like stream ({draw.__name__})", like, model, loads, measure)


def hour(like: str, quick: bool, seed: int = 1) -> Input:
    """Build an input of bursty hours that replaces a trace, with all statistics that the paper prints of it.

    The paper prints only the rate of the arrivals of the server trace. They are assumed to be the arrivals of
    the user trace, sped up to this rate (000-bursts).

    Args:
        like: Trace of the paper: ``server`` or ``user``.
        quick: True for the hours and loads of a quick run.
        seed: Seed of the first hour.
    """
    model, own = zoned_device(SLEDS[like]), OWN_RATE[like]
    seeds = range(seed, seed + _HOURS[not quick])
    draws = drawn_hours(bursty_stream(SEQUENTIALITY[like], REQUESTS[like]), model, own, seeds)
    loads = {"light": [1.0]}
    busy = _busy_part(model, draws[0])
    for band, parts in _HOUR_PART.items():
        chosen = parts[-1:] if quick and band == "moderate" else parts
        loads[band] = [rounded(part / busy) for part in chosen]
    name = f"the bursty {like}-like hour ({100 * SEQUENTIALITY[like]:g} % sequential)"
    measure = partial(hour_curves, model, draws, name=name, seed=seed)
    return Input(name, like, model, loads, measure, is_bursty=True)


def _real(disk: Disk) -> Input:
    """Build an input from a disk of a real trace; it resembles ``user`` if over half of it is sequential."""
    one = zoned_device(1)
    sleds = -(-int((disk.trace.lbn + disk.trace.blocks).max()) // int(one.characteristics()["blocks"]))
    model = zoned_device(sleds)
    busy = _busy_part(model, disk.trace)
    loads = {band: [rounded(part / busy) for part in parts] for band, parts in _BUSY_PART.items()}

    like = "user" if disk.sequentiality > 0.5 else "server"
    name = f"{disk.name} ({100 * disk.sequentiality:.1f} % sequential)"
    return Input(
        name, like, model, loads, partial(trace_curves, model, disk.trace), is_bursty=True, is_trace=True
    )


def _busy_part(model: Device, trace: Trace) -> float:
    """Return the utilization of a device that serves a trace at its own speed, first come, first served."""
    return float(simulate(model, trace, "fcfs").summary()["utilization"])


def notes(used: Sequence[Input]) -> list[str]:
    """Return the notes for the reader on the inputs `used` and their loads."""
    real = [one.name for one in used if one.is_trace]
    more = noted("000-real", real="; ".join(real)) if real else noted("000-drawn")
    loads = "; ".join(f"{one.name}: {_loads(one)}" for one in used if not one.is_trace)
    return [*noted("000", loads=loads), *more]


def _loads(one: Input) -> str:
    """Return the loads of an input as text: arrival rates, or scale factors of an hour or a real trace."""
    write = "x{:,g}" if one.is_bursty else "{:,g}/s"
    return ", ".join(
        f"{band} {' and '.join(write.format(load) for load in loads)}" for band, loads in one.loads.items()
    )
