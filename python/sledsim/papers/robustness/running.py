"""Runs all settings, or those of some papers."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ... import _native
from ...common.arguments import check_whole
from ...common.files import PathLike
from ..shared.experiments import PAPERS
from .measuring import Measurement, Question
from .result import NAME, Part, Robustness, Row
from .settings import Setting
from .table import SETTINGS


def _place(name: str) -> tuple[str, int, str]:
    """Claims by their numbers, and what is of an experiment behind them."""
    found = re.fullmatch(r"(\d{3}-[CE])-?(\d+)([a-z]?)", name)
    if found is None:
        raise ValueError(f"{name}: expected one like 001-C20a or 001-E-12a")
    return found[1], int(found[2]), found[3]


#: Plausible devices that are looked at, unless another number is asked for, and more than anybody waits for.
DEVICES, MOST_DEVICES = 256, 10**6
#: Fewer requests of a load say nothing.
MIN_COUNT = 500
#: The claims, with their parts, in the order of the papers.
NAMES: tuple[str, ...] = tuple(sorted((claim.name for one in SETTINGS for claim in one.claims), key=_place))


def settings_of(papers: Iterable[str] = ()) -> list[Setting]:
    """The settings of some papers; of all where none is named.

    Raises:
        ParameterError: There is no such paper.
    """
    wanted = list(papers)
    for paper in wanted:
        if paper not in PAPERS:
            raise _native.ParameterError(f"paper {paper!r}: expected one of {', '.join(PAPERS)}")
    return [one for one in SETTINGS if not wanted or one.paper in wanted]


def robustness_work(settings: Iterable[Setting], devices: int = DEVICES) -> int:
    """How many points `measure_robustness` runs."""
    return sum(Question(one).work(devices) for one in settings)


def measure_robustness(
    settings: Sequence[Setting] = SETTINGS,
    devices: int = DEVICES,
    folder: PathLike | None = None,
    *,
    seed: int = 1,
    count: int | None = None,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    kept: Callable[[Robustness], object] | None = None,
) -> Robustness:
    """In which part of plausible devices the comparing claims of the papers hold.

    Args:
        settings: What is compared, from `settings_of`.
        devices: How many plausible devices are looked at for each.
        folder: Keeps every device as soon as it is run, so that the same call goes on there.
        seed: Of the devices and of requests.
        count: Requests of each load that is drawn; None for as many as each setting has.
        workers: Threads; as many as there are processors if not given.
        progress: Called with the number of points done, of those of `robustness_work`.
        kept: Called with all that is known after each setting.

    Raises:
        ParameterError: A number is out of range.
        TraceError, OSError: As `sweep`.
    """
    check_whole("devices", devices, 2, MOST_DEVICES)
    if count is not None:
        check_whole("count", count, MIN_COUNT)
    rows: list[Row] = []
    done = 0
    with TemporaryDirectory(prefix="sledsim-") as left:
        ledgers = Path(left if folder is None else folder) / NAME
        for setting in settings:
            question = Question(setting)
            report = (lambda number, done=done: progress(done + number)) if progress else None
            where = ledgers / setting.name
            measured = Measurement(question, devices, where, seed, workers, report, count)
            rows += _rows(setting, measured, devices, seed, count)
            done += question.work(devices)
            if kept:
                kept(Robustness(tuple(rows)))
    return Robustness(()).merged(Robustness(rows), NAMES)


def _rows(setting: Setting, measured: Measurement, devices: int, seed: int, count: int | None) -> list[Row]:
    here = list(measured.answers())
    alike = list(measured.answers(by_load=True)) if setting.by_load else [None] * len(here)
    return [
        Row(
            claim=one.claim.name,
            id=one.claim.id,
            setting=setting.name,
            says=one.claim.says,
            conditions=one.claim.conditions,
            devices=devices,
            here=Part.of(one, seed),
            by_load=Part.of(other, seed) if other else None,
            seed=seed,
            count=count,
        )
        for one, other in zip(here, alike, strict=True)
    ]
