"""List of all experiments in the order of the papers, built from the Python files of the papers' folders."""

from importlib import import_module
from pathlib import Path

from ..shared.experiments import PAPERS, Experiment

_ROOM = Path(__file__).parents[1]


def _rows() -> "list[Experiment]":
    names = (
        f"p{paper}.{file.stem}" for paper in PAPERS for file in sorted((_ROOM / f"p{paper}").glob("e*_*.py"))
    )
    package = __package__.rpartition(".")[0]
    return [Experiment.of(import_module(f"{package}.{name}")) for name in names]


#: All experiments, in the order of the papers.
EXPERIMENTS: tuple[Experiment, ...] = tuple(_rows())
