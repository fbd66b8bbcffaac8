"""Run all settings, or those of some papers."""

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
    """Return the sort key of a claim: claims by number, then experiments."""
    found = re.fullmatch(r"(\d{3}-[CE])-?(\d+)([a-z]?)", name)
    if found is None:
        raise ValueError(f"{name}: expected one like 001-C20a or 001-E-12a")
    return found[1], int(found[2]), found[3]


#: Default and maximum number of plausible devices.
SAMPLES, MOST_SAMPLES = 128, 10**6
#: Default settings.
USUAL = Asked(SAMPLES, 1, None, DRAWS)
#: Minimum number of requests of a load.
MIN_COUNT = 500
#: Names of the claims, with their parts, in the order of the papers.
NAMES: tuple[str, ...] = tuple(sorted((claim.name for one in SETTINGS for claim in one.claims), key=_place))


def settings_of(papers: Iterable[str] = ()) -> list[Setting]:
    """Return the settings of some papers; of all papers by default.

    Raises:
        ParameterError: A paper does not exist.
    """
    wanted = list(papers)
    for paper in wanted:
        if paper not in PAPERS:
            raise ParameterError(f"paper {paper!r}: expected one of {', '.join(PAPERS)}")
    return [one for one in SETTINGS if not wanted or one.paper in wanted]


def robustness_work(settings: Iterable[Setting], samples: int = SAMPLES, replications: int = DRAWS) -> int:
    """Return the number of points that `measure_robustness` runs."""
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
    """Estimate the share of plausible devices in which comparing claims of the papers hold.

    Args:
        settings: Settings with their claims, from `settings_of`.
        samples: Number of plausible devices to draw for each setting.
        folder: Folder that keeps each finished device; the same call continues there.
        seed: Seed of devices and requests.
        count: Number of requests of each drawn load; None for the number of each setting.
        replications: Number of draws of requests for each device. All subjects on a device get the same
            draws; each device has its own.
        workers: Number of threads; one per processor by default.
        progress: Called with the number of points done, out of `robustness_work`.
        kept: Called with all results so far after each setting.

    Raises:
        ParameterError: A number is out of range.
        TraceError, OSError: `sweep` fails.
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
