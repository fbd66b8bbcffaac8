"""What an executor is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..study_points import Study

#: Takes rows that are done, in any thread, one call at a time.
Keep: TypeAlias = Callable[[Sequence[dict[str, Any]]], None]


@dataclass(frozen=True)
class Work:
    """What is to be run.

    Attributes:
        study: What is asked for.
        numbers: The points that have no row yet.
        workers: Threads or processes; None takes as many as there are processors.
    """

    study: Study
    numbers: Sequence[int]
    workers: int | None = None


@dataclass(frozen=True)
class Executor:
    """A row of the table `EXECUTORS`.

    Attributes:
        name: What ``--on`` names, before any colon.
        form: How it is written.
        description: What it is, in a line.
        run: Runs all points, and hands their rows over as they come: ``run(work, keep, where)`` with what
            stands behind the colon.
    """

    name: str
    form: str
    description: str
    run: Callable[[Work, Keep, str], None]
