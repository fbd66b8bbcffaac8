"""Sensitivity: the parameters of a device ranked by their effect on a figure, over all plausible devices."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _native
from ..common.arguments import check_whole
from ..common.arrow import pyarrow
from ..common.charted import Charted
from ..common.declared import settled
from ..common.deprecation import old_attributes, renamed
from ..common.grids import Grid
from ..common.output_files import PathLike, write_table
from ..common.progress import Progress, Told, told, watched
from ..common.ranking import ordered
from ..common.shown import Form, Result, counted, quoted
from ..model.typed import imported, imported_members
from ..model.volumes import Target
from ..traces.trace import Trace
from ..uncertainty.factors import Factors
from ..uncertainty.indices import SCRAMBLINGS, Indices, sensitivity_design, sobol_indices
from ..uncertainty.shares import share
from .point_figures import FAILED, SATURATED
from .question_options import MeasuringOptions
from .reasons import reasons
from .sample import Measuring, Over, check_factors, factors_from, figure_name, sampled, value_of
from .subjects import Requests, Subject, subject_of

if TYPE_CHECKING:
    import pyarrow as _pyarrow
    from typing_extensions import Unpack

#: Default number of rows in each set of the experimental design: enough for intervals about 0.1 wide if one
#: or two factors cause most of the variance.
ROWS = 32
#: Name of the only factor that is not a parameter of a device: the policy.
POLICY = "scheduler"
#: Name, without ending, of the files that a result is written to.
NAME = "sensitivity"


@old_attributes
@dataclass(frozen=True, repr=False)
class Sensitivity(Charted, Result):
    """The result of `sensitivity`: Sobol' indices of one or several figures.

    Attributes:
        device: Name of the device.
        workload: Name of the workload or trace.
        scheduler: Policy of all devices, unless the policy is a factor.
        factors: Factors: the parameters that vary, and the policy if it varies.
        indices: Sobol' indices of each figure, by the name of the figure.
        samples: Number of plausible devices that were drawn.
        missing: Number of devices without figures, such as impossible ones, for each reason.
        overloaded: Number of devices that a trace overloads.
    """

    device: str
    workload: str
    scheduler: str
    factors: Factors
    indices: Mapping[str, Indices]
    samples: int
    missing: Mapping[str, int] = field(default_factory=dict)
    overloaded: int = 0

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per figure and factor; each figure also has rows for a dummy factor and for the sum.

        Each row has ``figure``, ``factor``, and ``first``, ``first_low``, ``first_high``, ``total``,
        ``total_low``, ``total_high``; unknown values are None.
        """
        found = []
        for figure, indices in self.indices.items():
            found += index_rows(figure, indices)
        return found

    def table(self) -> "_pyarrow.Table":
        """Return the Sobol' indices of all figures as a pyarrow Table, with the columns of `rows`."""
        text, number = pyarrow.string(), pyarrow.float64()
        names = ["figure", "factor", *(f"{kind}{end}" for kind in ("first", "total") for end in _ENDS)]
        kinds = [(name, text if name in names[:2] else number) for name in names]
        about = {"device": self.device, "workload": self.workload, "samples": self.samples}
        schema = pyarrow.schema(kinds, metadata={b"sledsim": json.dumps(about).encode()})
        return pyarrow.Table.from_pylist(self.rows(), schema=schema)

    def _form(self) -> Form:
        of = f"{quoted(self.device)} under {quoted(self.workload)}"
        line = f"of {of}: {counted(len(self.factors.names), 'factor')}, {counted(self.samples, 'device')}"
        title = f"Sensitivity of {self.device} under {self.workload}"
        return Form(title, self._parts, calls=("plot()", "indices", "to_pandas()"), line=line)

    def _parts(self) -> list[Grid | str]:
        of = f"{self.workload} on {self.samples:,} devices like {self.device}"
        ranges = {factor.name: factor for factor in self.factors.varied}
        tables = [
            indices_grid(indices, f"Causes of variation of {figure}: {of}", ranges)
            for figure, indices in self.indices.items()
        ]
        return [*tables, *self.in_words()]

    def write(self, folder: PathLike) -> list[Path]:
        """Write `table` as Parquet and CSV into a folder, which is created if needed; return both paths.

        Raises:
            OSError: A file cannot be written; an incomplete file is removed.
        """
        return write_table(self.table(), folder, NAME)

    def in_words(self) -> list[str]:
        """Return sentences on the causes of variation, the accuracy and the devices without figures."""
        found = []
        for figure, indices in self.indices.items():
            before = f"{figure}: " if len(self.indices) > 1 else ""
            found += [before + sentence for sentence in indices.in_words()]
        found += overloaded_in_words(self.overloaded, self.samples)
        return [*found, *missing_in_words(self.missing, self.samples)]


def indices_grid(indices: Indices, title: str, ranges: Mapping[str, Any] | None = None) -> Grid:
    """Return a table of Sobol' indices: the factors with an effect, the largest first, then a dummy factor.

    Args:
        indices: Sobol' indices of a figure.
        title: Title above the table.
        ranges: Range of each factor, by name; None leaves out the columns of ranges and the row with the sum
            of first indices.
    """
    made = Grid(
        ("Factor", *(() if ranges is None else (">From", ">To")), ">First index", ">Total index"), [], title
    )
    for one in ordered(indices.factors, lambda one: -one.total.value, size=1):
        if one.name not in indices.inert:
            ends = () if ranges is None else _range(ranges[one.name])
            made.add_row(one.name, *ends, str(one.first), str(one.total))
    made.add_section()
    without = () if ranges is None else ("", "")
    made.add_row(indices.dummy.name, *without, str(indices.dummy.first), str(indices.dummy.total))
    if ranges is not None:
        made.add_row("sum of first", *without, str(indices.sum_of_first), "")
    return made


def _range(factor: Any) -> tuple[str, str]:
    if hasattr(factor, "options"):
        return ", ".join(map(str, factor.options)), ""
    return f"{factor.low:,g}", f"{factor.high:,g}"


def index_rows(figure: str, indices: Indices) -> list[dict[str, Any]]:
    """Return rows with the Sobol' indices of a figure: each factor, a dummy factor, and the sum."""
    found = []
    for one in [*indices.factors, indices.dummy]:
        ends = {"first": one.first, "total": one.total}
        found.append({"figure": figure, "factor": one.name} | _ends(ends))
    whole = {"figure": figure, "factor": "sum of first"}
    return [*found, whole | _ends({"first": indices.sum_of_first})]


_ENDS = ("", "_low", "_high")


def _ends(intervals: Mapping[str, Any]) -> dict[str, float | None]:
    return {
        f"{kind}{end}": None if np.isnan(value) else float(value)
        for kind, interval in intervals.items()
        for end, value in zip(_ENDS, interval, strict=True)
    }


def missing_in_words(missing: Mapping[str, int], devices: int) -> list[str]:
    """Return sentences on the number of devices without figures, and on the reasons."""
    if not missing:
        return []
    every = share(sum(missing.values()), devices)
    said = [f"{every.count:,} of {devices:,} devices have no figures ({100 * every.value:.1f} %):"]
    return [*said, *(f"  {count:,}: {reason}" for reason, count in missing.items())]


@renamed
@watched
def sensitivity(
    workload: Trace | str,
    device: Target | str = "osdi00",
    over: Over = None,
    *,
    volume: str | None = None,
    scheduler: str = "sptf",
    figures: str | Sequence[str] = "mean_response_s",
    samples: int | None = None,
    confidence: float = 0.95,
    progress: Progress = None,
    **measuring: "Unpack[MeasuringOptions]",
) -> Sensitivity:
    """Compute Sobol' indices of figures over plausible devices, all under the same requests.

    Args:
        workload: Trace, or name of a workload such as ``random:rate=900``.
        device: Device whose parameters vary, or its name or file.
        over: Factors: None for the ranges of the device's file, a TOML file with ``[ranges]`` and
            ``[derived]``, or ranges by name: ``{"settle_ms": "0.1..0.4", "scheduler": ["fcfs", "sptf"]}``.
        volume: Kind or file of a volume that is examined in place of the device: options of the volume and
            parameters of its members vary over the ranges of `over`.
        scheduler: Policy of all devices, unless the policy is a factor.
        figures: Short (``p99``) or full (``p99_response_s``) name of a figure, or a list of names.
        samples: Largest number of plausible devices to run. The experimental design consists of sets of equal
            size, a power of two; None takes 512 devices, and 256 more for each factor.
        confidence: Confidence level of the intervals, such as 0.95.
        progress: Function that is called with the number of devices done, as for `simulate`.
        measuring: Options of `MeasuringOptions`.

    Raises:
        ParameterError: A name or value is wrong, or `samples` is too small for a confidence interval.
        TraceError, OSError: A run fails as in `sweep`.
    """
    given = settled(measuring, MeasuringOptions, sensitivity)
    subject = subject_of(imported(device), None if volume is None else imported_members(volume))
    requests = workload if isinstance(workload, Requests) else Requests.of(workload)
    how, factors = Measuring(requests, **given), factors_from(over, [subject])
    report = told(progress, design_samples(len(factors.names), samples))
    return _sensitivity(how, subject, factors, scheduler, figures, samples, confidence, report)


def _sensitivity(
    measuring: Measuring,
    subject: Subject,
    factors: Factors,
    scheduler: str,
    figures: str | Sequence[str],
    samples: int | None,
    confidence: float,
    progress: Told | None,
) -> Sensitivity:
    names = [figure_name(name) for name in ([figures] if isinstance(figures, str) else figures)]
    check_factors(factors, [subject], [POLICY])
    rows = design_rows(len(factors.names), samples)
    design = sensitivity_design(len(factors.names), rows, measuring.seed)
    points = design.reshape(-1, len(factors.names))
    sample = sampled(factors, subject, points, [POLICY])
    found = measuring.rows(measuring.study(subject, [scheduler], sample), progress)
    missing = why_missing(found)
    shape = design.shape[:-1]
    indices = {}
    for name in names:
        values = np.array([value_of(row, name) for row in found]).reshape(shape)
        indices[name] = sobol_indices(values, factors.names, confidence)
    return Sensitivity(
        device=subject.name,
        workload=measuring.requests.name,
        scheduler=scheduler,
        factors=factors,
        indices=indices,
        samples=len(found),
        missing=missing,
        overloaded=sum(map(is_overloaded, found)),
    )


def design_rows(factors: int, samples: int | None) -> int:
    """Return the number of rows in each set of the experimental design that has at most `samples` devices.

    Raises:
        ParameterError: The number of devices is too small.
    """
    if samples is None:
        return ROWS
    check_whole("samples", samples, 1, 10**8)
    a_row = SCRAMBLINGS * (factors + 2)
    rows = samples // a_row
    if rows < 2:
        raise _native.ParameterError(
            f"samples = {samples}: expected at least {2 * a_row:,} devices for {factors} factors, and"
            f" {16 * a_row:,} or more for narrow intervals"
        )
    return int(1 << (rows.bit_length() - 1))


def design_samples(factors: int, samples: int | None) -> int:
    """Return the number of plausible devices in an experimental design, for at most `samples` devices.

    Raises:
        ParameterError: The number of devices is too small.
    """
    return design_rows(factors, samples) * SCRAMBLINGS * (factors + 2)


def why_missing(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of devices without figures for each reason."""
    found = reasons(row for row in rows if row["status"] == FAILED)  # type: ignore[misc]
    for row in rows:
        if row["error"] is None and row["status"] != "ok" and not is_overloaded(row):
            found[row["status"]] = found.get(row["status"], 0) + 1
    return found


def is_overloaded(row: Mapping[str, Any]) -> bool:
    """Return True if the row of a trace says that the device is overloaded during a part of the trace."""
    return row["status"] == SATURATED and row["figures"].get("mean_response_s") is not None


def overloaded_in_words(count: int, devices: int) -> list[str]:
    """Return a sentence on the number of overloaded devices; no sentence if the number is 0."""
    if not count:
        return []
    return [
        f"The trace overloads {count:,} of {devices:,} devices: figures there are those of this number of"
        " requests, and grow with it."
    ]
