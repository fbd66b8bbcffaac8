"""A device file in TOML out of parameters, their sources and what they are."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .keys import MATTERS, Unkeyed

#: A line is no longer, if its rows can be parted.
_WIDTH = 110
_ZONES = "cylinders, sectors per track, first angle, unused, track skew, cylinder skew, spares"


def device_file(
    parameters: Mapping[str, Any],
    sources: Mapping[str, str],
    kinds: Mapping[str, str],
    origin: str,
    unkeyed: Iterable[Unkeyed],
) -> str:
    """The text of a device file.

    Args:
        parameters: By key, in the order in which they are written.
        sources: Where each comes from.
        kinds: What each number is.
        origin: The file that they were imported from.
        unkeyed: Which of its parameters would matter and have no key, for comments.
    """
    lines = [f"# Imported from DiskSim's {_one_line(origin)} by 'sledsim import disksim'."]
    lost = [row for row in unkeyed if row.effect == MATTERS]
    if lost:
        lines.append("# These matter in DiskSim, and no key here keeps them, or not whole:")
    lines += [_one_line(f"#   {row.name} = {row.value} ({row.place}): {row.why}") for row in lost]
    lines.append('kind = "disk"')
    for key, value in parameters.items():
        lines += _assignment(key, value)
    for table, of in (("source", sources), ("certainty", kinds)):
        lines += ["", f"[{table}]", *(f"{key} = {_text(of[key])}" for key in parameters if key in of)]
    return "\n".join([*lines, ""])


def _assignment(key: str, value: Any) -> list[str]:
    if not isinstance(value, list):
        return [f"{key} = {_value(value)}"]
    rows = [f"[{', '.join(_value(number) for number in row)}]," for row in value]
    if key == "zones":
        return [f"{key} = [", f"    # {_ZONES}", *(f"    {row}" for row in rows), "]"]
    return [f"{key} = [", *_filled(rows), "]"]


def _filled(rows: list[str]) -> list[str]:
    lines = [""]
    for row in rows:
        if lines[-1] and len(lines[-1]) + 1 + len(row) > _WIDTH:
            lines.append("")
        lines[-1] += f" {row}" if lines[-1] else f"    {row}"
    return lines


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if isinstance(value, str) else repr(value)


def _text(text: str) -> str:
    """A string of TOML, whose escapes are those of JSON but for one."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _one_line(text: str) -> str:
    """A text for a comment: nothing ends the line early."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
