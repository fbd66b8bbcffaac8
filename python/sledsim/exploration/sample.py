"""Plausible devices, drawn from ranges, and the settings for running them."""

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

#: Short names of figures in conditions, with the full names.
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
#: Mean and quantiles of the response time: on a saturated device, they count as infinite.
_OF_THE_QUEUE = ("mean_response_s", "p50_response_s", "p95_response_s", "p99_response_s", "p999_response_s")
_ENDLESS = (*_OF_THE_QUEUE, "max_response_s", "mean_queue_length")

Progress = Callable[[int], object]


@dataclass(frozen=True)
class Measuring:
    """The settings for runs of plausible devices.

    Attributes:
        requests: Workload or trace.
        replications: Number of runs of each device, with the same seeds for all devices.
        count: Number of requests per run of a random workload; None takes the number that the workload
            states, or `DRAWN`.
        seed: Seed of the first replication, and seed for drawing the devices.
        scale: Speed-up of the arrivals.
        past_end: Rule, one that `past_end_rules` lists, for requests past the end of a device.
        replay: Replay rule, one that `replays` lists; None takes the default of `simulate`.
        folder: Folder of the ledger that keeps the rows; None keeps no rows.
        on: Place where the points are simulated, as for `sweep`.
        workers: Number of threads or processes.
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
        """Build the study of plausible devices under some policies; each entry of `sample` is a device.

        An entry has the parameters that the device changes, with values.
        """
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
        """Run all points of a study and return their rows, in the order of the points.

        Raises:
            ParameterError, TraceError, OSError: A run fails as in `sweep`.
        """
        with ExitStack() as left:
            folder = self.folder or Path(left.enter_context(TemporaryDirectory(prefix="sledsim-")))
            found = run_study(study, folder, on=self.on, workers=self.workers, progress=progress)
            return list(found.rows())


#: Factors in any form: None for the ranges in device files, a TOML file, ranges by name, or `Factors`.
Over = Factors | PathLike | Mapping[str, Any] | None


#: Text in place of the value of a derived parameter whose expression divides by 0; every device refuses it.
_NO_NUMBER = "no number"


def factors_from(over: Over, subjects: Sequence[Subject]) -> Factors:
    """Return factors that are given in any form of `Over`.

    Args:
        over: Factors: None for the ranges in the files of the devices, each with its own; a TOML file with
            ``[ranges]`` and ``[derived]``; ranges by name, such as ``{"settle_ms": "0.1..0.4", "scheduler":
            ["fcfs", "sptf"]}``; both tables as a dictionary; or `Factors`.
        subjects: Devices and volumes whose own ranges apply if `over` is None.

    Raises:
        ParameterError: A range is wrong, or no device has a range.
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
        raise _native.ParameterError(f"over: expected ranges, found none, and none in the file of {names}")
    return Factors([one for key in keys for one in _own_ranges(key, subjects)])


def _own_ranges(key: str, subjects: Sequence[Subject]) -> list[Range]:
    """Return the factors for one parameter, as the files of the devices have ranges for it.

    All devices with this parameter, and the members of volumes, share one factor if their ranges and nominal
    values are equal. Else each device has its own factor, with the name of the device as a prefix.
    """
    owners = [subject for subject in subjects if key in subject.ranges()]
    found = owners[0].ranges()[key]
    members = [name for one in subjects if one not in owners for name in one.member_keys(key)]
    others = [one for one in subjects if one not in owners and one.keys_of([key])[key]]
    is_one = len({one.ranges()[key] for one in owners}) == 1
    if is_one and all(_is_of_members(key, one, owners[0]) for one in others):
        return [Range(key, *found)]
    own = [_range(f"{one.name}.{key}", one.nominal[key], *one.ranges()[key]) for one in owners]
    # A volume may have an option with this name, too, which the files of devices do not describe.
    return own + [_range(name, owners[0].nominal[key], *found) for name in dict.fromkeys(members) if is_one]


def _is_of_members(key: str, volume: Subject, device: Subject) -> bool:
    """Return True if a volume's members have a parameter with the same nominal value as a device has."""
    is_option = volume.keys_of([key])[key] == [key]
    return volume.made_from is not None and not is_option and volume.nominal[key] == device.nominal[key]


def _range(name: str, nominal: Any, low: float, high: float, log: bool) -> Range:
    return Range(name, low, high, log, whole=Range(name, low, high, log).is_whole(nominal))


def figure_name(name: str) -> str:
    """Return the full name of a figure from its short or full name.

    Raises:
        ParameterError: The figure is unknown.
    """
    found = SHORT.get(name, name)
    if found not in MEANINGS:
        known = ", ".join([*SHORT, *MEANINGS])
        raise _native.ParameterError(f"figure {name!r} is unknown: expected one of {known}")
    return found


def value_of(row: Row, figure: str) -> float:
    """Return a figure of a row as a number: infinite if the device is saturated, NaN if unknown."""
    if row["status"] == SATURATED and figure in _ENDLESS and row["figures"].get(figure) is None:
        return math.inf
    value = row["figures"].get(figure)
    return math.nan if value is None else float(value)


def sampled(
    factors: Factors, subject: Subject, points: NDArray[np.float64], others: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return, for each point of the unit cube, the parameters to change in a device or volume, with values.

    Factors of which neither the device nor a member of the volume has the parameter belong to other devices,
    and are left out. `others` are factors without a parameter, such as the policy, which are kept.
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
    """Return `sample` with the seed of its requests added to each entry; unchanged if `seeds` is None."""
    if seeds is None:
        return [dict(one) for one in sample]
    return [{**one, "seed": int(seed)} for one, seed in zip(sample, seeds, strict=True)]


def _told(column: Column, nominal: Any) -> list[Any]:
    """Return the values of a factor as settings of a device; NaN becomes a text that the device refuses."""
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
    """Raise an error for a factor that no device or expression uses, or a name that no device accepts.

    Raises:
        ParameterError: A factor or value is unknown.
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
            f"{name}: expected a parameter of {devices}, or a name that [derived] uses"
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
            f"{name}: expected whole numbers as ends of the range, as {name} = {values[0]} is whole, found"
            f" {factor}"
        )
    found = [value for value in values if isinstance(value, str | bool | Sequence)]
    if name in others or (found and len(found) == len(values)):
        own = f", as {name} = {found[0]!r} is no number" if found else ""
        raise _native.ParameterError(
            f"{name}: expected comma-separated values to choose from{own}, found a range"
        )


def named(figure: Figure) -> str:
    """Return a figure as a condition writes it: its name, and device, load and policy in parentheses."""
    return f"{figure.name}({', '.join(figure.arguments)})" if figure.arguments else figure.name
