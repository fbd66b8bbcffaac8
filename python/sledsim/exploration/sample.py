"""Plausible devices: drawn from ranges, and how each is measured."""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.declared import default_of
from ..common.output_files import PathLike
from ..traces.generators import given_options
from ..uncertainty.factors import Choice, Column, Factors, Range
from ..uncertainty.nodes import Figure
from ..uncertainty.ranges import factors_of, read_factors
from .evaluation import Row
from .point_figures import MEANINGS, SATURATED
from .question_options import DRAWN, MeasuringOptions
from .study_points import Study
from .subjects import Requests, Subject, refuse_unknown_names
from .sweeping import run_study

#: Short names of figures, as people write them in a condition.
SHORT: Mapping[str, str] = {
    "mean": "mean_response_s",
    "cv2": "cv2_response",
    **{name: f"{name}_response_s" for name in ("p50", "p95", "p99", "p999", "max")},
    "queue": "mean_queue_length",
    "service": "mean_service_s",
    "positioning": "mean_positioning_s",
    "busy": "utilization",
    "throughput": "throughput_per_s",
    "energy": "energy_per_request_j",
    "power": "mean_power_w",
    "capacity": "capacity_bytes",
}
#: What grows with the queue, and so without end where a device is saturated.
_OF_THE_QUEUE = ("mean_response_s", "p50_response_s", "p95_response_s", "p99_response_s", "p999_response_s")
_ENDLESS = (*_OF_THE_QUEUE, "max_response_s", "mean_queue_length")

Progress = Callable[[int], object]


@dataclass(frozen=True)
class Measuring:
    """How each plausible device is measured.

    Attributes:
        requests: The workload.
        replications: Runs of each device, all of the same seeds.
        count: Requests of a run of a drawn workload; None for what the workload says, or else `DRAWN`.
        seed: Of the first replication, and of the devices that are drawn.
        scale: Speed-up of the requests.
        past_end: One of `past_end_rules`.
        replay: One of `replays`; None as `simulate` has it.
        folder: Of the ledger that keeps what is run; None keeps nothing.
        on: Where points run, as for `sweep`.
        workers: Threads or processes.
    """

    requests: Requests
    replications: int = default_of(MeasuringOptions, "replications")
    count: int | None = None
    seed: int = default_of(MeasuringOptions, "seed")
    scale: float = default_of(MeasuringOptions, "scale")
    past_end: str = default_of(MeasuringOptions, "past_end")
    replay: str | None = None
    folder: PathLike | None = None
    on: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.requests.is_drawn and self.count is None and "count" not in given_options(self.requests.name):
            object.__setattr__(self, "count", DRAWN)

    def study(
        self, subject: Subject, schedulers: Sequence[str], sample: Sequence[Mapping[str, Any]]
    ) -> Study:
        """Some devices under some policies as a study."""
        return Study(
            [subject],
            [self.requests],
            schedulers=schedulers,
            scales=[self.scale],
            replications=self.replications,
            count=self.count,
            seed=self.seed,
            past_end=self.past_end,
            replay=self.replay,
            sample=sample,
        )

    def rows(self, study: Study, progress: Progress | None = None) -> list[Row]:
        """The rows of all points of a study, in their order.

        Raises:
            ParameterError, TraceError, OSError: As `sweep`.
        """
        with ExitStack() as left:
            folder = self.folder or Path(left.enter_context(TemporaryDirectory(prefix="sledsim-")))
            found = run_study(study, folder, on=self.on, workers=self.workers, progress=progress)
            return list(found.rows())


#: What varies: the ranges of the devices themselves (None), a TOML file, ranges by name, or factors.
Over = Factors | PathLike | Mapping[str, Any] | None


#: In the place of a derived parameter where its expression divides by 0.
_NO_NUMBER = "no number"


def factors_from(over: Over, subjects: Sequence[Subject]) -> Factors:
    """What varies.

    Args:
        over: None for the ranges that the device files give, of each device its own; a TOML file with
            ``[ranges]`` and ``[derived]``; ranges by name, as ``{"settle_ms": "0.1..0.4", "scheduler":
            ["fcfs", "sptf"]}``, or both tables as a dictionary; or factors.
        subjects: The devices and volumes, whose ranges are meant by None.

    Raises:
        ParameterError: A range is wrong, or no device has any.
        OSError: The file cannot be read.
    """
    if isinstance(over, Factors):
        return over
    if isinstance(over, str | os.PathLike):
        return read_factors(over)
    if over is not None:
        return factors_of(over if {"ranges", "derived"} & set(over) else {"ranges": over})
    keys = dict.fromkeys(key for subject in subjects for key in subject.ranges())
    if not keys:
        names = ", ".join(subject.name for subject in subjects)
        raise _native.ParameterError(f"over: expected ranges, found none, and the file of {names} gives none")
    return Factors([one for key in keys for one in _own_ranges(key, subjects)])


def _own_ranges(key: str, subjects: Sequence[Subject]) -> list[Range]:
    """The factors that a parameter is, as the files of devices say it.

    It is one for all if it is the same number in all that have it, such as that of a device and of the
    members of a volume; else each device has its own, with its name before it.
    """
    owners = [subject for subject in subjects if key in subject.ranges()]
    found = owners[0].ranges()[key]
    members = [name for one in subjects if one not in owners for name in one.member_keys(key)]
    others = [one for one in subjects if one not in owners and one.keys_of([key])[key]]
    is_one = len({one.ranges()[key] for one in owners}) == 1
    if is_one and all(_is_of_members(key, one, owners[0]) for one in others):
        return [Range(key, *found)]
    own = [_range(f"{one.name}.{key}", one.nominal[key], *one.ranges()[key]) for one in owners]
    # A volume has an option of that name, too, which no file of a device speaks of.
    return own + [_range(name, owners[0].nominal[key], *found) for name in dict.fromkeys(members) if is_one]


def _is_of_members(key: str, volume: Subject, device: Subject) -> bool:
    """Whether a parameter is that of the members of a volume, which have the value of a device."""
    is_option = volume.keys_of([key])[key] == [key]
    return volume.made_from is not None and not is_option and volume.nominal[key] == device.nominal[key]


def _range(name: str, nominal: Any, low: float, high: float, log: bool) -> Range:
    return Range(name, low, high, log, whole=Range(name, low, high, log).is_whole(nominal))


def figure_name(name: str) -> str:
    """The figure that a short or a whole name means.

    Raises:
        ParameterError: There is none.
    """
    found = SHORT.get(name, name)
    if found not in MEANINGS:
        known = ", ".join([*SHORT, *MEANINGS])
        raise _native.ParameterError(f"figure {name!r} is unknown: expected one of {known}")
    return found


def value_of(row: Row, figure: str) -> float:
    """A figure of a row as a number: infinite where a queue grows without end, NaN where it is not known."""
    if row["status"] == SATURATED and figure in _ENDLESS and row["figures"].get(figure) is None:
        return math.inf
    value = row["figures"].get(figure)
    return math.nan if value is None else float(value)


def sampled(
    factors: Factors, subject: Subject, points: NDArray[np.float64], others: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """What each point of the unit cube changes of a device or volume.

    A factor that the device or the members of the volume do not have is left out: it is another's.
    """
    columns = factors.columns(points, subject.nominal, is_strict=False)
    keys = subject.keys_of([name for name in columns if name not in others])
    kept = {
        key: _told(columns[name], subject.nominal.get(subject.own_name(name)))
        for name, own in keys.items()
        for key in own
    }
    kept |= {name: columns[name].tolist() for name in others if name in columns}
    return [{key: column[at] for key, column in kept.items()} for at in range(len(points))]


def with_seeds(sample: Sequence[Mapping[str, Any]], seeds: Sequence[int] | None) -> list[dict[str, Any]]:
    """A sample in which each device has requests of a seed of its own, where there are seeds."""
    if seeds is None:
        return [dict(one) for one in sample]
    return [{**one, "seed": int(seed)} for one, seed in zip(sample, seeds, strict=True)]


def _told(column: Column, nominal: Any) -> list[Any]:
    """The values of a column as a device is told them: what has no number is refused there by these words."""
    if column.dtype != np.float64:
        return list(column.tolist())
    is_whole = isinstance(nominal, int) and not isinstance(nominal, bool)
    return [
        _NO_NUMBER if math.isnan(one) else int(one) if is_whole and one.is_integer() else one
        for one in column.tolist()
    ]


def check_factors(
    factors: Factors, subjects: Sequence[Subject], others: Sequence[str] = (), unused: Sequence[str] = ()
) -> None:
    """Refuse factors that none of the devices has and nothing is derived from, and values that none knows.

    Raises:
        ParameterError: There is such a one.
    """
    used = {name for key, expression in factors.derived.items() for name in expression.names if name != key}
    for name in [*factors.names, *factors.derived]:
        if (
            name in used
            or name in (*others, *unused)
            or any(subject.keys_of([name])[name] for subject in subjects)
        ):
            continue
        devices = ", ".join(subject.name for subject in subjects)
        known = {*others, *(key for subject in subjects for key in subject.nominal)}
        meant = get_close_matches(name, known, 1)
        raise _native.ParameterError(
            f"{name}: expected a parameter of {devices}, or a name that [derived] uses, found none of these"
            + (f"; did you mean {meant[0]!r}?" if meant else "")
        )
    for factor in factors.varied:
        if isinstance(factor, Range):
            _refuse_what_is_no_number(factor, subjects, others)
        if isinstance(factor, Choice) and factor.name not in (*used, *others):
            having = [one for one in subjects if one.keys_of([factor.name])[factor.name]]
            refuse_unknown_names(having, factor.name, factor.options)


def _refuse_what_is_no_number(factor: Range, subjects: Sequence[Subject], others: Sequence[str]) -> None:
    name = factor.name
    values = [subject.nominal[name] for subject in subjects if name in subject.nominal]
    are_whole = all(isinstance(value, int) and not isinstance(value, bool) for value in values)
    are_devices = all(subject.made_from is None for subject in subjects)
    if values and are_whole and are_devices and not factor.is_whole(values[0]):
        raise _native.ParameterError(
            f"{name}: expected whole numbers as ends of the range, as {name} = {values[0]} is one, found"
            f" {factor}"
        )
    found = [value for value in values if isinstance(value, str | bool | Sequence)]
    if name in others or (found and len(found) == len(values)):
        own = f", as {name} = {found[0]!r} is no number" if found else ""
        raise _native.ParameterError(
            f"{name}: expected values to choose from with commas between{own}, found a range"
        )


def named(figure: Figure) -> str:
    """A figure of a condition as its text."""
    return f"{figure.name}({', '.join(figure.arguments)})" if figure.arguments else figure.name
