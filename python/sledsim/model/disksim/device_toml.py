"""Text of the device file of an imported drive."""

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
    """Return the text of a device file.

    Args:
        parameters: Parameters by key, in the order of the file.
        sources: Source of each parameter, by key.
        kinds: Certainty of each number by key: ``measured``, ``stated`` or ``derived``.
        origin: Name of the file from which the parameters were imported.
        unkeyed: DiskSim's parameters that no key of the file keeps entirely; comments list those that matter.
    """
    lines = [f"# Imported from DiskSim's {_one_line(origin)} by 'sledsim import disksim'."]
    lost = [row for row in unkeyed if row.effect == MATTERS]
    if lost:
        lines.append("# These parameters matter in DiskSim, and no key here keeps them entirely:")
    lines += [_one_line(f"#   {row.name} = {row.value} ({row.place}): {row.why}") for row in lost]
    lines += assignments({"kind": "disk", **parameters})
    source, certainty = ({key: of[key] for key in parameters if key in of} for of in (sources, kinds))
    lines += tables(source=source, certainty=certainty)
    return "\n".join([*lines, ""])


def _one_line(text: str) -> str:
    """Return a text in one line for a comment, with ``?`` for unprintable characters."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
