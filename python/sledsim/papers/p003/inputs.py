"""Inputs of 003's hierarchies: days drawn to match its Table 2, our captures, and hplajw of 1992."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sledsim import ParameterError, Trace, bundled_trace
from sledsim.files import PathLike
from sledsim.listings import bundled_traces

from ..shared import noted
from ..shared.hp_disks import HPLAJW, read_disks
from ..shared.perturbations import Perturbation, device, in_force, workload

#: Disk of the paper, in place of the older one that was traced.
DISK = "atlas10k"
#: Device of Table 1.
MEMS = "hong03"
DAYS = ("1999-01-13", "1999-01-14")
#: Number of requests of a drawn day if not the whole day, and number of draws, quick and full.
_COUNT = (20_000, None)
_DRAWS = (5, 8)
#: Kinds of inputs, as named in findings.
DRAWN, CAPTURED, TRACED = "drawn days", "own captures", HPLAJW


@dataclass(frozen=True)
class Input:
    """Requests in place of the paper's: several traces, or a single one.

    Attributes:
        name: Name in tables.
        kind: Kind: `DRAWN`, `CAPTURED` or `TRACED`.
        draws: Drawn workloads or names of captures; empty for a real trace.
        replay: Replay rule, which decides when requests come.
        traces: Folder of real traces, for `TRACED`.
        change: Function that changes each trace before use.
    """

    name: str
    kind: str
    draws: tuple[str, ...] = ()
    replay: str = "open"
    traces: PathLike | None = None
    change: Callable[[Trace], Trace] | None = None

    def read(self) -> Iterator[Trace]:
        """Read the requests, one trace per draw.

        Raises:
            ParameterError: The real traces are missing.
        """
        for trace in self._found():
            yield trace if self.change is None else self.change(trace)

    def _found(self) -> Iterator[Trace]:
        if self.traces is not None:
            yield _hplajw(self.traces)
        for draw in self.draws:
            yield bundled_trace(draw) if self.kind == CAPTURED else _drawn(draw, in_force())


# Cache: most experiments, and each of their loads, use the same days.
@lru_cache(maxsize=2 * max(_DRAWS))
def _drawn(draw: str, perturbation: Perturbation | None) -> Trace:
    """Draw a day on the model that is in force."""
    return workload(draw, device(DISK))


def inputs(quick: bool, traces: PathLike | None = None) -> list[Input]:
    """Return every input, with the real trace if given."""
    # A request that waited for another in a capture waits for the simulated one.
    captures = Input(CAPTURED, CAPTURED, tuple(bundled_traces()), replay="think")
    real = [] if traces is None else [Input(TRACED, TRACED, traces=traces)]
    return [*drawn_days(quick), captures, *real]


def drawn_days(quick: bool, draws: int | None = None) -> list[Input]:
    """Return the two days, each drawn with several seeds; `draws` sets their number."""
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
    """Return the notes on the inputs."""
    kinds = {one.kind for one in used}
    real = [] if kinds == {DRAWN} else noted("003-real" if TRACED in kinds else "003-drawn")
    return noted("003", real="".join(f" {note}" for note in real), disk=DISK, mems=MEMS)
