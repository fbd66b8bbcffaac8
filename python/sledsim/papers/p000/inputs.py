"""What 000's scheduling runs on here: streams of its traces' sequentiality, and the nearest real traces."""

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

#: Section 7: the part of the requests that follow the one before them, and the sleds of the device.
SEQUENTIALITY = {"server": 0.005, "user": 0.829}
SLEDS = {"server": 3, "user": 2}
#: Requests a second at the traces' own speed.
OWN_RATE = {"server": 33.0, "user": 20.9}
#: Why the percentages of the paper cannot be had.
REASON = "The traces of 1999 are not published: other inputs can bear out a direction, not the percentages."
#: The loads of which something is said in Python.
MODERATE, BUSY = ("moderate",), ("moderate", "heavy")
#: Arrival rates that stand for the paper's words, those of a quick run first. First come, first served keeps
#: up with 1,350/s of the server-like stream and with 2,050/s of the user-like one: light is well below, and
#: heavy begins where policies that reorder are busy all the time, or near it.
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
#: The hours are replayed so fast that first come, first served would be busy for this part of the time
#: (000-loads). Light is the trace at its own speed. Of moderate loads a quick run has the last one alone.
_HOUR_PART = {"moderate": (0.25, 0.5), "heavy": (1.5, 2.0)}
#: Real traces are replayed as whole as these, at such parts of what first come, first served can do.
_BUSY_PART = {"light": (0.001,), "moderate": (0.03, 0.1), "heavy": (0.3,)}
_COUNT, _REPLICATIONS = (30_000, 60_000), (3, 8)
#: Hours that are drawn.
_HOURS = (5, 8)


#: Requests of a sequentiality, so many of them.
Draw = Callable[[float, int], Callable[[Device, float, int], Trace]]


@dataclass(frozen=True, eq=False)
class Input:
    """Requests that stand for one of the paper's traces.

    Attributes:
        name: As findings name it.
        like: Which of the traces it stands for: ``server`` or ``user``.
        device: The device, with the sleds that it takes.
        loads: The arrival rates or scale factors that are light, moderate and heavy.
        measure: Runs policies over some loads.
        is_bursty: Whether requests come in bursts, at scale factors.
        is_trace: Whether it is a real trace, run once, so that only means have an interval.
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
        """Whether it was drawn from all statistics that the paper prints, not from some of them."""
        return self.is_bursty and not self.is_trace

    def curves(self, schedulers: Sequence[str], *bands: str) -> Curves:
        """Policies over the loads of some bands; over all where none is named."""
        return self.measure(schedulers, [load for band in bands or self.loads for load in self.loads[band]])


def inputs(quick: bool, traces: PathLike | None = None) -> list[Input]:
    """The server-like and user-like streams and hours, and the disks of the real traces if there are some.

    Raises:
        ParameterError: The traces are not there.
        TraceError: A file is not such a trace.
    """
    disks = [] if traces is None else read_disks(traces)
    drawn = [draw(like, quick) for draw in (synthetic, hour) for like in SEQUENTIALITY]
    return drawn + [_real(disk) for disk in disks]


def stream_curves(
    draw: Draw, like: str, schedulers: Sequence[str], rates: Sequence[float], *, count: int, replications: int
) -> Curves:
    """Policies written in Python over some rates of a stream like one of the traces, which `draw` draws.

    In one thread: several would only take turns, and pay for each.
    """
    workload = draw(SEQUENTIALITY[like], count)
    model = zoned_device(SLEDS[like])
    how = {"replications": replications, "workers": 1}
    return response_curves(model, schedulers, rates, draw=workload, **how)


def load_columns(draw: Draw, like: str, rate_per_s: float) -> dict[str, Any]:
    """The columns that say which of these streams it is, and at which load; what is bursty has a scale."""
    is_bursty = draw is bursty_stream
    return {
        "input": f"{'bursty ' if is_bursty else ''}{like}-like",
        "rate_per_s": rate_per_s,
        "scale": rate_per_s / OWN_RATE[like] if is_bursty else None,
    }


def zoned_device(sleds: int) -> Device:
    """The device of section 7.2, whose zones are of one size, with so many sleds (000-F19)."""
    return device("mascots03-zones").with_parameters(sleds=sleds)


def synthetic(
    like: str, quick: bool, count: int | None = None, replications: int | None = None, seed: int = 1
) -> Input:
    """The open stream that stands for one of the traces; quick, or with a number of requests of its own.

    Args:
        like: ``server`` or ``user``.
        quick: Whether rates, requests and replications are those of a quick run.
        count: Requests of a replication, where it is another number.
        replications: How many, where it is another number.
        seed: Of the first replication.
    """
    model = zoned_device(SLEDS[like])
    draw = stream(SEQUENTIALITY[like], count or _COUNT[not quick])
    runs = replications or _REPLICATIONS[not quick]

    measure = partial(response_curves, model, draw=draw, replications=runs, seed=seed)
    loads = {band: choices[not quick] for band, choices in _RATES[like].items()}
    return Input(f"the {like}-like stream ({draw.__name__})", like, model, loads, measure)


def hour(like: str, quick: bool, seed: int = 1) -> Input:
    """The hour that stands for one of the traces, with all that the paper prints of it, at scale factors.

    The arrivals of the server trace are not published but for their rate: those of the user trace stand for
    them, as many times as fast as its rate is higher (000-bursts).

    Args:
        like: ``server`` or ``user``.
        quick: Whether hours and loads are those of a quick run.
        seed: Of the first hour.
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
    """A disk of a real trace on as many sleds as it needs; more sequential than not, it is like the user."""
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
    """For which part of the time a trace keeps the device busy at its own speed, first come, first served."""
    return float(simulate(model, trace, "fcfs").summary()["utilization"])


def notes(used: Sequence[Input]) -> list[str]:
    """What a reader has to know of the inputs."""
    real = [one.name for one in used if one.is_trace]
    more = noted("000-real", real="; ".join(real)) if real else noted("000-drawn")
    loads = "; ".join(f"{one.name}: {_loads(one)}" for one in used if not one.is_trace)
    return [*noted("000", loads=loads), *more]


def _loads(one: Input) -> str:
    """The loads of a stream, or the scale factors of an hour."""
    write = "x{:,g}" if one.is_bursty else "{:,g}/s"
    return ", ".join(
        f"{band} {' and '.join(write.format(load) for load in loads)}" for band, loads in one.loads.items()
    )
