"""The kind ``experiments`` of ``sledsim list`` and ``sledsim show``."""

from sledsim.commands import Kind

from .paper import list_experiments


def _rows() -> dict[str, str]:
    from .. import EXPERIMENTS

    return {row.id: row.title for row in EXPERIMENTS}


def _show(name: str | None, as_json: bool, typed: str) -> None:
    list_experiments(None if name is None else [name], as_json)


#: The kind of named things ``experiments``, which lists the experiments by id.
KIND = Kind("experiments", "Experiments of the papers, for 'sledsim paper run'", _rows, _show)
