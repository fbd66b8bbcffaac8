"""Checks that each line of a ledger has the expected keys, with values of the expected types."""

from collections.abc import Mapping
from typing import Any

from ..common.checked import (
    WrongError,
    array,
    mapping,
    number,
    optional,
    pair,
    record,
    shown,
    table,
    text,
    truth,
    whole,
)


def _value(key: str, value: Any) -> Any:
    """Check a parameter: a text, number, boolean or null, or lists and tables of these."""
    if isinstance(value, list):
        return array(_value)(key, value)
    if isinstance(value, dict):
        return mapping(_value)(key, value)
    return value if value is None or isinstance(value, str | bool) else number(key, value)


_PARAMETERS = mapping(_value)
_SUBJECT = record(
    name=text,
    parameters=_PARAMETERS,
    made_from=optional(pair(text, _PARAMETERS)),
    state=optional(pair(_PARAMETERS, text)),
)


def _reading(key: str, value: Any) -> dict[str, Any]:
    """Check the options that state how a study reads a trace file."""
    found: dict[str, Any] = record(
        format=optional(text), map=optional(text), skip_bad=optional(truth), traced_devices=optional(text)
    )(key, value)
    if value.keys() - found.keys():
        raise WrongError(
            key, "format, map, skip_bad or traced_devices", shown(sorted(value.keys() - found.keys())[0])
        )
    return found


_WORKLOAD = record(
    name=text,
    digest=optional(text),
    reading=_reading,
    part=optional(pair(whole(), whole())),
    once=optional(truth),
)
_SWEEP = record(
    subjects=array(_SUBJECT, 1),
    workloads=array(_WORKLOAD, 1),
    over=mapping(array(_value, 1)),
    order=array(text),
    sample=array(_PARAMETERS, 1),
    schedulers=array(text, 1),
    scales=array(number, 1),
    judged=array(text),
    replications=whole(),
    count=optional(whole()),
    seed=whole(most=2**64),
    precision=optional(number),
    confidence=number,
    past_end=text,
    replay=optional(text),
)


#: Check of the figures in a row: numbers or null; rows of curves have texts for numbers such as infinity.
_FIGURES = mapping(lambda key, value: value if isinstance(value, str) else optional(number)(key, value))


def _duration(key: str, value: Any) -> float | int:
    found = number(key, value)
    if found < 0:
        raise WrongError(key, "a number of 0 or more", shown(value))
    return found


_POINT = record(key=text, study=text, number=whole())
_ROW = record(
    status=text,
    figures=optional(_FIGURES),
    half_widths=optional(_FIGURES),
    replications=optional(whole()),
    error=optional(text),
    doubts=optional(array(text)),
    cpu_s=optional(_duration),
    host=optional(text),
    version=optional(text),
)
#: Values for the columns that a row in a file does not have.
_NOTHING: dict[str, Any] = {
    **{"figures": {}, "half_widths": {}, "is_precise": None, "error": None, "cpu_s": 0.0, "host": ""},
    "version": "",
}


def check_line(content: Mapping[str, Any]) -> None:
    """Check a line after the first: it must be the definition of a study, a finished point, or a row.

    Definitions of studies other than sweeps are checked elsewhere.

    Raises:
        WrongError: The line is no definition, finished point or row, or has a wrong value.
    """
    if "definition" not in content:
        _POINT("", content)
        if "status" in content:
            _ROW("", content)
        return
    text("study", content.get("study"))
    given = table("definition", content["definition"])
    if text("definition.kind", given.get("kind")) != "sweep":
        return
    found = _SWEEP("definition", given)
    if sorted(found["order"]) != sorted(found["over"]):
        raise WrongError("definition.order", "the keys of over, each once", shown(found["order"]))


def completed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with default values for the columns that it lacks."""
    return {
        **_NOTHING,
        **{key: value for key, value in row.items() if value is not None or key not in _NOTHING},
    }
