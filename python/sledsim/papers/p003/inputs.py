"""What 003's hierarchies run on here: days drawn to match its Table 2, own captures, and hplajw of 1992."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sledsim import ParameterError, Trace, bundled_trace
from sledsim.files import PathLike
from sledsim.listings import bundled_traces

from ..shared import noted
from ..shared.hp_disks import HPLAJW, read_disks
from ..shared.perturbations import Perturbation, device, in_force, workload

#: The disk of the paper, standing for the older one that was traced.
DISK = "atlas10k"
#: The device of its Table 1.
MEMS = "hong03"
DAYS = ("1999-01-13", "1999-01-14")
#: Requests of a drawn day, where not all of it is wanted, and how many are drawn: quick, and in full.
_COUNT = (20_000, None)
_DRAWS = (5, 8)
#: The kinds of inputs, as findings name them.
DRAWN, CAPTURED, TRACED = "drawn days", "own captures", HPLAJW


@dataclass(frozen=True)
class Input:
    """Requests that stand for the paper's: several traces, or a single one.

    Attributes:
        name: As tables have it.
        kind: `DRAWN`, `CAPTURED` or `TRACED`.
        draws: The workloads that are drawn for it, or the names of captures; none for a real trace.
        replay: What decides when requests come.
        traces: The folder of real traces, for `TRACED`.
        change: What becomes of each trace before it is used.
    """

    name: str
    kind: str
    draws: tuple[str, ...] = ()
    replay: str = "open"
    traces: PathLike | None = None
    change: Callable[[Trace], Trace] | None = None

    def read(self) -> Iterator[Trace]:
        """Its requests, one trace a draw.

        Raises:
            ParameterError: The real traces are not there.
        """
        for trace in self._found():
            yield trace if self.change is None else self.change(trace)

    def _found(self) -> Iterator[Trace]:
        if self.traces is not None:
            yield _hplajw(self.traces)
        for draw in self.draws:
            yield bundled_trace(draw) if self.kind == CAPTURED else _drawn(draw, in_force())


# Most experiments, and each of their loads, ask for the same days.
@lru_cache(maxsize=2 * max(_DRAWS))
def _drawn(draw: str, perturbation: Perturbation | None) -> Trace:
    """A drawn day on the model that is in force."""
    return workload(draw, device(DISK))


def inputs(quick: bool, traces: PathLike | None = None) -> list[Input]:
    """Every input, the real trace where there is one."""
    # What waited for another request in a capture waits for the simulated one.
    captures = Input(CAPTURED, CAPTURED, tuple(bundled_traces()), replay="think")
    real = [] if traces is None else [Input(TRACED, TRACED, traces=traces)]
    return [*drawn_days(quick), captures, *real]


def drawn_days(quick: bool, draws: int | None = None) -> list[Input]:
    """The two days, each drawn with several seeds, so many where it is said."""
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
        raise ParameterError(f"traces: expected a disk of {TRACED} in {folder}, found none")
    return found[0]


def notes(used: Sequence[Input]) -> list[str]:
    """What a reader has to know of the inputs."""
    kinds = {one.kind for one in used}
    real = [] if kinds == {DRAWN} else noted("003-real" if TRACED in kinds else "003-drawn")
    return noted("003", real="".join(f" {note}" for note in real), disk=DISK, mems=MEMS)
