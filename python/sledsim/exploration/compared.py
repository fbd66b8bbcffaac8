"""Comparisons of devices and volumes that a TOML file describes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..common.declared import plain_kinds
from ..common.output_files import PathLike
from ..runs.prices import Prices
from .comparing import comparison_study
from .experiment import check_keys, how_read, named_requests, named_subjects, names_beside, read_file
from .question_options import PriceOptions
from .study_points import Study

#: Types that the value of each key in a comparison file may have, and the name of these types in messages. A
#: key whose value is always a list has no entry.
_KINDS: Mapping[str, tuple[Any, str]] = {
    "schedulers": ((str, list), "names of policies"),
    "scales": ((int, float, list), "numbers"),
    **dict.fromkeys(("past_end", "replay", "out"), (str, "a text")),
    **plain_kinds(PriceOptions),
    **dict.fromkeys(("prices", "set", "reading"), (dict, "a table")),
}
_NAMES = ("workloads", "devices", "volumes")


@dataclass(frozen=True)
class Asked:
    """The contents of a comparison file, checked and ready to run.

    Attributes:
        study: Study whose points the file asks to compare.
        prices: Prices of devices, volumes and energy.
        out: Folder or file for the results, as a path from the folder of the comparison file; None writes no
            results.
        given: Contents of the file, unchanged: the value of each key.
    """

    study: Study
    prices: Prices
    out: Path | None
    given: Mapping[str, Any]


def read_comparison(path: PathLike) -> Asked:
    """Read a comparison from a TOML file.

    The file may have the keys ``workloads``, ``devices`` and ``volumes`` (lists of names, or of files
    relative to the comparison file), ``schedulers`` (``"all"`` for every policy; default sptf), ``scales``,
    ``past_end``, ``replay``, ``out``, ``lifetime_years`` and ``kwh_price``. It may have the tables
    ``[prices]`` (by names of devices and volumes), ``[set]`` (parameters of all devices) and ``[reading]``
    (``format``, ``map`` and ``skip_bad`` of trace files).

    Raises:
        ParameterError: The file does not describe a comparison; the message names the file and the key.
        TraceError: A trace cannot be used.
        OSError: A file cannot be read.
    """
    return read_file(path, _asked)


def _asked(given: dict[str, Any], folder: Path) -> Asked:
    check_keys(given, (*_NAMES, *_KINDS), _KINDS)
    workloads, devices, volumes = (names_beside(given, key, folder) for key in _NAMES)
    study = comparison_study(
        named_subjects(devices, volumes, given.get("set", {})),
        named_requests(workloads, how_read(given), once=True),
        given.get("schedulers", "sptf"),
        given.get("scales", 1.0),
        given.get("past_end", "error"),
        given.get("replay"),
    )
    costs = {key: given[key] for key in plain_kinds(PriceOptions) if key in given}
    prices = Prices(given.get("prices", {}), **costs)
    prices.check(subject.name for subject in study.subjects)
    return Asked(study, prices, folder / given["out"] if "out" in given else None, given)
