"""The list of studies: built-in studies, and studies of installed packages."""

from dataclasses import replace
from importlib import import_module

from ..common import packages
from .sheet import Definition
from .sheet_options import described, unknown

_FILES = (
    "data_sheet seek_map equivalence_regions zone_threshold seek_distance seek_distribution "
    "seek_models slew_limit sensitivities subregions large_requests read_modify_write "
    "access_sequence error_correction tip_spread data_loss array_survival power_strategies start_up"
).split()


def _rows() -> "list[Definition]":
    """Return the built-in studies from the files of this package.

    A file defines one study as ``ROW``, or several as the list ``ROWS``.
    """
    files = [import_module(f"{__package__}.{name}") for name in _FILES]
    return [row for file in files for row in (file.ROWS if hasattr(file, "ROWS") else (file.ROW,))]


#: All studies of sledsim, in the order in which lists show them.
BUILT_IN: tuple[Definition, ...] = tuple(_rows())


def every() -> tuple[Definition, ...]:
    """Return all studies, first the built-in ones; unusable studies of packages cause warnings."""
    found: list[Definition] = []
    names = {study.name for study in BUILT_IN}

    def add(one: packages.Added) -> None:
        if one.name in names:
            raise one.wrong("has the name of a built-in study")
        found.append(_loaded(one))

    packages.each("study", add)
    return (*BUILT_IN, *found)


def find(name: str) -> Definition:
    """Return the study with this name.

    Raises:
        ParameterError: No study has this name (the message suggests a similar name), or the study of a
            package is unusable.
    """
    for study in BUILT_IN:
        if study.name == name:
            return study
    if (one := packages.added("study", name)) is not None:
        return _loaded(one)
    raise unknown("study", name, [study.name for study in every()])


def _loaded(one: packages.Added) -> Definition:
    found = one.load()
    if not isinstance(found, Definition):
        raise one.wrong(f"expected a sledsim.studies.Definition, found {found!r}")
    try:
        described(found.table)
    except KeyError as error:
        raise one.wrong(f"has no line under Args of its docstring for the option {error}") from None
    return replace(found, own_name=one.name, description=one.marked(found.description))
