"""Inputs for 000's experiments on scheduling: streams as sequential as 000's traces, and real traces."""

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

#: Printed share of sequential requests of each trace, and number of sleds of the device (section 7).
SEQUENTIALITY = {"server": 0.005, "user": 0.829}
SLEDS = {"server": 3, "user": 2}
#: Requests per second at the traces' own speed.
OWN_RATE = {"server": 33.0, "user": 20.9}
#: Reason why the percentages of the paper cannot be reproduced.
REASON = "The traces of 1999 are not published: other inputs can show a direction, not the percentages."
#: Names of the loads.
MODERATE, BUSY = ("moderate",), ("moderate", "heavy")
#: Arrival rates that stand for the paper's words light, moderate and heavy, in a quick and in a full run.
#: First come, first served keeps up with 1,350/s of the server-like stream and with 2,050/s of the user-like
#: one. Light is well below these rates; heavy begins where reordering policies are saturated, or almost.
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
#: Utilization under first come, first served that sets the speed of the hours (000-loads). Light is the trace
#: at its own speed. A quick run has only the last of the moderate loads.
_HOUR_PART = {"moderate": (0.25, 0.5), "heavy": (1.5, 2.0)}
#: Utilization under first come, first served that sets the speed of real traces, which are replayed whole.
_BUSY_PART = {"light": (0.001,), "moderate": (0.03, 0.1), "heavy": (0.3,)}
_COUNT, _REPLICATIONS = (30_000, 60_000), (3, 8)
#: Number of drawn hours, quick and full.
_HOURS = (5, 8)


#: Function from a sequentiality and a number of requests to a function that draws them.
Draw = Callable[[float, int], Callable[[Device, float, int], Trace]]


@dataclass(frozen=True, eq=False)
class Input:
    """Requests in place of one of the paper's traces.

    Attributes:
        name: Name in findings.
        like: Trace of the paper that the requests resemble: ``server`` or ``user``.
        device: Device with the number of sleds on which the requests fit.
        loads: Arrival rates or scale factors of the light, moderate and heavy loads.
        measure: Function that runs policies over loads.
        is_bursty: True if requests come in bursts, at scale factors.
        is_trace: True for a real trace, which is run once; only its means have intervals.
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
        """True if the requests were drawn from all statistics that the paper prints."""
        return self.is_bursty and not self.is_trace

    def curves(self, schedulers: Sequence[str], *bands: str) -> Curves:
        """Run policies over the loads of the given bands, or of all bands."""
        return self.measure(schedulers, [load for band in bands or self.loads for load in self.loads[band]])


def inputs(quick: bool, traces: PathLike | None = None) -> list[Input]:
    """Make the server-like and user-like streams and hours, and the disks of the real traces if given.

    Raises:
        ParameterError: A trace is missing.
        TraceError: A file is not a trace of the expected format.
    """
    disks = [] if traces is None else read_disks(traces)
    drawn = [draw(like, quick) for draw in (synthetic, hour) for like in SEQUENTIALITY]
    return drawn + [_real(disk) for disk in disks]


def stream_curves(
    draw: Draw, like: str, schedulers: Sequence[str], rates: Sequence[float], *, count: int, replications: int
) -> Curves:
    """Run Python policies over rates of a stream that `draw` makes, similar to one of the traces.

    The runs use one thread: several would only take turns and slow each other down.
    """
    workload = draw(SEQUENTIALITY[like], count)
    model = zoned_device(SLEDS[like])
    how = {"replications": replications, "workers": 1}
    return response_curves(model, schedulers, rates, draw=workload, **how)


def load_columns(draw: Draw, like: str, rate_per_s: float) -> dict[str, Any]:
    """Return columns that identify a stream and its load; bursty streams have a scale."""
    is_bursty = draw is bursty_stream
    return {
        "input": f"{'bursty ' if is_bursty else ''}{like}-like",
        "rate_per_s": rate_per_s,
        "scale": rate_per_s / OWN_RATE[like] if is_bursty else None,
    }


def zoned_device(sleds: int) -> Device:
    """Return the device of section 7.2 with zones of one size and this number of sleds (000-F19)."""
    return device("mascots03-zones").with_parameters(sleds=sleds)


def synthetic(
    like: str, quick: bool, count: int | None = None, replications: int | None = None, seed: int = 1
) -> Input:
    """Make the open stream that stands for a trace of the paper.

    Args:
        like: Trace of the paper: ``server`` or ``user``.
        quick: True for the rates, requests and replications of a quick run.
        count: Number of requests per replication, if not the default.
        replications: Number of replications, if not the default.
        seed: Seed of the first replication.
    """
    model = zoned_device(SLEDS[like])
    draw = stream(SEQUENTIALITY[like], count or _COUNT[not quick])
    runs = replications or _REPLICATIONS[not quick]

    measure = partial(response_curves, model, draw=draw, replications=runs, seed=seed)
    loads = {band: choices[not quick] for band, choices in _RATES[like].items()}
    return Input(f"the {like}-like stream ({draw.__name__})", like, model, loads, measure)


def hour(like: str, quick: bool, seed: int = 1) -> Input:
    """Make the hour that stands for a trace: it has all statistics that the paper prints, and scale factors.

    Of the arrivals of the server trace, the paper prints only the rate. The arrivals of the user trace, sped
    up to this rate, stand for them (000-bursts).

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
    """Make an input from a disk of a real trace on enough sleds; a mostly sequential disk is user-like."""
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
    """Return the utilization of the device at the trace's own speed, first come, first served."""
    return float(simulate(model, trace, "fcfs").summary()["utilization"])


def notes(used: Sequence[Input]) -> list[str]:
    """Return the notes on the inputs."""
    real = [one.name for one in used if one.is_trace]
    more = noted("000-real", real="; ".join(real)) if real else noted("000-drawn")
    loads = "; ".join(f"{one.name}: {_loads(one)}" for one in used if not one.is_trace)
    return [*noted("000", loads=loads), *more]


def _loads(one: Input) -> str:
    """Format the loads of a stream, or the scale factors of an hour."""
    write = "x{:,g}" if one.is_bursty else "{:,g}/s"
    return ", ".join(
        f"{band} {' and '.join(write.format(load) for load in loads)}" for band, loads in one.loads.items()
    )
