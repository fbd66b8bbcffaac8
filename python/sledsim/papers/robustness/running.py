"""Runs all settings, or those of some papers."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from sledsim import ParameterError
from sledsim.estimates import check_whole
from sledsim.files import PathLike
from sledsim.plausible import DRAWS, Measurement, Question, Setting

from ..shared.experiments import PAPERS
from .result import NAME, Asked, Part, Robustness, Row
from .table import SETTINGS


def _place(name: str) -> tuple[str, int, str]:
    """Claims by their numbers, and what is of an experiment behind them."""
    found = re.fullmatch(r"(\d{3}-[CE])-?(\d+)([a-z]?)", name)
    if found is None:
        raise ValueError(f"{name}: expected one like 001-C20a or 001-E-12a")
    return found[1], int(found[2]), found[3]


#: Plausible devices to draw, unless another number is asked for, and the most that are drawn.
SAMPLES, MOST_SAMPLES = 128, 10**6
#: What is asked, unless something else is asked for.
USUAL = Asked(SAMPLES, 1, None, DRAWS)
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
            raise ParameterError(f"paper {paper!r}: expected one of {', '.join(PAPERS)}")
    return [one for one in SETTINGS if not wanted or one.paper in wanted]


def robustness_work(settings: Iterable[Setting], samples: int = SAMPLES, replications: int = DRAWS) -> int:
    """How many points `measure_robustness` runs."""
    return sum(Question(one).work(samples, replications) for one in settings)


def measure_robustness(
    settings: Sequence[Setting] = SETTINGS,
    samples: int = SAMPLES,
    folder: PathLike | None = None,
    *,
    seed: int = 1,
    count: int | None = None,
    replications: int = DRAWS,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    kept: Callable[[Robustness], object] | None = None,
) -> Robustness:
    """In which part of plausible devices the comparing claims of the papers hold.

    Args:
        settings: What is compared, from `settings_of`.
        samples: Plausible devices to draw for each.
        folder: Keeps every device as soon as it is run, so that the same call goes on there.
        seed: Of the devices and of requests.
        count: Requests of each load that is drawn; None for as many as each setting has.
        replications: Draws of requests of each device, where they are drawn: all that is compared on it has
            the same ones, and another device has others.
        workers: Threads; as many as there are processors if not given.
        progress: Called with the number of points done, of those of `robustness_work`.
        kept: Called with all that is known after each setting.

    Raises:
        ParameterError: A number is out of range.
        TraceError, OSError: As `sweep`.
    """
    check_whole("samples", samples, 2, MOST_SAMPLES)
    check_whole("replications", replications, 1, MOST_SAMPLES)
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
            measured = Measurement(question, samples, where, seed, workers, report, count, replications)
            rows += _rows(setting, measured, Asked(samples, seed, count, replications))
            done += question.work(samples, replications)
            if kept:
                kept(Robustness(tuple(rows)))
    return Robustness(()).merged(Robustness(rows), NAMES)


def _rows(setting: Setting, measured: Measurement, asked: Asked) -> list[Row]:
    seed = measured.seed
    here = list(measured.answers())
    alike = list(measured.answers(by_load=True)) if setting.by_load else [None] * len(here)
    return [
        Row(
            claim=one.claim.name,
            id=one.claim.id,
            setting=setting.name,
            says=one.claim.says,
            conditions=one.claim.conditions,
            here=Part.of(one, seed),
            by_load=Part.of(other, seed) if other else None,
            **asdict(asked),
        )
        for one, other in zip(here, alike, strict=True)
    ]
