"""Replays of a trace with a coarse clock: intervals that contain what the clock does not tell."""

import itertools
import math
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common import units
from ..common.grids import Grid
from ..common.progress import Progress, told, watched
from ..common.shown import Form, Shown
from ..model.volumes import TargetOrName
from ..traces.tools.spreading import SPREADS, spread, tick_ns
from ..traces.trace import Trace
from .intervals import mean
from .run import simulate

#: Way to spread requests whose times are independent of each other.
_RANDOM = "poisson"
#: Number of seeds; each gives the requests of a tick other times.
SEEDS = 10
#: Distance, in standard errors, of the index of dispersion from that of a Poisson process.
_ERRORS = 3.0
#: Figures that never decrease in this order.
_ASCENDING = (
    ("p50_response_s", "p95_response_s", "p99_response_s", "p999_response_s", "max_response_s"),
    ("mean_service_s", "mean_response_s"),
)
#: Number of ticks from which the arrivals of a Poisson process are recognised.
_TICKS_MIN = 30
#: Ratio of the ends of an interval above which the tick hides the figure.
_HIDDEN = 1.5
#: Power of the ratio of its ends by which an interval grows at both ends, because no replay is the true one.
_MARGIN = 0.5


@dataclass(frozen=True)
class SpreadFigure:
    """A figure of replays of a trace whose requests are spread within the ticks of its clock.

    Attributes:
        figure: Name of the figure, with its unit.
        value: Mean over the seeds.
        low: Lower end of the interval of the figure.
        high: Upper end of the interval.
        recorded: The figure if requests arrive at the recorded times.
        is_hidden: True if the clock hides the figure: the ends of its interval differ by more than half.
    """

    figure: str
    value: float
    low: float
    high: float
    recorded: float
    is_hidden: bool


@dataclass(frozen=True, repr=False)
class SpreadRuns(Shown):
    """Figures of replays of a trace whose requests are spread within the ticks of its clock.

    Attributes:
        spread: Way in which the requests are spread: ``uniform`` or ``poisson``.
        seeds: Number of replays, each with other times.
        tick_s: Tick of the clock in seconds.
        are_poisson: True if the numbers of requests in neighbouring ticks differ as those of a Poisson
            process do; otherwise the intervals also contain replays with requests at equal distances and at
            the recorded times. All intervals contain those of requests at random times.
        figures: The figures with their intervals.
    """

    spread: str
    seeds: int
    tick_s: float
    are_poisson: bool
    figures: tuple[SpreadFigure, ...]

    def _form(self) -> Form:
        return Form("Spread of a trace", self.grids, (self.sentence(),))

    def grids(self) -> list[Grid]:
        """Return the table of the figures."""
        shown = ("value", "low", "high", "recorded")
        rows = [
            (
                units.label(one.figure),
                *(units.figure(one.figure, getattr(one, name)) for name in shown),
                "hides it" if one.is_hidden else "",
            )
            for one in self.figures
        ]
        headings = ("Figure", ">Spread", ">From", ">To", ">As recorded", "Clock")
        return [Grid(headings, [*rows], f"Requests spread within ticks of {units.duration(self.tick_s)}")]

    def sentence(self) -> str:
        """Return a sentence on what the intervals contain."""
        ways = dict.fromkeys((self.spread, _RANDOM))
        how = " and ".join(f"{self.seeds} {SPREADS[way].description}" for way in ways)
        more = "" if self.are_poisson else ", and replays at equal distances and at the recorded times"
        hidden = [units.label(one.figure) for one in self.figures if one.is_hidden]
        hides = f"; the tick hides {', '.join(hidden)}" if hidden else ""
        return f"intervals contain replays within ticks of {units.duration(self.tick_s)}, {how}{more}{hides}"

    def row(self) -> dict[str, Any]:
        """Return all fields by name, for JSON."""
        return {**asdict(self), "figures": [asdict(one) for one in self.figures]}


@watched
def spread_runs(
    device: TargetOrName,
    trace: Trace,
    how: str = "poisson",
    *,
    tick: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> SpreadRuns:
    """Replay a trace several times with its requests spread within the ticks of its clock.

    If the numbers of requests in neighbouring ticks differ as those of a Poisson process do, the interval of
    a figure contains the figure of the true arrivals with a probability of about 95 %. Otherwise it is
    wider: it also contains the replays at equal distances and at the recorded times. It is too narrow for
    requests that come in clusters much shorter than the tick, one cluster in each of many ticks: the counts
    do not show such clusters.

    Args:
        device: Device or volume, or the name or file of a device.
        trace: Trace whose arrivals are multiples of a tick.
        how: ``uniform`` or ``poisson``, as for `spread`.
        tick: Tick of the clock in nanoseconds; None finds it.
        progress: Callback or bar, as for `simulate`; it counts the requests of all replays.
        options: Options of `simulate`, such as `scheduler` and `scale`.

    Raises:
        ParameterError: The clock of the trace is exact, or a value is wrong.
        TraceError: The trace cannot be replayed.
    """
    tick = tick_ns(trace) if tick is None else tick
    are_poisson = _are_poisson(trace.arrival_ns, tick)
    others = [] if are_poisson else [spread(trace, "uniform", tick=tick)]
    ways = [*dict.fromkeys((how, _RANDOM))]
    replays = [
        trace,
        *others,
        *(spread(trace, way, seed, tick) for way in ways for seed in range(1, SEEDS + 1)),
    ]
    report = told(progress, len(trace) * len(replays))
    found: list[dict[str, float]] = []
    for at, one in enumerate(replays):
        run = simulate(device, one, **options, columns="times")
        found.append({name: float(value) for name, value in run.summary().items()})
        if report is not None:
            report(len(trace) * (at + 1))
    names = [name for name, value in found[0].items() if name.endswith("_s") and math.isfinite(value)]
    names = [*names, "utilization", "energy_j"]
    bounds = 1 + len(others)
    figures = tuple(
        _figure(name, np.array([one[name] for one in found]), bounds, are_poisson) for name in names
    )
    return SpreadRuns(how, SEEDS, tick * 1e-9, are_poisson, _in_order(figures))


def _in_order(figures: tuple[SpreadFigure, ...]) -> tuple[SpreadFigure, ...]:
    """Raise lower ends that no arrivals reach: a figure of `_ASCENDING` is not below the one before it."""
    lows = {one.figure: one.low for one in figures}
    for names in _ASCENDING:
        there = [name for name in names if name in lows]
        for before, name in itertools.pairwise(there):
            lows[name] = max(lows[name], lows[before])
    return tuple(replace(one, low=min(lows[one.figure], one.value)) for one in figures)


def _figure(name: str, values: NDArray[np.float64], bounds: int, are_poisson: bool) -> SpreadFigure:
    """Return a figure from its values: `bounds` values that bound it, then one for each way and seed."""
    estimates = [mean(seeds) for seeds in values[bounds:].reshape(-1, SEEDS)]
    # The true arrivals are one more replay, not the mean of replays.
    halves = [one.half_width * math.sqrt(SEEDS + 1) for one in estimates]
    low = min(one.value - half for one, half in zip(estimates, halves, strict=True))
    high = max(one.value + half for one, half in zip(estimates, halves, strict=True))
    if not are_poisson:
        low, high = min(low, *values[:bounds]), max(high, *values[:bounds])
    low = max(low, 0.0)
    if not are_poisson and low > 0:
        margin = (high / low) ** _MARGIN
        low, high = low / margin, high * margin
    ends = float(low), float(high)
    return SpreadFigure(name, estimates[0].value, *ends, float(values[0]), ends[1] > _HIDDEN * ends[0])


def _are_poisson(arrival_ns: NDArray[np.int64], tick: int) -> bool:
    """Return True if the numbers of requests in neighbouring ticks differ as those of a Poisson process."""
    since = (arrival_ns - arrival_ns[0]) // tick
    ticks, counts = np.unique(since, return_counts=True)
    # Of two neighbouring empty ticks the difference is 0.
    pairs = int(since[-1])
    if pairs < _TICKS_MIN:
        return False
    after = np.diff(ticks) == 1
    squares = float((np.diff(counts)[after] ** 2).sum())
    squares += float((counts[:-1][~after] ** 2).sum() + (counts[1:][~after] ** 2).sum())
    dispersion = squares / (2 * pairs) / (len(arrival_ns) / (pairs + 1))
    mean_count = len(arrival_ns) / (pairs + 1)
    # The variance of squared differences of Poisson counts: twice that of normal ones, plus the kurtosis.
    error = math.sqrt((3 + 1 / mean_count) / pairs)
    return abs(dispersion - 1) <= _ERRORS * error
