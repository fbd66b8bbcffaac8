"""The interface of an executor, which simulates the points of a study."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..study_points import Study

#: A function that receives finished rows and keeps them; only one thread calls it at a time.
Keep: TypeAlias = Callable[[Sequence[dict[str, Any]]], None]


@dataclass(frozen=True)
class Work:
    """The points of a study that are to be run.

    Attributes:
        study: Study with the points.
        numbers: Numbers of the points that have no row yet.
        workers: Number of threads or processes that run points; None takes the number of processors.
    """

    study: Study
    numbers: Sequence[int]
    workers: int | None = None


@dataclass(frozen=True)
class Executor:
    """An executor of points, as a row of the table `EXECUTORS`.

    Attributes:
        name: Name of the executor as in ``--on NAME`` or ``--on NAME:WHERE``.
        form: Form of the whole value of ``--on``, such as ``local:N``.
        description: Description in one line.
        run: Function ``run(work, keep, where)``: it runs the points of `work` and passes each finished row to
            `keep`. `where` is the text after the colon of ``--on``.
    """

    name: str
    form: str
    description: str
    run: Callable[[Work, Keep, str], None]
