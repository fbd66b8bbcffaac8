"""A sweep in a TOML file."""

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
#: The arguments of `Study` that a file may have; a command says where points run.
_FIELDS = ("schedulers", "scales", *(name for name in declared(SweepOptions) if name not in RUNNING))
_TABLES = ("over", "set", "reading")
#: What the table that says how traces are read may have.
READING = ("format", "map", "skip_bad", "traced_devices")
_KEYS = ("workloads", "devices", "volumes", *_FIELDS, *_TABLES)
#: Of those that are no lists the types, and what is expected in words.
_KINDS: Mapping[str, tuple[Any, str]] = {
    **{name: kind for name, kind in plain_kinds(SweepOptions).items() if name != "precision"},
    **dict.fromkeys(_TABLES, (dict, "a table")),
}


def read_experiment(path: PathLike) -> Study:
    """Read what a sweep asks for.

    It has ``workloads``, ``devices`` and ``volumes`` (lists of names or files, which stand beside this one),
    ``schedulers``, ``scales``, ``replications``, ``count``, ``seed``, ``precision`` (a number or ``"1%"``),
    ``judged``, ``confidence``, ``past_end``, ``replay``, and tables ``[over]`` (values of parameters by key,
    lists or texts such as ``"0.1:0.4:0.05"``), ``[set]`` (parameters of all devices) and ``[reading]``
    (``format``, ``map``, ``skip_bad`` and ``traced_devices`` of traces).

    Raises:
        ParameterError: It holds something else; the message names file and key.
        TraceError: A trace cannot be used.
        OSError: A file cannot be read.
    """
    return read_file(path, _study)


def _study(given: dict[str, Any], folder: Path) -> Study:
    if "figures" in given:
        warn("figures in the file of a sweep")
        if "judged" in given:
            raise _native.ParameterError("judged: expected it once, found it as figures, too")
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
    """What a TOML file asks for, made of what it says and the folder in which it stands.

    Raises:
        ParameterError: It is no TOML, or `make` finds something wrong; the message names the file.
        OSError: It cannot be read.
    """
    try:
        given = toml.loads(_native.read_text(path))
    except toml.TOMLDecodeError as error:
        raise _native.ParameterError(f"{path}: expected TOML: {error}") from None
    with errors_at(str(path)):
        return make(given, Path(path).parent)


def check_keys(given: Mapping[str, Any], keys: Sequence[str], kinds: Mapping[str, tuple[Any, str]]) -> None:
    """Refuse keys that are unknown, and values of another kind.

    Args:
        given: What a file says.
        keys: Those that it may have.
        kinds: The types of some of them, and what is expected in words.

    Raises:
        ParameterError: There is one.
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
    """The names under a key: of files that stand beside the one that names them, or of what is known."""
    known = set(bundled_traces())

    def beside(name: str) -> str:
        is_name = name in known or is_generated(name)
        return name if is_name or not (folder / name).is_file() else str(folder / name)

    return [beside(name) for name in _texts(given, key)]


def how_read(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """How trace files are read, as the table ``reading`` of a file says."""
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
    """A study out of names, as a file or a command line has them.

    Args:
        workloads: Traces and workloads to be drawn.
        devices: Names or files; osdi00 if there are neither devices nor volumes.
        volumes: Kinds with their options, or files.
        settings: Parameters that all devices and volumes have in common.
        reading: How trace files are read.
        fields: The other arguments of `Study`, None for what is not given.

    Raises:
        ParameterError, TraceError, OSError: As `Study`, `Subject` and `Requests`.
    """
    subjects = named_subjects(devices, volumes, settings)
    requests = named_requests(workloads, reading)
    return Study(subjects, requests, **{key: value for key, value in fields.items() if value is not None})


def named_subjects(
    devices: Sequence[str], volumes: Sequence[str], settings: Mapping[str, Any]
) -> list[Subject]:
    """Devices and volumes by their names; osdi00 if there are none.

    Raises:
        ParameterError, OSError: As `Subject`.
    """
    names = list(devices) or ([] if volumes else ["osdi00"])
    subjects = [Subject.of(name, settings) for name in names]
    return subjects + [Subject.of_volume(name, settings) for name in volumes]


def named_requests(
    workloads: Sequence[str], reading: Mapping[str, Any], once: bool = False
) -> list[Requests]:
    """Traces and workloads by their names; `once` as `Requests` has it.

    Raises:
        ParameterError: There is none, or it is said how files are read, and none is one.
        TraceError, OSError: As `Requests`.
    """
    if not workloads:
        raise _native.ParameterError("expected a workload or more, found none")
    requests = [Requests.of(name, reading, once) for name in workloads]
    told = [key for key, value in reading.items() if value]
    if told and not any(one.reading for one in requests):
        raise _native.ParameterError(f"{told[0]}: it is how a file is read, and no workload is one")
    return requests


def precision_of(value: object) -> float:
    """A part of a figure: a number, or per cent.

    Raises:
        ParameterError: It is no such thing.
    """
    if isinstance(value, str) and (found := re.fullmatch(r"\s*([\d.eE+-]+)\s*(%?)\s*", value)):
        try:
            return float(found[1]) / (100 if found[2] else 1)
        except ValueError:
            pass
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise _native.ParameterError(f"precision = {value!r}: expected a part of the figures, as 0.01 or 1%")


def _texts(given: Mapping[str, Any], key: str) -> list[str]:
    value = given.get(key, [])
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _native.ParameterError(f"{key} = {value!r}: expected a list of names")
    return names
