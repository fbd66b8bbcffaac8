"""Read a sweep from a TOML file."""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from .. import _native
from ..common import toml
from ..common.declared import declared, plain_kinds
from ..common.deprecation import warn
from ..common.error_places import errors_at
from ..common.output_files import PathLike
from ..traces.generators import is_generated
from ..traces.trace_files import bundled_traces
from .question_options import RUNNING, SweepOptions
from .study_points import Study
from .subjects import Requests, Subject

_Asked = TypeVar("_Asked")
#: Arguments of `Study` that a file may have; a command chooses the executor.
_FIELDS = ("schedulers", "scales", *(name for name in declared(SweepOptions) if name not in RUNNING))
_TABLES = ("over", "set", "reading")
#: Keys of the table with the options for reading traces.
READING = ("format", "map", "skip_bad", "traced_devices")
_KEYS = ("workloads", "devices", "volumes", *_FIELDS, *_TABLES)
#: Types of the keys that are not lists, with the expectation in words.
_KINDS: Mapping[str, tuple[Any, str]] = {
    **{name: kind for name, kind in plain_kinds(SweepOptions).items() if name != "precision"},
    **dict.fromkeys(_TABLES, (dict, "a table")),
}


def read_experiment(path: PathLike) -> Study:
    """Read a sweep from a file.

    The file has ``workloads``, ``devices`` and ``volumes`` (lists of names, or of files relative to this
    one), ``schedulers``, ``scales``, ``replications``, ``count``, ``seed``, ``precision`` (a number or
    ``"1%"``), ``judged``, ``confidence``, ``past_end``, ``replay``, and tables ``[over]`` (values of
    parameters by key, lists or texts such as ``"0.1:0.4:0.05"``), ``[set]`` (parameters of all devices) and
    ``[reading]`` (``format``, ``map``, ``skip_bad`` and ``traced_devices`` of traces).

    Raises:
        ParameterError: The file holds something else; the message names file and key.
        TraceError: A trace cannot be used.
        OSError: A file cannot be read.
    """
    return read_file(path, _study)


def _study(given: dict[str, Any], folder: Path) -> Study:
    if "figures" in given:
        warn("figures in the file of a sweep")
        if "judged" in given:
            raise _native.ParameterError("judged: expected once, found also as figures")
        given["judged"] = given.pop("figures")
    check_keys(given, _KEYS, _KINDS)
    fields = {key: given[key] for key in _FIELDS if key in given}
    if "precision" in fields:
        fields["precision"] = precision_of(fields["precision"])
    for key in ("schedulers", "judged"):
        if isinstance(fields.get(key), str):
            fields[key] = [fields[key]]
    return study_of(
        names_beside(given, "workloads", folder),
        names_beside(given, "devices", folder),
        names_beside(given, "volumes", folder),
        given.get("set", {}),
        how_read(given),
        {**fields, "over": given.get("over", {})},
    )


def read_file(path: PathLike, make: Callable[[dict[str, Any], Path], _Asked]) -> _Asked:
    """Build an object from the contents of a TOML file and its folder.

    Raises:
        ParameterError: The file is not TOML, or `make` finds an error; the message names the file.
        OSError: The file cannot be read.
    """
    try:
        given = toml.loads(_native.read_text(path))
    except toml.TOMLDecodeError as error:
        raise _native.ParameterError(f"{path}: expected TOML: {error}") from None
    with errors_at(str(path)):
        return make(given, Path(path).parent)


def check_keys(given: Mapping[str, Any], keys: Sequence[str], kinds: Mapping[str, tuple[Any, str]]) -> None:
    """Refuse unknown keys, and values of another type.

    Args:
        given: Contents of a file.
        keys: Allowed keys.
        kinds: Types of some keys, with the expectation in words.

    Raises:
        ParameterError: A key or value is wrong.
    """
    for key, value in given.items():
        if key not in keys:
            near = get_close_matches(key, keys, 1, 0.8)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise _native.ParameterError(f"unknown key {key!r}: {meant}expected some of {', '.join(keys)}")
        if key in kinds:
            types, expected = kinds[key]
            if isinstance(value, bool) or not isinstance(value, types):
                raise _native.ParameterError(f"{key} = {value!r}: expected {expected}")


def names_beside(given: Mapping[str, Any], key: str, folder: Path) -> list[str]:
    """Return the names under a key: of files relative to `folder`, or of built-in things."""
    known = set(bundled_traces())

    def beside(name: str) -> str:
        is_name = name in known or is_generated(name)
        return name if is_name or not (folder / name).is_file() else str(folder / name)

    return [beside(name) for name in _texts(given, key)]


def how_read(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options for reading trace files from the table ``reading`` of a file."""
    table: Mapping[str, Any] = given.get("reading", {})
    for key, value in table.items():
        if key not in READING:
            expected = f"{', '.join(READING[:-1])} or {READING[-1]}"
            raise _native.ParameterError(f"reading.{key}: unknown key: expected {expected}")
        if not isinstance(value, bool if key == "skip_bad" else str):
            expected = "true or false" if key == "skip_bad" else "a text"
            raise _native.ParameterError(f"reading.{key} = {value!r}: expected {expected}")
    return table


def study_of(
    workloads: Sequence[str],
    devices: Sequence[str],
    volumes: Sequence[str],
    settings: Mapping[str, Any],
    reading: Mapping[str, Any],
    fields: Mapping[str, Any],
) -> Study:
    """Build a study from names, as a file or a command line has them.

    Args:
        workloads: Traces, and workloads to draw.
        devices: Names or files; osdi00 if there are neither devices nor volumes.
        volumes: Kinds with their options, or files.
        settings: Parameters that all devices and volumes have in common.
        reading: Options for reading trace files.
        fields: Other arguments of `Study`; None for a missing one.

    Raises:
        ParameterError, TraceError, OSError: Errors of `Study`, `Subject` and `Requests`.
    """
    subjects = named_subjects(devices, volumes, settings)
    requests = named_requests(workloads, reading)
    return Study(subjects, requests, **{key: value for key, value in fields.items() if value is not None})


def named_subjects(
    devices: Sequence[str], volumes: Sequence[str], settings: Mapping[str, Any]
) -> list[Subject]:
    """Return devices and volumes by their names; osdi00 without any name.

    Raises:
        ParameterError, OSError: Errors of `Subject`.
    """
    names = list(devices) or ([] if volumes else ["osdi00"])
    subjects = [Subject.of(name, settings) for name in names]
    return subjects + [Subject.of_volume(name, settings) for name in volumes]


def named_requests(
    workloads: Sequence[str], reading: Mapping[str, Any], once: bool = False
) -> list[Requests]:
    """Return traces and workloads by their names; see `Requests` for `once`.

    Raises:
        ParameterError: There is no workload, or reading options are given without a file.
        TraceError, OSError: Errors of `Requests`.
    """
    if not workloads:
        raise _native.ParameterError("expected a workload or more, found none")
    requests = [Requests.of(name, reading, once) for name in workloads]
    told = [key for key, value in reading.items() if value]
    if told and not any(one.reading for one in requests):
        raise _native.ParameterError(f"{told[0]}: the option is for reading files, and no workload is a file")
    return requests


def precision_of(value: object) -> float:
    """Read a share of a figure: a number, or per cent.

    Raises:
        ParameterError: The value is not such a share.
    """
    if isinstance(value, str) and (found := re.fullmatch(r"\s*([\d.eE+-]+)\s*(%?)\s*", value)):
        try:
            return float(found[1]) / (100 if found[2] else 1)
        except ValueError:
            pass
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise _native.ParameterError(f"precision = {value!r}: expected a share of the figures, as 0.01 or 1%")


def _texts(given: Mapping[str, Any], key: str) -> list[str]:
    value = given.get(key, [])
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _native.ParameterError(f"{key} = {value!r}: expected a list of names")
    return names
