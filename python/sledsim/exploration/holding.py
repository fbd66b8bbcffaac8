"""In which part of all plausible devices something holds, and what decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from .. import _native
from ..common.arguments import check_whole
from ..common.arrow import pyarrow
from ..common.charted import Charted
from ..common.files import PathLike, write_table
from ..common.progress import Progress, Told, told, watched
from ..common.shown import Form, Shown, quoted
from ..common.tabular import Tabular
from ..model.systems import Target
from ..model.typed import imported
from ..traces.trace import Trace
from ..uncertainty.deciding import Split, distances, nearest, one_split
from ..uncertainty.expressions import Condition, parse_condition
from ..uncertainty.factors import Factors
from ..uncertainty.indices import Indices
from ..uncertainty.sampling import sobol
from ..uncertainty.shares import Share, Verdict, share
from .question import Answers, Example, Question, work
from .sample import Measuring, Over, factors_from, named
from .sensitivity import index_rows, overloaded_in_words
from .subjects import Requests, subjects_of

if TYPE_CHECKING:
    import pyarrow as _pyarrow

#: Plausible devices that are looked at, unless another number is asked for.
DEVICES = 256
#: The name of the files of a result, without ending.
NAME = "holds"
#: Indices with wider intervals say nothing.
_WIDE = 1.0


@dataclass(frozen=True, repr=False)
class Holding(Charted, Tabular, Shown):
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
        undefined: How many devices do not count: they cannot be, or several queues grow without end.
        missing: Why.
        unknown: Why it is not known for others, and for how many: the interval holds whatever is so for them.
        overloaded: In how many devices some requests of a trace come faster than they are served.
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
    unknown: Mapping[str, int]
    overloaded: int
    devices: int
    pairs: Sequence[tuple[str, str]]
    looked_at: "_pyarrow.Table"

    @property
    def verdict(self) -> Verdict:
        """``yes`` where the share is known to be above the threshold, ``no`` below, ``undecided``."""
        return self.share.verdict(self.threshold)

    def _arrow(self) -> "_pyarrow.Table":
        return self.looked_at

    def _in_line(self) -> str:
        return f"{quoted(str(self.condition))}: {self.verdict}, in {100 * self.share.value:.1f} % of devices"

    def _form(self) -> Form:
        notes = [self.sentence(), *self.in_words()]
        calls = ("plot()", "for_it", "against", "to_pandas()")
        return Form(f"{self.condition}: {self.verdict}", rows=self.index_rows(), notes=notes, calls=calls)

    def sentence(self) -> str:
        """What one could print in a paper."""
        one = self.share
        shares = f"{100 * one.value:.1f} %"
        of = f"{one.count} of {one.trials}"
        if one.unknown:
            shares = f"{100 * one.least:.1f} to {100 * one.most:.1f} %"
            of += f", and of {one.unknown} it is not known"
        found = (
            f"{self.condition} holds in {shares} of plausible devices"
            f" ({100 * one.low:.1f} to {100 * one.high:.1f} %; {of})"
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

    @property
    def indices_tell(self) -> bool:
        """Whether the intervals of the indices are so narrow that they say something."""
        return self.indices is not None and self.indices.widest[1].width <= _WIDE

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
        if self.verdict == "undecided":
            found.append(f"Undecided: the interval holds {self.threshold:.0%}; {self._what_would_tell()}.")
        if self.split is not None and self.split.decides:
            found.append(f"It holds where {self.split}.")
        elif self.split is not None and self.split.validated_balanced > 0.5:
            found.append(f"The best rule is that it holds where {self.split}.")
        elif self.split is not None:
            found.append("No rule by one factor is right more often than chance.")
        if self.nominal is not None:
            found.append(f"It {'holds' if self.nominal else 'does not hold'} for the device itself.")
        found += overloaded_in_words(self.overloaded, self.devices)
        if self.share.unknown:
            found += [
                f"For {self.share.unknown:,} of {self.devices:,} devices it is not known: the interval holds"
                " whatever is so for them.",
                *_listed(self.unknown),
            ]
        if self.undefined:
            found += [
                f"{self.undefined:,} of {self.devices:,} devices do not count:",
                *_listed(self.missing),
            ]
        return found

    def _what_would_tell(self) -> str:
        one = self.share
        if one.least <= self.threshold <= one.most and one.unknown:
            return "those of which it is not known decide; more requests (--count) may tell of them"
        if self.threshold >= 1:
            return "no sample shows that it holds in all"
        return "more devices would tell"


def _listed(reasons: Mapping[str, int]) -> list[str]:
    return [f"  {count:,}: {reason}" for reason, count in reasons.items()]


@watched
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
    progress: Progress = None,
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
        progress: As for `simulate`, with the number of points done, of those that `question.work` counts.
        measuring: As for `sensitivity`.

    Raises:
        ParameterError: The condition or a value is wrong, or a figure names nothing that is there.
        TraceError, OSError: As `sweep`.
    """
    asked = parse_condition(condition) if isinstance(condition, str) else condition
    check_whole("devices", devices, 2, 10**8)
    requests = workload if isinstance(workload, Requests) else Requests.of(workload)
    subjects = subjects_of(imported(of))
    how, factors = Measuring(requests, **measuring), factors_from(over, subjects)
    question = Question(asked, how, subjects, factors, scheduler)
    report = told(progress, work(asked, subjects, len(factors.names), devices, indices))
    return _holding(question, devices, threshold, confidence, indices, report)


def _holding(
    question: Question,
    devices: int,
    threshold: float,
    confidence: float,
    indices: bool,
    progress: Told | None,
) -> Holding:
    asked, factors, seed = question.condition, question.factors, question.measuring.seed
    points = sobol(devices, len(factors.names), seed)
    nominal = question.nominal_place()
    answers = question.answers(points, progress)
    decided, out, unknown = ~answers.truth.undefined, answers.out, answers.unknown
    if not decided.any():
        reason = next(iter(answers.why(~decided)))
        raise _native.TraceError(f"{asked}: it is known for none of {devices:,} devices: {reason}")
    count, known = int(answers.truth.holds[decided].sum()), int(decided.sum())
    found = share(count, known, confidence, unknown=int(unknown.sum()))
    columns = factors.columns(points, question.subjects[0].nominal, is_strict=False)
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
        undefined=int(out.sum()),
        missing=answers.why(out),
        unknown=answers.why(unknown),
        overloaded=answers.overloaded,
        devices=devices,
        pairs=question.pairs(),
        looked_at=_table(columns, answers),
    )


def _table(columns: Mapping[str, NDArray[Any]], answers: Answers) -> "_pyarrow.Table":
    figures = {named(figure): values for figure, values in answers.values.items()}
    every = {name: column.tolist() for name, column in {**columns, **figures}.items()}
    known = pyarrow.array(answers.truth.holds, pyarrow.bool_(), mask=answers.truth.undefined)
    return pyarrow.table({**every, "holds": known, "margin": answers.truth.margin})
