"""Functions that test the comparing claims of all papers, or of some, on plausible devices."""

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
    """Return the sort key of a tested claim, such as ``001-C20a``: paper, kind of id, number and letter."""
    found = re.fullmatch(r"(\d{3}-[CE])-?(\d+)([a-z]?)", name)
    if found is None:
        raise ValueError(f"tested claim {name}: expected an id such as 001-C20a or 001-E-12a")
    return found[1], int(found[2]), found[3]


#: Default and maximum number of plausible devices.
SAMPLES, MOST_SAMPLES = 128, 10**6
#: Settings of a run without options.
USUAL = Asked(SAMPLES, 1, None, DRAWS)
#: Minimum number of requests of a random load.
MIN_COUNT = 500
#: Ids of all tested claims with their letters, such as ``001-C20a``, in the order of the papers.
NAMES: tuple[str, ...] = tuple(sorted((claim.name for one in SETTINGS for claim in one.claims), key=_place))


def settings_of(papers: Iterable[str] = ()) -> list[Setting]:
    """Return the sort key of a tested claim such as ``001-C20a``: paper, kind of id, number and letter.

    Raises:
        ParameterError: A paper does not exist.
    """
    wanted = list(papers)
    for paper in wanted:
        if paper not in PAPERS:
            raise ParameterError(f"paper {paper!r}: expected one of {', '.join(PAPERS)}")
    return [one for one in SETTINGS if not wanted or one.paper in wanted]


def robustness_work(settings: Iterable[Setting], samples: int = SAMPLES, replications: int = DRAWS) -> int:
    """Return the number of points, each a run, that `measure_robustness` computes with these arguments."""
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
    """Estimate the share of plausible devices with which comparing claims of the papers hold.

    Args:
        settings: Settings with their claims, from `settings_of`.
        samples: Number of plausible devices to draw for each setting.
        folder: Folder that keeps the results of each finished device, so that the same call continues an
            interrupted run; None to keep nothing.
        seed: Seed of devices and requests.
        count: Number of requests of each random load; None for the number that each setting states.
        replications: Number of draws of requests for each plausible device. All devices and volumes compared
            get the same draws.
        workers: Number of threads; None for one per processor.
        progress: Function called with the number of points done, out of `robustness_work`.
        kept: Function called after each setting with all results so far.

    Raises:
        ParameterError: A number is out of range.
        TraceError, OSError: The sweep over the devices fails.
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
