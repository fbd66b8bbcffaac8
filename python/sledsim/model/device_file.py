"""Writing of device files in TOML: parameters, the source of each, and how certain each value is."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

#: Largest length in characters of a line with rows of a table of numbers.
_WIDTH = 110
_ZONES = "cylinders, sectors per track, first angle, unused, track skew, cylinder skew, spares"


def assignments(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines ``key = value`` in order; a table of numbers has several of its rows in a line."""
    for key, value in parameters.items():
        if not isinstance(value, list):
            yield f"{key} = {toml_value(value)}"
            continue
        rows = [f"[{', '.join(toml_value(number) for number in row)}]," for row in value]
        if key == "zones":
            yield from (f"{key} = [", f"    # {_ZONES}", *(f"    {row}" for row in rows), "]")
        else:
            yield from (f"{key} = [", *_filled(rows), "]")


def tables(**given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of TOML tables by name, with an empty line before each; skip tables without entries."""
    for name, entries in given.items():
        if entries:
            yield from ("", f"[{name}]", *(f"{key} = {toml_value(value)}" for key, value in entries.items()))


def toml_value(value: Any) -> str:
    """Return a value as TOML: a number, a text, a boolean, or an inline table of these.

    Entries of a table that are None are left out, as TOML has no null.
    """
    if isinstance(value, Mapping):
        pairs = (f"{key} = {toml_value(one)}" for key, one in value.items() if one is not None)
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, bool):
        return "true" if value else "false"
    # TOML has the escapes of JSON, with one exception.
    return (
        json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        if isinstance(value, str)
        else repr(value)
    )


def _filled(rows: list[str]) -> list[str]:
    lines = [""]
    for row in rows:
        if lines[-1] and len(lines[-1]) + 1 + len(row) > _WIDTH:
            lines.append("")
        lines[-1] += f" {row}" if lines[-1] else f"    {row}"
    return lines
