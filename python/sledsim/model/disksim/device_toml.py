"""A device file in TOML out of parameters, their sources and what they are."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..device_file import assignments, tables
from .keys import MATTERS, Unkeyed


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
    lines += assignments({"kind": "disk", **parameters})
    source, certainty = ({key: of[key] for key in parameters if key in of} for of in (sources, kinds))
    lines += tables(source=source, certainty=certainty)
    return "\n".join([*lines, ""])


def _one_line(text: str) -> str:
    """A text for a comment: nothing ends the line early."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
