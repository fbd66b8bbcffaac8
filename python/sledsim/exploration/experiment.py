"""Sweeps that a TOML file describes."""

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
#: Arguments of `Study` that a file may set. Options that say where points are run are missing: users give
#: them on the command line.
_FIELDS = ("schedulers", "scales", *(name for name in declared(SweepOptions) if name not in RUNNING))
_TABLES = ("over", "set", "reading")
#: Keys of the table ``[reading]`` in a file, with the options for reading traces.
READING = ("format", "map", "skip_bad", "traced_devices")
_KEYS = ("workloads", "devices", "volumes", *_FIELDS, *_TABLES)
#: Accepted types of the values in a file by key, and their name in messages. Keys whose value is always a
#: list are missing.
_KINDS: Mapping[str, tuple[Any, str]] = {
    **{name: kind for name, kind in plain_kinds(SweepOptions).items() if name != "precision"},
    **dict.fromkeys(_TABLES, (dict, "a table")),
}


def read_experiment(path: PathLike) -> Study:
    """Read a sweep from a TOML file.

    The file may have the keys ``workloads``, ``devices`` and ``volumes`` (lists of names, or of files
    relative to the TOML file), ``schedulers``, ``scales``, ``replications``, ``count``, ``seed``,
    ``precision`` (a number or ``"1%"``), ``judged``, ``confidence``, ``past_end`` and ``replay``. It may have
    the tables ``[over]`` (values of parameters by key, lists or texts such as ``"0.1:0.4:0.05"``), ``[set]``
    (parameters of all devices) and ``[reading]`` (``format``, ``map``, ``skip_bad`` and ``traced_devices`` of
    traces).

    Raises:
        ParameterError: The file does not describe a sweep; the message names the file and the key.
        TraceError: A trace cannot be used.
        OSError: A file cannot be read.
    """
    return read_file(path, _study)


def _study(given: dict[str, Any], folder: Path) -> Study:
    if "figures" in given:
        warn("figures in the file of a sweep")
        if "judged" in given:
            raise _native.ParameterError("judged, figures: expected one of these two keys, found both")
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
    """Read a TOML file, and return what `make` builds from its contents and its folder.

    Raises:
        ParameterError: The file is not TOML, or `make` raises an error; the message names the file.
        OSError: The file cannot be read.
    """
    try:
        given = toml.loads(_native.read_text(path))
    except toml.TOMLDecodeError as error:
        raise _native.ParameterError(f"{path}: expected TOML: {error}") from None
    with errors_at(str(path)):
        return make(given, Path(path).parent)


def check_keys(given: Mapping[str, Any], keys: Sequence[str], kinds: Mapping[str, tuple[Any, str]]) -> None:
    """Refuse unknown keys of a file, and values of the wrong type.

    Args:
        given: Contents of the file by key.
        keys: Allowed keys.
        kinds: Accepted types of the values of some keys, each with its name in messages.

    Raises:
        ParameterError: A key is unknown, or a value has the wrong type.
    """
    for key, value in given.items():
        if key not in keys:
            near = get_close_matches(key, keys, 1, 0.8)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise _native.ParameterError(f"unknown key {key!r}: {meant}expected one of {', '.join(keys)}")
        if key in kinds:
            types, expected = kinds[key]
            if isinstance(value, bool) or not isinstance(value, types):
                raise _native.ParameterError(f"{key} = {value!r}: expected {expected}")


def names_beside(given: Mapping[str, Any], key: str, folder: Path) -> list[str]:
    """Return the names that a file lists under a key.

    A name that is a file in `folder` becomes its path; names of bundled traces and workloads stay unchanged.
    """
    known = set(bundled_traces())

    def beside(name: str) -> str:
        is_name = name in known or is_generated(name)
        return name if is_name or not (folder / name).is_file() else str(folder / name)

    return [beside(name) for name in _texts(given, key)]


def how_read(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options for reading trace files, from the table ``reading`` of a TOML file."""
    table: Mapping[str, Any] = given.get("reading", {})
    for key, value in table.items():
        if key not in READING:
            expected = f"{', '.join(READING[:-1])} or {READING[-1]}"
            raise _native.ParameterError(f"reading.{key}: unknown key of [reading]: expected {expected}")
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
    """Build a study from the names in a file or on a command line.

    Args:
        workloads: Names or files of traces, and random workloads such as ``random:rate=900``.
        devices: Names or files of devices; osdi00 if neither devices nor volumes are given.
        volumes: Kinds of volumes with their options, or files of volumes.
        settings: Parameters to set on all devices and volumes.
        reading: Options for reading trace files.
        fields: Other arguments of `Study` by name; None keeps the default of an argument.

    Raises:
        ParameterError, TraceError, OSError: `Study`, `Subject` or `Requests` raises the error.
    """
    subjects = named_subjects(devices, volumes, settings)
    requests = named_requests(workloads, reading)
    return Study(subjects, requests, **{key: value for key, value in fields.items() if value is not None})


def named_subjects(
    devices: Sequence[str], volumes: Sequence[str], settings: Mapping[str, Any]
) -> list[Subject]:
    """Return the devices and volumes with these names as subjects; osdi00 if no name is given.

    Raises:
        ParameterError, OSError: `Subject` raises the error.
    """
    names = list(devices) or ([] if volumes else ["osdi00"])
    subjects = [Subject.of(name, settings) for name in names]
    return subjects + [Subject.of_volume(name, settings) for name in volumes]


def named_requests(
    workloads: Sequence[str], reading: Mapping[str, Any], once: bool = False
) -> list[Requests]:
    """Return the traces and random workloads with these names.

    `once` True draws a random workload once for each device, as the field `once` of `Requests` says.

    Raises:
        ParameterError: No workload is given, or reading options are given without a trace file.
        TraceError, OSError: `Requests` raises the error.
    """
    if not workloads:
        raise _native.ParameterError("expected at least one workload, found none")
    requests = [Requests.of(name, reading, once) for name in workloads]
    told = [key for key, value in reading.items() if value]
    if told and not any(one.reading for one in requests):
        raise _native.ParameterError(f"{told[0]}: expected a trace file among the workloads, found none")
    return requests


def precision_of(value: object) -> float:
    """Return a relative precision that is given as a number such as 0.01, or as a percentage such as 1%.

    Raises:
        ParameterError: The value is neither a number nor a percentage.
    """
    if isinstance(value, str) and (found := re.fullmatch(r"\s*([\d.eE+-]+)\s*(%?)\s*", value)):
        try:
            return float(found[1]) / (100 if found[2] else 1)
        except ValueError:
            pass
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise _native.ParameterError(f"precision = {value!r}: expected a relative half-width such as 0.01 or 1%")


def _texts(given: Mapping[str, Any], key: str) -> list[str]:
    value = given.get(key, [])
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _native.ParameterError(f"{key} = {value!r}: expected a list of names")
    return names
