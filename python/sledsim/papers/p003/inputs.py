"""Requests for the hierarchies of paper 003: days drawn from its Table 2, our captures, hplajw of 1992."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sledsim import ParameterError, Trace, bundled_trace
from sledsim.files import PathLike
from sledsim.listings import bundled_traces

from ..shared import noted
from ..shared.hp_disks import HPLAJW, read_disks
from ..shared.perturbations import Perturbation, device, in_force, workload

#: Disk with which paper 003 simulates, newer than the one whose requests were traced.
DISK = "atlas10k"
#: MEMS device of Table 1 of the paper.
MEMS = "hong03"
DAYS = ("1999-01-13", "1999-01-14")
#: Number of requests of a drawn day (None for the whole day), then number of draws: quick run, full run.
_COUNT = (20_000, None)
_DRAWS = (5, 8)
#: Kinds of inputs, with the names that findings use.
DRAWN, CAPTURED, TRACED = "drawn days", "own captures", HPLAJW


@dataclass(frozen=True)
class Input:
    """Requests that replace a trace of paper 003: several draws or captures, or one real trace.

    Attributes:
        name: Name of the input in tables.
        kind: Kind of the input: `DRAWN`, `CAPTURED` or `TRACED`.
        draws: Names of the workloads to draw, or of the captures; empty for a real trace.
        replay: Replay rule for the arrivals, such as ``open``.
        traces: Folder of the real traces, for an input of the kind `TRACED`.
        change: Function that changes each trace before it is used; None for no change.
    """

    name: str
    kind: str
    draws: tuple[str, ...] = ()
    replay: str = "open"
    traces: PathLike | None = None
    change: Callable[[Trace], Trace] | None = None

    def read(self) -> Iterator[Trace]:
        """Yield a trace for each draw or capture, or the real trace.

        Raises:
            ParameterError: The folder `traces` lacks the real trace.
        """
        for trace in self._found():
            yield trace if self.change is None else self.change(trace)

    def _found(self) -> Iterator[Trace]:
        if self.traces is not None:
            yield _hplajw(self.traces)
        for draw in self.draws:
            # The traces of the papers have no flushes.
            is_captured = self.kind == CAPTURED
            yield bundled_trace(draw).transfers() if is_captured else _drawn(draw, in_force())


# Drawn days are cached, because most experiments use the same days, once for each load.
@lru_cache(maxsize=2 * max(_DRAWS))
def _drawn(draw: str, perturbation: Perturbation | None) -> Trace:
    """Draw a day with the workload `draw`; the cache keeps separate days for each `perturbation`."""
    return workload(draw, device(DISK))


def inputs(quick: bool, traces: PathLike | None = None) -> list[Input]:
    """Return all inputs: drawn days, captures, and the real trace if the folder `traces` is given."""
    # With the replay rule think, a request that waited for another one when captured waits for it here, too.
    captures = Input(CAPTURED, CAPTURED, tuple(bundled_traces()), replay="think")
    real = [] if traces is None else [Input(TRACED, TRACED, traces=traces)]
    return [*drawn_days(quick), captures, *real]


def drawn_days(quick: bool, draws: int | None = None) -> list[Input]:
    """Return the two days of the paper, each drawn with `draws` seeds, or the default number of seeds."""
    count = _COUNT[not quick]
    part = "" if count is None else f",count={count}"
    seeds = range(1, (draws or _DRAWS[not quick]) + 1)
    return [
        Input(f"drawn {day}", DRAWN, tuple(f"metadata:day={day},seed={seed}{part}" for seed in seeds))
        for day in DAYS
    ]


def _hplajw(folder: PathLike) -> Trace:
    found = [disk.trace for disk in read_disks(folder, [HPLAJW])]
    if not found:
        raise ParameterError(f"{folder}: expected requests of a disk in {TRACED}, at least 4,000, found none")
    return found[0]


def notes(used: Sequence[Input]) -> list[str]:
    """Return the notes for the reader on the inputs `used`."""
    kinds = {one.kind for one in used}
    real = [] if kinds == {DRAWN} else noted("003-real" if TRACED in kinds else "003-drawn")
    return noted("003", real="".join(f" {note}" for note in real), disk=DISK, mems=MEMS)
