"""The requests of each step of a search: of the search itself, of the comparison, and of the final test.

The search sees the first part of a trace; windows of this part are the replications of the comparison, and
windows of the rest serve the judgement. For a random workload each step has its own seeds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ... import _native
from ...common.arguments import check_whole
from ...model.catalogue import workload_options
from ...traces.generators import given_options
from ...uncertainty.randomness import permutation
from ..sample import Measuring

#: Largest number of windows into which the searched part of a trace is divided, and least number of requests
#: of a window.
WINDOWS, LEAST = 20, 20
#: Least number of windows or seeds from which a confidence interval is computed.
FEWEST = 5
#: Largest number of seeds for the comparison, and number of seeds for the final test.
SEEDS, HELD_SEEDS = 100, 20
#: Least number of requests in the search for which brief runs, over a ninth of the requests, are informative:
#: of a trace, and of a random workload, whose runs have a warm-up.
_BRIEF, _BRIEF_DRAWN = 180, 2_700
#: Distance from the seed of the search to the first seed of the comparison, and to the first seed of the
#: final test.
_COMPARED, _HELD = 1_000, 2_000
#: Number of the random stream that shuffles the windows of a trace.
_ORDER = 8


@dataclass(frozen=True)
class Looks:
    """The requests of each step of a search.

    Attributes:
        search: Settings and requests of the search.
        compared: Replications of the comparison; empty if a trace is too short.
        held_out: Windows or seeds that neither search nor comparison sees; empty if no requests are held out.
        held_whole: Requests of the runs that check the constraints of the chosen design: the rest of a trace
            as one run, or one run per seed held out.
        requests: Number of requests of a run of the search.
        window_requests: Number of requests in a window of a trace; for a random workload, in the run of one
            seed.
        held_requests: Number of requests of a run in `held_whole`.
        is_trace: True if the requests are those of a trace.
        can_be_brief: True if runs of a ninth of the search's requests are long enough to tell good designs
            from bad ones.
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
        """The work of a replication in the comparison, as a share of the work of a design in the search."""
        return self.window_requests / self.requests if self.is_trace else 1 / self.search.replications

    def brief(self, requests: int) -> Measuring:
        """Return the settings of a brief run under the first `requests` requests of the search."""
        if self.is_trace:
            return replace(self.search, requests=self.search.requests.cut(0, requests))
        return replace(self.search, count=requests)


def looks_of(measuring: Measuring, held_out: float) -> Looks:
    """Divide a workload into the requests of each step of a search.

    Args:
        measuring: Settings for runs under the whole workload.
        held_out: Share of a trace that the search does not see, from 0 to below 1; for a random workload, any
            value above 0 holds out seeds.

    Raises:
        ParameterError: The share is not from 0 to below 1, or the seed of the search is too large for the
            seeds that must follow it.
    """
    if isinstance(held_out, bool) or not isinstance(held_out, int | float) or not 0 <= held_out < 1:
        raise _native.ParameterError(f"held_out = {held_out!r}: expected a share from 0 to below 1")
    return _of_seeds(measuring, held_out) if measuring.requests.is_drawn else _of_trace(measuring, held_out)


def _of_seeds(measuring: Measuring, held_out: float) -> Looks:
    given = given_options(measuring.requests.name)
    default = workload_options(measuring.requests.name.partition(":")[0]).get("count", ("0", "", ""))[0]
    count = measuring.count or int(given.get("count", default) or 0)
    check_whole("seed", measuring.seed, 0, 2**64 - _HELD - HELD_SEEDS, ": higher seeds are used, too")

    def seeds(after: int, number: int) -> list[Measuring]:
        return [replace(measuring, seed=measuring.seed + after + at, replications=1) for at in range(number)]

    held = seeds(_HELD, HELD_SEEDS) if held_out else []
    # A count in the name of a workload holds for all runs.
    brief = "count" not in given and count >= _BRIEF_DRAWN
    return Looks(measuring, seeds(_COMPARED, SEEDS), held, held, count, count, count, False, brief)


def _of_trace(measuring: Measuring, held_out: float) -> Looks:
    requests = measuring.requests
    assert requests.trace is not None
    every = len(requests.trace)
    seen = every - int(held_out * every)
    length = max(LEAST, seen // WINDOWS)
    if every - seen < FEWEST * length:
        seen = every  # The search sees all of a trace that is too short to hold out a part.

    def windows(first: int, end: int) -> list[Measuring]:
        number = (end - first) // length
        if number < FEWEST:
            return []
        starts = [first + at * length for at in range(number)]
        return [replace(measuring, requests=requests.cut(at, at + length)) for at in starts]

    search = replace(measuring, requests=requests.cut(0, seen)) if seen < every else measuring
    compared = windows(0, seen)
    # The comparison may end after a few windows, which should come from the whole trace.
    compared = [compared[at] for at in permutation(len(compared), measuring.seed, _ORDER)]
    held = windows(seen, every)
    whole = [replace(measuring, requests=requests.cut(seen, every))] if held else []
    return Looks(search, compared, held, whole, seen, length, every - seen, True, seen >= _BRIEF)
