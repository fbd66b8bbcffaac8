"""``sledsim doctor``: check the installation and suggest fixes."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from ..command_options import JsonOption
from ..output import console, print_json, print_text

if TYPE_CHECKING:
    from ..doctor_findings import Finding

#: Signs for a part that is installed, an optional part that is missing, and a required part that is missing.
_MARKS = ("✓", "○", "✗")
#: Signs for installed, missing optional and missing required parts on terminals without UTF-8.
_PLAIN_MARKS = ("+", "o", "x")


def doctor(as_json: JsonOption = False) -> None:
    """Check the installation (packages, extras, programs, cores) and suggest fixes.

    The exit status is 1 if a required part is missing; a missing optional part does not count.
    """
    from ..doctor_findings import findings

    found = list(findings())
    is_broken = any(one.is_broken for one in found)
    if as_json:
        rows = [_plain(one) for one in found]
        print_json({"is_ok": not is_broken, "terminal": _terminal(), "findings": rows})
    else:
        _print(found)
    raise typer.Exit(int(is_broken))


def _plain(one: "Finding") -> dict[str, object]:
    """Return the result of one check, by name for JSON; `remedy` is None if the checked part is installed."""
    return {
        "group": one.group,
        "name": one.name,
        "found": one.found,
        "for": one.purpose,
        "remedy": one.remedy if one.found is None else None,
        "is_required": one.is_required,
    }


def _terminal() -> dict[str, object]:
    """Return the properties of the terminal on stdout for JSON."""
    out = console()
    shown = {"width": out.width, "colour": out.color_system, "encoding": out.encoding}
    return {"is_terminal": out.is_terminal, **shown}


def _print(found: Iterable["Finding"]) -> None:
    marks = _MARKS if console().encoding.startswith("utf") else _PLAIN_MARKS
    group = ""
    for one in found:
        if one.group != group:
            print_text(f"\n{one.group}" if group else one.group)
            group = one.group
        mark = marks[0] if one.found is not None else marks[2 if one.is_required else 1]
        told = one.found or f"{'wrong' if one.is_required else 'missing'}: {one.remedy}"
        purpose = f" ({one.purpose})" if one.purpose else ""
        print_text(f"  {mark} {one.name}{purpose}: {told}")
    shown = _terminal()
    kind = f"{shown['colour'] or 'no'} colours, {shown['width']} columns, {shown['encoding']}"
    print_text(f"\nTerminal\n  {marks[0]} {kind if shown['is_terminal'] else f'none: {kind}'}")


COMMANDS = {"doctor": doctor}
