"""Under which requests designs are run: to search, to compare the best of them, and to judge what was chosen.

Of a trace the search sees the first part, and windows of that part are the replications of the comparison;
the judgement is on windows of the rest. Of a workload that is drawn each has seeds of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ... import _native
from ...common.arguments import check_whole
from ...model.catalogue import workload_options
from ...traces.generators import given_options
from ...uncertainty.randomness import permutation
from ..sample import Measuring

#: Windows of the part of a trace that is searched, at most, and requests of each at least.
WINDOWS, LEAST = 20, 20
#: Fewer windows or seeds have no interval to speak of.
FEWEST = 5
#: Seeds of the comparison at most, and of the judgement.
SEEDS, HELD_SEEDS = 100, 20
#: Requests of a trace, and of a workload that is drawn and has a warm-up, of which a ninth says something.
_BRIEF, _BRIEF_DRAWN = 180, 2_700
#: From the seed of the search to the first one of each.
_COMPARED, _HELD = 1_000, 2_000
#: The stream of random numbers for the order of windows.
_ORDER = 8


@dataclass(frozen=True)
class Looks:
    """What designs are run under.

    Attributes:
        search: In the search.
        compared: The replications of the comparison; none where a trace is too short.
        held_out: Windows or seeds that neither of both sees; none where nothing was to be held out.
        held_whole: All that was held out, to see whether the constraints hold: the rest of a trace as one
            run, or each of the seeds.
        requests: Of a run of the search.
        window_requests: Of a window of a trace, or of a run under a seed.
        held_requests: Of one that was held out as a whole.
        is_trace: Whether the requests are those of a trace.
        can_be_brief: Whether a part of the requests of the search says something.
    """

    search: Measuring
    compared: Sequence[Measuring]
    held_out: Sequence[Measuring]
    held_whole: Sequence[Measuring]
    requests: int
    window_requests: int
    held_requests: int
    is_trace: bool
    can_be_brief: bool

    @property
    def part(self) -> float:
        """Of which part of a run of the search a replication of the comparison has the work."""
        return self.window_requests / self.requests if self.is_trace else 1 / self.search.replications

    def brief(self, requests: int) -> Measuring:
        """The first requests of the search."""
        if self.is_trace:
            return replace(self.search, requests=self.search.requests.cut(0, requests))
        return replace(self.search, count=requests)


def looks_of(measuring: Measuring, held_out: float) -> Looks:
    """The parts of a workload.

    Args:
        measuring: How designs are measured under all of it.
        held_out: The part of a trace that the search does not see, from 0 to below 1; of what is drawn
            anything above 0 asks for seeds that it does not see.

    Raises:
        ParameterError: The part is out of range, or leaves no requests.
    """
    if isinstance(held_out, bool) or not isinstance(held_out, int | float) or not 0 <= held_out < 1:
        raise _native.ParameterError(f"held_out = {held_out!r}: expected a part from 0 to below 1")
    return _of_seeds(measuring, held_out) if measuring.requests.is_drawn else _of_trace(measuring, held_out)


def _of_seeds(measuring: Measuring, held_out: float) -> Looks:
    given = given_options(measuring.requests.name)
    default = workload_options(measuring.requests.name.partition(":")[0]).get("count", ("0", "", ""))[0]
    count = measuring.count or int(given.get("count", default) or 0)
    check_whole("seed", measuring.seed, 0, 2**64 - _HELD - HELD_SEEDS, ": other seeds follow it")

    def seeds(after: int, number: int) -> list[Measuring]:
        return [replace(measuring, seed=measuring.seed + after + at, replications=1) for at in range(number)]

    held = seeds(_HELD, HELD_SEEDS) if held_out else []
    # A count in the name of a workload is that of all runs.
    brief = "count" not in given and count >= _BRIEF_DRAWN
    return Looks(measuring, seeds(_COMPARED, SEEDS), held, held, count, count, count, False, brief)


def _of_trace(measuring: Measuring, held_out: float) -> Looks:
    requests = measuring.requests
    assert requests.trace is not None
    every = len(requests.trace)
    seen = every - int(held_out * every)
    length = max(LEAST, seen // WINDOWS)
    if every - seen < FEWEST * length:
        seen = every  # What is too short to judge by is better searched.

    def windows(first: int, end: int) -> list[Measuring]:
        number = (end - first) // length
        if number < FEWEST:
            return []
        starts = [first + at * length for at in range(number)]
        return [replace(measuring, requests=requests.cut(at, at + length)) for at in starts]

    search = replace(measuring, requests=requests.cut(0, seen)) if seen < every else measuring
    compared = windows(0, seen)
    # The comparison may end after a few of them, which are to be from anywhere in the trace.
    compared = [compared[at] for at in permutation(len(compared), measuring.seed, _ORDER)]
    held = windows(seen, every)
    whole = [replace(measuring, requests=requests.cut(seen, every))] if held else []
    return Looks(search, compared, held, whole, seen, length, every - seen, True, seen >= _BRIEF)
