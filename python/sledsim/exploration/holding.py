"""The share of plausible devices for which a condition holds, and the parameter that decides it."""

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
from ..common.declared import settled
from ..common.deprecation import old_attributes, renamed
from ..common.grids import Grid
from ..common.output_files import PathLike, write_table
from ..common.progress import Progress, Told, told, watched
from ..common.shown import Form, Result, quoted
from ..model.typed import imported
from ..model.volumes import Target
from ..traces.trace import Trace
from ..uncertainty.deciding import Nearest, Split, distances, nearest, one_split
from ..uncertainty.draws import DrawnAnswers, DrawnShare, draw_seeds, drawn_share
from ..uncertainty.expressions import Condition, parse_condition
from ..uncertainty.factors import Factors
from ..uncertainty.indices import Indices
from ..uncertainty.shares import Verdict, verdict_of
from ..uncertainty.space_filling import sobol
from .question import Answers, Example, Question, work
from .question_options import HoldingOptions
from .sample import Measuring, Over, factors_from, named
from .sobol_sensitivity import index_rows, indices_grid, overloaded_in_words
from .subjects import Requests, subjects_of

if TYPE_CHECKING:
    import pyarrow as _pyarrow
    from typing_extensions import Unpack

#: Default number of plausible devices.
SAMPLES = 256
#: Name, without ending, of the files that a result is written to.
NAME = "holds"
#: Largest width of the interval of a Sobol' index: if an interval is wider, the indices are not reported.
_WIDE = 1.0


@old_attributes
@dataclass(frozen=True, repr=False)
class Holding(Charted, Result):
    """The result of `holds`: the share of plausible devices for which a condition holds, and the reasons.

    Attributes:
        condition: Condition whose share is estimated.
        workload: Name of the requests.
        share: Share of all runs (each of one plausible device under one draw of requests) in which the
            condition holds, with its interval.
        draws: Number of times that the requests are drawn for each device; None for a trace.
        threshold: Share of runs above which the verdict is yes.
        split: Best rule that tells from the value of one factor whether the condition holds, such as a limit
            on it. The rule is found on devices whose answer is the same under all draws of requests; None if
            all devices agree.
        indices: Sobol' indices of the answer to the condition, under the same requests for all devices; None
            if all devices agree.
        for_it: Device for which the condition holds most narrowly: its margin is the smallest. Devices with
            the same answer under all draws of requests are preferred.
        against: Device for which the condition fails most narrowly: its margin is the smallest. Devices with
            the same answer under all draws of requests are preferred.
        nominal: Share of draws of requests for which the condition holds on the device with its nominal
            parameters; None if unknown.
        factors: Factors: the parameters that vary, and the policy if it varies.
        undefined: Number of excluded devices: those that are impossible, or on which several of the compared
            policies are saturated.
        missing: Number of excluded devices for each reason to exclude them.
        unknown: Number of devices with an unknown answer, for each reason. The interval of `share` covers
            every possible answer of these devices.
        left_out: Number of excluded runs of devices that are themselves not excluded; the reasons are the
            same as for devices.
        overloaded: Number of devices that are overloaded during a part of the trace.
        samples: Number of plausible devices that were drawn to estimate the share.
        pairs: Pairs of a device (or volume) and a policy, by their names, that the condition compares.
        looked_at: Table with a row per run, as the method `table` returns it.
    """

    condition: Condition
    workload: str
    share: DrawnShare
    draws: int | None
    threshold: float
    split: Split | None
    indices: Indices | None
    for_it: Example | None
    against: Example | None
    nominal: float | None
    factors: Factors
    undefined: int
    missing: Mapping[str, int]
    unknown: Mapping[str, int]
    left_out: int
    overloaded: int
    samples: int
    pairs: Sequence[tuple[str, str]]
    looked_at: "_pyarrow.Table"

    @property
    def verdict(self) -> Verdict:
        """``yes`` if the interval of the share is above the threshold, ``no`` if below, or ``undecided``."""
        return self.share.verdict(self.threshold)

    def _form(self) -> Form:
        line = f"{quoted(str(self.condition))}: {self.verdict}, in {100 * self.share.value:.1f} % of devices"
        title, calls = f"{self.condition}: {self.verdict}", ("plot()", "for_it", "against", "to_pandas()")
        return Form(title, self._parts, calls=calls, line=line)

    def _parts(self) -> list[Grid | str]:
        return [self.sentence(), *self.in_words(), *self._decided()]

    def _decided(self) -> list[Grid | str]:
        """Return a table of Sobol' indices, or a hint if too few devices differ; empty without indices."""
        if self.indices is None:
            return []
        if not self.indices_tell:
            return ["Too few devices differ for Sobol indices: raise --samples."]
        return [indices_grid(self.indices, "Causes of different answers"), *self.indices.in_words()]

    def sentence(self) -> str:
        """Return the share, its interval and the deciding factor in a sentence fit for a paper."""
        one = self.share
        shares = f"{100 * one.value:.1f} %"
        of = f"{one.always} of {one.devices}"
        if self.draws is not None and self.draws > 1:
            of = f"under each draw of requests in {one.always} of {one.devices}, under some in {one.changing}"
        if one.unknown:
            shares = f"{100 * one.least:.1f} to {100 * one.most:.1f} %"
            of += f", unknown in {one.unknown}"
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
        """List the policies of a device or volume that the condition compares."""
        return list(dict.fromkeys(policy for device, policy in self.pairs if device == name))

    @property
    def indices_tell(self) -> bool:
        """True if the intervals of the Sobol' indices are narrow enough to be informative."""
        return self.indices is not None and self.indices.widest[1].width <= _WIDE

    def index_rows(self) -> list[dict[str, Any]]:
        """Return one row per factor with its Sobol' indices, as `Sensitivity.rows` does."""
        return [] if self.indices is None else index_rows(str(self.condition), self.indices)

    def table(self) -> "_pyarrow.Table":
        """Return a row per run: device, seed, values of factors, figures, answer and margin.

        The columns ``sample`` and ``seed`` are the numbers of the device and of the requests' seed (None for
        a trace). ``holds`` is the answer, None if unknown; ``margin`` is the relative difference of the two
        sides.
        """
        return self.looked_at

    def write(self, folder: PathLike) -> list[Path]:
        """Write `table` as Parquet and CSV into a folder, which is created if needed; return both paths.

        Raises:
            OSError: A file cannot be written; an incomplete file is removed.
        """
        return write_table(self.table(), folder, NAME)

    def in_words(self) -> list[str]:
        """Return sentences on the rule, the nominal device, excluded devices and the interval."""
        found = []
        if self.verdict == "undecided":
            found.append(f"Undecided: the interval holds {self.threshold:.0%}; {self._what_would_tell()}.")
        if not self.share.unknown:
            found.append(self._doubt())
        if self.split is not None and self.split.decides:
            found.append(f"The condition holds where {self.split}.")
        elif self.split is not None and self.split.validated_balanced > 0.5:
            found.append(f"The best rule: the condition holds where {self.split}.")
        elif self.split is not None:
            found.append("No rule by one factor is right more often than chance.")
        if self.nominal in (0, 1):
            found.append(
                f"The condition {'holds' if self.nominal else 'does not hold'} for the device itself."
            )
        elif self.nominal is not None:
            found.append(f"The condition holds in {self.nominal:.0%} of the draws of the device itself.")
        return [*found, *self._not_known()]

    def _not_known(self) -> list[str]:
        """Return sentences with the numbers of devices that are overloaded, unknown or excluded."""
        found = overloaded_in_words(self.overloaded, self.samples)
        if self.share.unknown:
            found += [
                f"For {self.share.unknown:,} of {self.samples:,} devices the answer is unknown: the interval"
                " covers every possible answer of these devices.",
                *_listed(self.unknown),
            ]
        if self.undefined:
            found += [f"{self.undefined:,} of {self.samples:,} devices are excluded:", *_listed(self.missing)]
        if self.left_out:
            found.append(f"{self.left_out:,} runs of other devices are excluded for the same reasons.")
        return found

    def _doubt(self) -> str:
        """Return a sentence on the width of the interval now, and with twice the devices or draws."""
        doubt = self.share.doubt
        wide = f"The interval is {100 * (self.share.high - self.share.low):.1f} percentage points wide"
        twice = f"twice as many devices would make it {100 * doubt.twice_devices:.1f}"
        if doubt.devices is None or doubt.draws is None or doubt.twice_draws is None:
            if self.draws is None:
                return f"{wide}; {twice}. It covers the requests of this trace, but no other requests."
            return f"{wide}; {twice}. Two draws or more (--replications) would show the effect of draws."
        return (
            f"{wide}: devices alone make it {100 * doubt.devices:.1f}, draws of requests alone"
            f" {100 * doubt.draws:.1f}; {twice}, twice as many draws {100 * doubt.twice_draws:.1f}."
        )

    def _what_would_tell(self) -> str:
        one = self.share
        if one.least <= self.threshold <= one.most and one.unknown:
            return "the unknown answers decide; more requests (--count) may settle them"
        if self.threshold >= 1:
            return "no sample can show that the condition holds in all devices"
        return "more devices would decide"


def _listed(reasons: Mapping[str, int]) -> list[str]:
    return [f"  {count:,}: {reason}" for reason, count in reasons.items()]


@renamed
@watched
def holds(
    condition: str | Condition,
    workload: Trace | str,
    devices: Target | str | Sequence[Target | str] = "osdi00",
    over: Over = None,
    *,
    scheduler: str = "sptf",
    samples: int = SAMPLES,
    progress: Progress = None,
    **asked: "Unpack[HoldingOptions]",
) -> Holding:
    """Estimate the share of plausible devices for which a condition holds; each device has its own requests.

    All policies and devices that the condition compares run under the same requests.

    Args:
        condition: Condition such as ``p99(sptf) < p99(clook_lbn)``. It compares figures, each measured under
            a policy, on a device or volume out of `devices`, or both.
        workload: Trace, or name of a workload such as ``random:rate=900``.
        devices: Devices, or their names. A figure of the condition that names no device is a figure of the
            first one.
        over: Factors: None for the ranges of the devices' files, a TOML file with ``[ranges]`` and
            ``[derived]``, or ranges by name: ``{"settle_ms": "0.1..0.4"}``.
        scheduler: Policy of figures that do not name a policy.
        samples: Number of plausible devices to draw.
        progress: Function that is called with the number of points done, as for `simulate`, out of the number
            that `question.work` returns.
        asked: Options of `HoldingOptions`.

    Raises:
        ParameterError: The condition or a value is wrong, or a figure has an unknown name.
        TraceError, OSError: A run fails as in `sweep`.
    """
    measuring = settled(asked, HoldingOptions, holds)
    own = ("replications", "threshold", "confidence", "indices")
    replications, threshold, confidence, indices = map(measuring.pop, own)
    verdict_of(0.0, 0.0, threshold)  # Find an error before a long run.
    parsed = parse_condition(condition) if isinstance(condition, str) else condition
    check_whole("samples", samples, 2, 10**8)
    check_whole("replications", replications, 1, 10**6)
    requests = workload if isinstance(workload, Requests) else Requests.of(workload)
    subjects = subjects_of(imported(devices))
    how, factors = Measuring(requests, **measuring), factors_from(over, subjects)
    question = Question(parsed, how, subjects, factors, scheduler)
    draws = replications if requests.is_drawn else None
    report = told(progress, work(parsed, subjects, len(factors.names), samples, indices, draws or 1))
    return _holding(question, samples, draws, threshold, confidence, indices, report)


def _holding(
    question: Question,
    samples: int,
    draws: int | None,
    threshold: float,
    confidence: float,
    indices: bool,
    progress: Told | None,
) -> Holding:
    asked, factors, seed = question.condition, question.factors, question.measuring.seed
    points = sobol(samples, len(factors.names), seed)
    runs = np.repeat(points, draws or 1, axis=0)
    seeds = None if draws is None else draw_seeds(samples, draws, seed)
    answers = question.answers(runs, progress, seeds=None if seeds is None else seeds[1:].ravel().tolist())
    truth, shape = answers.truth, (samples, draws or 1)
    every = DrawnAnswers(*(one.reshape(shape) for one in (truth.holds, truth.fails, answers.unknown)))
    if not every.known.any():
        reason = next(iter(answers.why(truth.undefined)))
        raise _native.TraceError(f"{asked}: the answer is unknown for all {samples:,} devices: {reason}")
    found = drawn_share(every, confidence)
    columns = factors.columns(points, question.subjects[0].nominal, is_strict=False)
    decided = every.decided
    split = one_split({name: columns[name][decided] for name in factors.names}, every.yes[decided] > 0, seed)
    examples = [
        question.example(runs, answers, one) if one else None
        for one in _nearest(question, runs, answers, np.repeat(decided, draws or 1))
    ]
    decides = None
    if indices and found.always + found.changing and found.never + found.changing:
        decides = question.indices(samples, progress, len(runs))
    out = answers.out.reshape(shape)
    return Holding(
        condition=asked,
        workload=question.measuring.requests.name,
        share=found,
        draws=draws,
        threshold=threshold,
        split=split,
        indices=decides,
        for_it=examples[0],
        against=examples[1],
        nominal=question.of_the_device_itself(None if seeds is None else seeds[0].tolist()),
        factors=factors,
        undefined=int((~every.counted).sum()),
        missing=answers.why(_first(out, ~every.counted)),
        unknown=answers.why(_first(answers.unknown.reshape(shape), every.unknown)),
        left_out=int(out[every.counted].sum()),
        overloaded=answers.overloaded,
        samples=samples,
        pairs=question.pairs(),
        looked_at=_table(columns, answers, samples),
    )


def _first(runs: NDArray[np.bool_], devices: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark one run per device: the first that `runs` marks, if `devices` marks the device.

    `runs` has the shape (devices, draws); the result is flat, one entry per run.
    """
    is_first = runs & (runs.cumsum(axis=1) == 1) & devices[:, None]
    return np.asarray(is_first.ravel())


def _nearest(
    question: Question, runs: NDArray[np.float64], answers: Answers, decided: NDArray[np.bool_]
) -> list[Nearest | None]:
    """Return the two runs with the smallest margins: in one the condition holds, in the other it fails.

    Devices that `decided` marks, with the same answer under all draws, are preferred.
    """
    truth, far = answers.truth, distances(runs, question.nominal_place(), question.factors.levels)
    sure = nearest(np.where(decided, truth.margin, np.nan), truth.holds, far)
    return [
        next(iter([*one, *other]), None)
        for one, other in zip(sure, nearest(truth.margin, truth.holds, far), strict=True)
    ]


def _table(columns: Mapping[str, NDArray[Any]], answers: Answers, samples: int) -> "_pyarrow.Table":
    draws = len(answers.rows) // samples
    figures = {named(figure): values for figure, values in answers.values.items()}
    repeated = {name: np.repeat(column, draws) for name, column in columns.items()}
    every = {name: column.tolist() for name, column in {**repeated, **figures}.items()}
    known = pyarrow.array(answers.truth.holds, pyarrow.bool_(), mask=answers.truth.undefined)
    unseeded: list[int | None] = [None] * len(answers.rows)
    seeds = pyarrow.array(answers.seeds or unseeded, pyarrow.int64())
    which = {"sample": np.repeat(np.arange(samples), draws), "seed": seeds}
    return pyarrow.table({**which, **every, "holds": known, "margin": answers.truth.margin})
