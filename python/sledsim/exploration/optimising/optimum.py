"""The result of `optimise`: the best design, the probability that it is the best, front, and effects."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...common.arrow import pyarrow
from ...common.charted import Charted
from ...common.output_files import PathLike, write_table
from ...common.ranking import ALIKE
from ...common.shown import Form, Result, counted, parts_by, quoted
from ...runs.intervals import Estimate
from ...uncertainty.factors import Factors
from ..evaluation import Row
from ..point_figures import FAILED, OK, SATURATED
from ..reasons import grouped
from . import phrases
from .final_choice import Selected
from .goals import Aims
from .judging import Gain, HeldOut
from .learning import Value

if TYPE_CHECKING:
    import pyarrow as _pyarrow

#: Name, without ending, of the files that a result is written to.
NAME = "optimise"
#: Largest number of designs that a sentence names as not clearly worse than the best.
_NAMED = 3


@dataclass(frozen=True)
class Design:
    """A design that a search has run.

    Attributes:
        number: Number of the design from 0, in the order of the search.
        values: Values of the factors and derived parameters of the design.
        changes: Changed parameters of the device, and the policy if it varies, as `sledsim run` takes them.
        status: Status as in a sweep: ``ok``, ``saturated``, ``not at rest`` or ``failed``.
        figures: Figures that goals and constraints name, by name.
        meets: True if the design has figures and meets the constraints.
        error: Reason why the design is impossible; None if it is possible.
    """

    number: int
    values: Mapping[str, Any]
    changes: Mapping[str, Any]
    status: str
    figures: Mapping[str, float]
    meets: bool
    error: str | None = None


@dataclass(frozen=True, repr=False)
class Optimum(Charted, Result):
    """The result of `optimise`: the best design, how sure the choice is, and all designs that were run.

    Attributes:
        device: Name of the device or volume.
        workload: Name of the workload or trace.
        scheduler: Policy of all designs, unless the policy is a factor.
        aims: Goals and constraints of the search.
        factors: Factors: the parameters that vary, and the policy if it varies.
        best: The chosen design.
        selected: Comparison of the best designs, with the probability of a correct choice; None if there were
            too few requests or seeds.
        second: Design that came nearest to the best; None if no other design was compared.
        front: Pareto front if there are two goals, sorted by the first goal: designs for which no other
            design is at least as good in both goals and better in one.
        designs: All designs that were run, in the order of the search.
        equal: Number of other designs whose figures equal those of the best design: the parameters in which
            they differ have no effect.
        budget: Largest number of designs that the search may run.
        size: Number of designs in the space; infinite if a range is continuous.
        screened: Number of brief runs, each of one design under the first part of the requests.
        screening: Work of the brief runs, as the number of complete runs that would take as much work; it is
            part of the budget.
        impossible: Number of impossible designs for each reason; reasons that differ only in their numbers
            count as the same.
        values: Values of each parameter, sorted by the best design with each value; they show the effect of
            the parameter.
        is_trace: True if the replications are windows of a trace, False if they are seeds.
        held_out: Test of the chosen design on requests that the search has not used; None if no requests were
            held out.
    """

    device: str
    workload: str
    scheduler: str
    aims: Aims
    factors: Factors
    best: Design
    selected: Selected | None
    second: Design | None
    front: Sequence[Design]
    designs: Sequence[Design]
    equal: int
    budget: int
    size: float
    screened: int
    screening: float
    impossible: Mapping[str, int]
    values: Sequence[Value]
    is_trace: bool
    held_out: HeldOut | None

    @property
    def runs(self) -> int:
        """The number of designs that were run in the search."""
        return len(self.designs)

    @property
    def cost(self) -> float:
        """The work of the search in complete runs: one per design, and a fraction for each brief run."""
        return self.runs + self.screening

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per design, in the order of the search.

        Each row has ``number``, ``status``, the factors, the figures of goals and constraints, ``meets``,
        ``on_front``, ``is_best`` and ``error``.
        """
        front = {design.number for design in self.front}
        return [
            {
                "number": one.number,
                "status": one.status,
                **one.values,
                **one.figures,
                "meets": one.meets,
                "on_front": one.number in front,
                "is_best": one.number == self.best.number,
                "error": one.error,
            }
            for one in self.designs
        ]

    def table(self) -> "_pyarrow.Table":
        """Return the rows of all designs as a pyarrow Table, with the columns of `rows`."""
        rows = self.rows()
        columns: dict[str, Any] = {name: [row.get(name) for row in rows] for name in rows[0]}
        for name, column in columns.items():
            if len({type(one) for one in column} - {type(None)}) > 1 and any(
                isinstance(one, str) for one in column
            ):
                columns[name] = [None if one is None else str(one) for one in column]
        about = {"device": self.device, "workload": self.workload, "goals": [*map(str, self.aims.goals)]}
        return pyarrow.table(columns).replace_schema_metadata({b"sledsim": json.dumps(about).encode()})

    def _form(self) -> Form:
        line = f"of {quoted(self.device)} for {quoted(self.workload)}: {counted(self.runs, 'design')}"
        title = f"The best of {self.device} for {self.workload}"
        return Form(
            title, parts_by("of_optimum", self), calls=("plot()", "best", "front", "to_pandas()"), line=line
        )

    def write(self, folder: PathLike) -> list[Path]:
        """Write `table` as Parquet and CSV into a folder, which is created if needed; return both paths.

        Raises:
            OSError: A file cannot be written; an incomplete file is removed.
        """
        return write_table(self.table(), folder, NAME)

    def sentence(self) -> str:
        """Return the chosen design and its figures in a sentence."""
        figures = phrases.joined(phrases.said(name, value) for name, value in self.best.figures.items())
        return f"Best: {phrases.design(self.best.values)} ({figures})."

    def in_words(self) -> list[str]:
        """Return sentences on how sure the choice is, on the gain, the search and impossible designs."""
        return [*self._certainty(), *self._held_out(), *self._counted()]

    def _certainty(self) -> list[str]:
        one = self.selected
        if one is None:
            return ["The best of the search was not compared again: the requests are too few."]
        looks = "windows of the requests" if self.is_trace else "other seeds"
        goals = zip(self.aims.goals, one.figures, strict=True)
        figures = phrases.joined(phrases.interval(goal.figure, estimate) for goal, estimate in goals)
        found = [f"Over {one.replications} {looks}: {figures}."]
        if one.dropped:
            found.append(
                f"{len(one.dropped)} of the {len(one.candidates)} best of the search have no figures under"
                f" some {looks}, as when they are saturated, and are dropped."
            )
        count = len(one.candidates) - len(one.dropped)
        if count == 1:
            return [*found, "No other design was left to compare."]
        best = "that are left" if one.dropped else "best of the search"
        if one.is_decided:
            found.append(
                f"The choice is the best of the {count} {best}, or within {one.indifference:.1%} of the best,"
                f" with a probability of {phrases.sure(one.confidence)}."
            )
        elif len(one.left) == 1:
            found.append(
                f"Each other of the {count} {best} is worse over all {one.most} {looks}, by a paired test at"
                f" {phrases.sure(one.confidence)}."
            )
        else:
            others = [phrases.design(self.designs[other].values) for other in one.left if other != one.best]
            more = f", and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
            found.append(
                f"After all {one.most} {looks} {len(one.left)} of {count} cannot be distinguished: the best"
                f" of these is unknown at {phrases.sure(one.confidence)}. The others are"
                f" {'; '.join(others[:_NAMED])}{more}."
            )
        if self.second is not None and one.distance is not None:
            apart = phrases.better(replace(one.distance, value=-one.distance.value))
            count = one.distance.count
            over = "" if count == one.replications else f", over {count} of them, after which it was dropped"
            found.append(f"The next, {phrases.design(self.second.values)}, is {apart} in pairs{over}.")
        return found

    def _held_out(self) -> list[str]:
        one = self.held_out
        if one is None:
            return ["No requests were held out: the part of the gain due to chance is unknown."]
        if one.why_not is not None:
            return [f"The device as given cannot be compared: {one.why_not}."]
        if all(max(abs(gain.share), abs(gain.held_share.value)) <= ALIKE for gain in one.gains):
            return [*self._constrained(one), "The choice is exactly as good as the device as given."]
        kind = f"windows of {one.window_requests:,} requests" if one.is_trace else "seeds"
        both = "" if one.windows == one.of else ", those in which both have figures,"
        where = f"{one.windows} of {one.of} {kind}{both} that the search has not seen"
        known_in = f"{one.seen_windows} such windows that it has" if one.seen_windows else "the search"
        found = []
        for gain in one.gains:
            name, held = phrases.name_of(gain.figure), phrases.better(gain.held_share)
            known = phrases.better(Estimate(gain.share, math.nan, 1))
            found.append(
                f"Against the device as given {name} is {held} in {where}, and {known} in {known_in}"
                f"{_left(gain)}."
            )
        return [*found, *self._constrained(one)]

    def _constrained(self, one: HeldOut) -> list[str]:
        """Return sentences on how often the constraints hold under the requests held out."""
        found = []
        for who, met in (("For the choice", one.met), ("For the device as given", one.given_met)):
            if one.looks and one.is_trace:
                verb = "hold" if met else "do not hold"
                found.append(f"{who} the constraints {verb} in the rest of the trace, taken as a whole.")
            elif one.looks:
                found.append(f"{who} the constraints hold in {met} of {one.looks} of these seeds.")
        return found

    def _look(self) -> str:
        return "one window each" if self.is_trace else "one seed each"

    def _counted(self) -> list[str]:
        of = "" if self.size == float("inf") else f" of {int(self.size):,}"
        feasible = sum(design.meets for design in self.designs)
        count = f"{self.runs:,}{of} designs were run"
        met = f", of which {feasible:,} meet the constraints" if self.aims.constraints else ""
        brief = (
            f"; {self.screened:,} brief runs before them cost as much as {self.screening:.0f} of them"
            if self.screened
            else ""
        )
        again = 0 if self.selected is None else self.selected.runs
        compared = f" Comparing the best took {again:,} further runs, of {self._look()}." if again else ""
        found = [f"{count}{met}{brief}.{compared}"]
        if self.equal:
            others = "other has" if self.equal == 1 else "others have"
            found.append(f"{self.equal:,} {others} the same figures: their differences have no effect.")
        missing = sum(self.impossible.values())
        if missing:
            share = 100 * missing / self.runs
            are = "design is impossible or has" if missing == 1 else "designs are impossible or have"
            found.append(f"{missing:,} {are} no figures ({share:.1f} %):")
            found += [f"  {count:,}: {reason}" for reason, count in self.impossible.items()]
        return found


def _left(gain: Gain) -> str:
    """Return the end of a sentence on a gain, such as ": 80% of that is left" under new requests.

    The text is empty if the gain in the search was negligible.
    """
    if gain.survives is None:
        return ""
    if gain.survives <= 0:
        return ": nothing of that is left"
    return ": all of that is left" if gain.survives >= 1 else f": {gain.survives:.0%} of that is left"


def why_impossible(rows: Sequence[Row]) -> dict[str, int]:
    """Return the number of rows without figures by the reason; numbers in the reasons do not matter."""
    return grouped(reason for row in rows if (reason := _why(row)) is not None)


def _why(row: Row) -> str | None:
    """Return the reason why a row of results has no figures; None if it has figures."""
    if row["status"] == FAILED:
        return str(row["error"])
    if row["status"] == OK or (row["status"] == SATURATED and row["figures"].get("mean_response_s")):
        return None
    return str(row["status"])
