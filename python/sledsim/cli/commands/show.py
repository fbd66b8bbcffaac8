"""``sledsim show`` and ``sledsim check-device``: print a device, and check the device class of a user."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...common.citations import cited
from ...common.deprecation import notice
from ...common.grids import Grid
from ...model.core_tables import Entry, entry
from ..command_options import DeviceArgument, JsonOption, SetOption, parse_settings
from ..output import is_narrow, label, print_json, print_note, print_result, print_table, quantity, table

if TYPE_CHECKING:
    from ...model.devices import Device


#: Least terminal width in characters at which the table of parameters has separate columns for the range and
#: the certainty of each value.
_WIDE_WITH_RANGES = 150


def show(
    name: DeviceArgument,
    settings: SetOption = None,
    as_json: JsonOption = False,
    explain: Annotated[bool, typer.Option("--explain", hidden=True)] = False,
) -> None:
    """Show a device: value, range, meaning and source of each parameter, and derived characteristics."""
    from ...model.typed import device

    if explain:
        print_note(notice("--explain of 'sledsim show'"))
    shown = device(name, **parse_settings(settings))
    characteristics = shown.characteristics()
    kind = entry("kinds", shown.kind)
    meanings = {key: text for key, *_, text in kind.parameters} | dict(kind.characteristics)
    if as_json:
        print_json(
            {
                "kind": shown.kind,
                "parameters": shown.parameters,
                "sources": shown.sources,
                "certainty": shown.certainty or None,
                "characteristics": characteristics,
                "paper": {
                    key: {"value": value, "source": citation}
                    for key, (value, citation) in shown.paper.items()
                },
                "meanings": meanings,
            }
        )
        return
    print_table(f"{shown.name}: {cited(str(shown.parameters['description']))}", _parameters(shown, kind))
    print_table("Characteristics", _characteristics(shown, characteristics, meanings))
    if shown.kind == "mems":
        print_table("Mechanics", _mechanics(shown))


def _parameters(shown: "Device", kind: Entry) -> Grid:
    certainty = shown.certainty
    narrow = is_narrow(_WIDE_WITH_RANGES) if certainty else is_narrow()
    rows: list[tuple[str, ...]] = []
    for key, unit, _, meaning in kind.parameters:
        if key == "description" or key not in shown.parameters:
            continue
        text = _in_words(shown.parameters[key])
        if chosen := kind.choices.get(key, {}).get(text):
            meaning = f"{meaning}. {text}: {chosen}"
        said = certainty.get(key, {})
        what, range_, source = said.get("kind", ""), _range(said), cited(shown.sources.get(key, ""))
        why = f"[range: {cited(said['reason'])}]" if range_ else ""
        if narrow:
            source = source if not what or source.startswith(f"{what}: ") else f"{what}: {source}"
            rows.append((key, _lines(f"{text} {unit}".strip(), range_), _lines(meaning, f"[{source}]", why)))
        elif certainty:
            rows.append((key, text, range_, unit, what, meaning, _lines(source, why)))
        else:
            rows.append((key, text, unit, meaning, source))
    if narrow and certainty:
        return table("Parameter", "Value, range", "Meaning [kind: source] [range: why]", rows=rows)
    if narrow:
        return table("Parameter", "Value", "Meaning [source]", rows=rows)
    if certainty:
        columns = ("Parameter", ">Value", "Range", "Unit", "Kind", "Meaning", "Source [range: why]")
        return table(*columns, rows=rows)
    return table("Parameter", ">Value", "Unit", "Meaning", "Source", rows=rows)


def _lines(*texts: str) -> str:
    """Join texts to one text with a line for each, and leave out empty texts."""
    return "\n".join(filter(None, texts))


def _range(said: dict[str, Any]) -> str:
    """Return the range of an uncertain parameter as text; empty if the parameter has no range."""
    if said.get("low") is None:
        return ""
    return f"{said['low']:,.12g} to {said['high']:,.12g}{' (log)' if said['log'] else ''}"


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return f"{len(value)} rows"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _characteristics(
    shown: "Device", characteristics: dict[str, float | int], meanings: dict[str, str]
) -> Grid:
    columns = ("Characteristic", ">Value", ">Paper", ">Difference", "Printed in", "Meaning")
    rows = []
    for key, value in characteristics.items():
        figure, citation = shown.paper.get(key, (None, ""))
        compared = ("", "") if figure is None else (quantity(key, figure), f"{value / figure - 1:+.2%}")
        # The class of a user need not describe its figures.
        meaning = cited(meanings.get(key, ""))
        rows.append((label(key), quantity(key, value), *compared, cited(citation), meaning))
    if is_narrow():
        below = (
            (*figures, f"{meaning}\n[paper: {where}]" if where else meaning)
            for *figures, where, meaning in rows
        )
        return table(*columns[:4], "Meaning [where the paper's figure stands]", rows=below)
    return table(*columns, rows=rows)


def _mechanics(shown: "Device") -> Grid:
    from ...model.motions import motions

    rows = ((one.name, quantity("motion_s", one.time_s), one.meaning) for one in motions(shown))
    return table("Motion", ">Time", "Meaning", rows=rows)


#: Exit status of ``sledsim check-device`` if the device fails a check.
_FALLS_SHORT = 1


def check_device(
    name: Annotated[
        str,
        typer.Argument(
            metavar="DEVICE",
            help="Your device class as MODULE:CLASS or FILE.py:CLASS, a built-in device, or a device file.",
        ),
    ],
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a user's device against the assumptions of the simulator; exit status 1 if a check fails."""
    from ...model.typed import device
    from ...runs.device_check import check_device

    found = check_device(device(name, **parse_settings(settings)))
    if as_json:
        checks = [vars(check) for check in found.checks]
        print_json({"device": found.device, "passed": found.passed, "checks": checks})
    else:
        print_result(found)
    if not found.passed:
        raise typer.Exit(_FALLS_SHORT)


COMMANDS = {"show": show}
