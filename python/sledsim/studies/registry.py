"""The list of studies: a file each, which ends with its row."""

from importlib import import_module

from .study import Definition

_FILES = (
    "data_sheet seek_map equivalence_regions zone_threshold seek_distance seek_distribution "
    "seek_models slew_limit sensitivities subregions large_requests read_modify_write "
    "access_sequence error_correction tip_spread data_loss array_survival power_strategies start_up"
).split()


def _rows() -> "list[Definition]":
    """The rows of all files; what has several has them in `ROWS`."""
    files = [import_module(f"{__package__}.{name}") for name in _FILES]
    return [row for file in files for row in (file.ROWS if hasattr(file, "ROWS") else (file.ROW,))]


#: Every study, in the order in which they are listed.
STUDIES: tuple[Definition, ...] = tuple(_rows())
