"""In which part of all plausible devices something holds, and what decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.arguments import check_whole
from ..common.arrow import pyarrow
from ..common.charted import Charted
from ..common.files import PathLike, write_table
from ..model.systems import Target
from ..traces.trace import Trace
from ..uncertainty.deciding import Nearest, Split, distances, nearest, one_split
from ..uncertainty.expressions import Condition, parse_condition
from ..uncertainty.factors import Factors
from ..uncertainty.indices import Indices, sensitivity_design, sobol_indices
from ..uncertainty.nodes import Figure, Truth
from ..uncertainty.sampling import sobol
from ..uncertainty.shares import Share, Verdict, share
from .evaluation import Row
from .figures import OK
from .sample import (
    Measuring,
    Over,
    Progress,
    check_factors,
    factors_from,
    figure_name,
    named,
    sampled,
    value_of,
)
from .sensitivity import design_devices, design_rows, index_rows
from .subjects import Requests, Subject, subjects_of

if TYPE_CHECKING:
    import pyarrow as _pyarrow

#: Plausible devices that are looked at, unless another number is asked for.
DEVICES = 256
#: The name of the files of a result, without ending.
NAME = "holds"
#: For the indices so many times as many are looked at, at most.
_MORE = 2


@dataclass(frozen=True)
class Example:
    """A device that is near the edge.

    Attributes:
        holds: What is so for it.
        margin: By how much: the difference of both sides as a part of the right one.
        values: Its factors.
        changes: What is changed of the device or volume that has them, by the name of each.
        figures: What the condition compares, as it names them.
    """

    holds: bool
    margin: float
    values: Mapping[str, Any]
    changes: Mapping[str, Mapping[str, Any]]
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Holding(Charted):
    """What `holds` found.

    Attributes:
        condition: What was asked.
        workload: The requests.
        share: In which part of plausible devices it holds, with its interval.
        threshold: The share above which it is said to hold.
        split: The one rule that decides best; None where all devices agree.
        indices: What makes it hold here and not there, as Sobol's indices; None where all agree.
        for_it: The nearest device in which it holds, if there is one.
        against: The nearest in which it does not.
        nominal: Whether it holds for the device itself; None where that has no such figures.
        factors: What varies.
        undefined: How many devices have no such figures, and so do not count.
        missing: Why.
        devices: How many were looked at for the share.
        pairs: The devices and volumes by name, and the policies, that it compares.
        looked_at: As `table` gives it.
    """

    condition: Condition
    workload: str
    share: Share
    threshold: float
    split: Split | None
    indices: Indices | None
    for_it: Example | None
    against: Example | None
    nominal: bool | None
    factors: Factors
    undefined: int
    missing: Mapping[str, int]
    devices: int
    pairs: Sequence[tuple[str, str]]
    looked_at: "_pyarrow.Table"

    @property
    def verdict(self) -> Verdict:
        """``yes`` where the share is known to be above the threshold, ``no`` below, ``undecided``."""
        return self.share.verdict(self.threshold)

    def sentence(self) -> str:
        """What one could print in a paper."""
        one = self.share
        found = (
            f"{self.condition} holds in {100 * one.value:.1f} % of plausible devices"
            f" ({100 * one.low:.1f} to {100 * one.high:.1f} %; {one.count} of {one.trials})"
        )
        if self.split is None:
            return f"{found}."
        return (
            f"{found}; {self.split.factor} decides."
            if self.split.decides
            else f"{found}; no factor alone decides."
        )

    def policies(self, name: str) -> list[str]:
        """The policies of a device or volume that the condition compares."""
        return list(dict.fromkeys(policy for device, policy in self.pairs if device == name))

    def index_rows(self) -> list[dict[str, Any]]:
        """The indices, a row a factor, as `Sensitivity.rows` has them."""
        return [] if self.indices is None else index_rows(str(self.condition), self.indices)

    def table(self) -> "_pyarrow.Table":
        """The devices that were looked at, a row each: factors, figures, ``holds`` and ``margin``.

        What is not known has ``holds`` None.
        """
        return self.looked_at

    def write(self, folder: PathLike) -> list[Path]:
        """Write `table` as Parquet and CSV into a folder, which is made if need be.

        Raises:
            OSError: A file cannot be written; no part of it is left.
        """
        return write_table(self.table(), folder, NAME)

    def in_words(self) -> list[str]:
        """What else can be said, in sentences."""
        found = []
        if self.split is not None:
            found.append(f"It holds where {self.split}.")
        if self.nominal is not None:
            found.append(f"It {'holds' if self.nominal else 'does not hold'} for the device itself.")
        if self.undefined:
            found.append(
                f"{self.undefined:,} of {self.devices:,} devices do not count: it is not known for them."
            )
        return [*found, *(f"  {count:,}: {reason}" for reason, count in self.missing.items())]


def holds(
    condition: str | Condition,
    workload: Trace | str,
    of: Target | str | Sequence[Target | str] = "osdi00",
    over: Over = None,
    *,
    scheduler: str = "sptf",
    devices: int = DEVICES,
    threshold: float = 0.5,
    confidence: float = 0.95,
    indices: bool = True,
    progress: Progress | None = None,
    **measuring: Any,
) -> Holding:
    """Whether something holds over plausible devices, all under the same requests.

    Args:
        condition: Such as ``p99(sptf) < p99(clook_lbn)``: figures of policies, of devices and volumes among
            `of`, or of a device and a policy.
        workload: A trace, or the name of a workload such as ``random:rate=900``.
        of: Devices, by name or from `device`; the first is meant where a figure names none.
        over: What varies: None for the ranges of the devices' files, a TOML file with ``[ranges]`` and
            ``[derived]``, or ranges by name: ``{"settle_ms": "0.1..0.4"}``.
        scheduler: The policy that is meant where a figure names none.
        devices: How many to look at.
        threshold: The share of devices above which it holds.
        confidence: Of the interval of the share.
        indices: Whether further devices are looked at, up to twice as many, for what decides.
        progress: Called with the number of points done, of those that `work` counts.
        measuring: As for `sensitivity`.

    Raises:
        ParameterError: The condition or a value is wrong, or a figure names nothing that is there.
        TraceError, OSError: As `sweep`.
    """
    asked = parse_condition(condition) if isinstance(condition, str) else condition
    check_whole("devices", devices, 2, 10**8)
    requests = workload if isinstance(workload, Requests) else Requests.of(workload)
    subjects = subjects_of(of)
    how, factors = Measuring(requests, **measuring), factors_from(over, subjects)
    question = _Question(asked, how, subjects, factors, scheduler)
    return _holding(question, devices, threshold, confidence, indices, progress)


def _holding(
    question: "_Question",
    devices: int,
    threshold: float,
    confidence: float,
    indices: bool,
    progress: Progress | None,
) -> Holding:
    asked, factors, seed = question.condition, question.factors, question.measuring.seed
    points = sobol(devices, len(factors.names), seed)
    nominal = question.nominal_place()
    answers = question.answers(points, progress)
    decided = ~answers.truth.undefined
    if not decided.any():
        reason = next(iter(answers.why_undefined()))
        raise _native.TraceError(f"{asked}: it is known for none of {devices:,} devices: {reason}")
    found = share(int(answers.truth.holds[decided].sum()), int(decided.sum()), confidence)
    columns = factors.columns(points, question.subjects[0].nominal)
    varied = {name: columns[name][decided] for name in factors.names}
    split = one_split(varied, answers.truth.holds[decided], seed)
    near = nearest(answers.truth.margin, answers.truth.holds, distances(points, nominal, factors.levels))
    examples = [question.example(points, answers, one[0]) if one else None for one in near]
    decides = None
    if indices and split is not None:
        decides = question.indices(devices, progress, len(points))
    return Holding(
        condition=asked,
        workload=question.measuring.requests.name,
        share=found,
        threshold=threshold,
        split=split,
        indices=decides,
        for_it=examples[0],
        against=examples[1],
        nominal=question.of_the_device_itself(),
        factors=factors,
        undefined=int((~decided).sum()),
        missing=answers.why_undefined(),
        devices=devices,
        pairs=question.pairs(),
        looked_at=_table(columns, answers),
    )


def work(
    condition: Condition, subjects: Sequence[Subject], factors: int, devices: int, indices: bool = True
) -> int:
    """How many points `holds` runs at the most.

    Raises:
        ParameterError: A figure names nothing that is there.
    """
    pairs = _pairs(_split_up(condition, subjects, "sptf"))
    more = design_devices(factors, _MORE * devices) if indices and _rows_of_indices(factors, devices) else 0
    return pairs * (devices + more)


def _rows_of_indices(factors: int, devices: int) -> int:
    """Rows of the design for the indices, 0 where there would be too few."""
    try:
        return design_rows(factors, _MORE * devices)
    except _native.ParameterError:
        return 0


@dataclass(frozen=True)
class _Answers:
    """What is known of devices: the rows of each, the figures of the condition, and whether it holds."""

    rows: list[list[Row]]
    values: Mapping[Figure, NDArray[np.float64]]
    truth: Truth

    def why_undefined(self) -> dict[str, int]:
        """Why it is not known for devices, and for how many for each reason, the most frequent first."""
        counts: dict[str, int] = {}
        for at in np.flatnonzero(self.truth.undefined):
            found = [row["error"] or row["status"] for row in self.rows[at] if row["status"] != OK]
            reason = found[0] if found else "no such figure"
            counts[reason] = counts.get(reason, 0) + 1
        return dict(sorted(counts.items(), key=lambda pair: -pair[1]))


def _table(columns: Mapping[str, NDArray[Any]], answers: _Answers) -> "_pyarrow.Table":
    figures = {named(figure): values for figure, values in answers.values.items()}
    every = {name: column.tolist() for name, column in {**columns, **figures}.items()}
    known = pyarrow.array(answers.truth.holds, pyarrow.bool_(), mask=answers.truth.undefined)
    return pyarrow.table({**every, "holds": known, "margin": answers.truth.margin})


class _Question:
    """A condition over plausible devices."""

    def __init__(
        self,
        condition: Condition,
        measuring: Measuring,
        subjects: Sequence[Subject],
        factors: Factors,
        scheduler: str,
    ) -> None:
        self.condition, self.measuring = condition, measuring
        self.subjects, self.factors = subjects, factors
        self._of = _split_up(condition, subjects, scheduler)
        if not self._of:
            raise _native.ParameterError(
                f"{condition}: expected a figure or more, such as p99(sptf), found none"
            )
        names = {subject.name for _, subject, _ in self._of.values()}
        check_factors(factors, [subject for subject in subjects if subject.name in names])

    def answers(
        self, points: NDArray[np.float64], progress: Progress | None = None, before: int = 0
    ) -> _Answers:
        """What is so for the devices at points of the unit cube."""
        every: list[list[Row]] = [[] for _ in points]
        values: dict[Figure, NDArray[np.float64]] = {}
        for subject in self.subjects:
            policies = list(dict.fromkeys(one[2] for one in self._of.values() if one[1] is subject))
            if not policies:
                continue
            sample = sampled(self.factors, subject, points)
            done = before + sum(map(len, every))
            report = (lambda number, done=done: progress(done + number)) if progress else None
            rows = self.measuring.rows(self.measuring.study(subject, policies, sample), report)
            for at, row in enumerate(rows):
                every[at // len(policies)].append(row)
            for figure, (name, of, policy) in self._of.items():
                if of is subject:
                    own = rows[policies.index(policy) :: len(policies)]
                    values[figure] = np.array([value_of(row, name) for row in own])
        endless = sum(np.isinf(column).astype(int) for column in values.values())
        # Where two queues grow without end, nobody knows which is longer.
        cleared = {figure: np.where(endless > 1, np.nan, column) for figure, column in values.items()}
        return _Answers(every, values, self.condition.truth(cleared))

    def pairs(self) -> list[tuple[str, str]]:
        """The devices and volumes by name, each with its policies."""
        return list(dict.fromkeys((subject.name, policy) for _, subject, policy in self._of.values()))

    def nominal_place(self) -> NDArray[np.float64]:
        """Where the device itself is in the unit cube."""
        return self.factors.place(self.subjects[0].nominal)

    def of_the_device_itself(self) -> bool | None:
        """Whether it holds for the device as it is."""
        values: dict[Figure, float] = {}
        for figure, (name, subject, policy) in self._of.items():
            (row,) = self.measuring.rows(self.measuring.study(subject, [policy], [{}]))
            values[figure] = value_of(row, name)
        truth = self.condition.truth({figure: [value] for figure, value in values.items()})
        return None if truth.undefined[0] else bool(truth.holds[0])

    def example(self, points: NDArray[np.float64], answers: _Answers, near: Nearest) -> Example:
        """A device near the edge, as somebody would make it again."""
        at = points[near.device : near.device + 1]
        columns = self.factors.columns(at, self.subjects[0].nominal)
        used = {subject.name: subject for _, subject, _ in self._of.values()}
        return Example(
            holds=near.holds,
            margin=near.margin,
            values={name: column.tolist()[0] for name, column in columns.items()},
            changes={name: sampled(self.factors, subject, at)[0] for name, subject in used.items()},
            figures={named(figure): float(column[near.device]) for figure, column in answers.values.items()},
        )

    def indices(self, devices: int, progress: Progress | None, before: int) -> Indices | None:
        """What makes it hold here and not there; None where there are too few devices for it."""
        count = len(self.factors.names)
        rows = _rows_of_indices(count, devices)
        if not rows:
            return None
        design = sensitivity_design(count, rows, self.measuring.seed + 1)
        answers = self.answers(design.reshape(-1, count), progress, before * _pairs(self._of))
        values = np.where(answers.truth.undefined, np.nan, answers.truth.holds.astype(np.float64))
        return sobol_indices(values.reshape(design.shape[:-1]), self.factors.names)


def _pairs(of: Mapping[Figure, tuple[str, Subject, str]]) -> int:
    """How many pairs of a device or volume and a policy there are."""
    return len({(subject.name, policy) for _, subject, policy in of.values()})


def _split_up(
    condition: Condition, subjects: Sequence[Subject], scheduler: str
) -> dict[Figure, tuple[str, Subject, str]]:
    """Of each figure of a condition its whole name, the device or volume, and the policy.

    Raises:
        ParameterError: It names something that is not there, or two of a kind.
    """
    return {figure: _one(figure, subjects, scheduler) for figure in condition.figures}


def _is_policy(name: str) -> bool:
    try:
        _native.row_name("schedulers", name.partition(":")[0].split("+")[0])
    except _native.ParameterError:
        return False
    return True


def _one(figure: Figure, subjects: Sequence[Subject], scheduler: str) -> tuple[str, Subject, str]:
    of: list[Subject] = []
    policies: list[str] = []
    devices = {subject.name: subject for subject in subjects}
    for argument in figure.arguments:
        if argument in devices:
            of.append(devices[argument])
        elif _is_policy(argument):
            policies.append(argument)
        else:
            expected = f"a policy, or one of {', '.join(devices)}"
            raise _native.ParameterError(f"{named(figure)}: expected {expected}, found {argument!r}")
    if len(of) > 1 or len(policies) > 1:
        raise _native.ParameterError(
            f"{named(figure)}: expected one device or volume and one policy, found two"
        )
    return figure_name(figure.name), (of or [subjects[0]])[0], (policies or [scheduler])[0]
