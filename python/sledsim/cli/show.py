"""``sledsim show``: a device's parameters, where they come from, and what follows from them."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from .. import _native
from .options import DeviceArgument, JsonOption, SetOption, parse_settings
from .output import label, print_json, print_table, quantity, table

if TYPE_CHECKING:
    from ..models import Device


ExplainOption = Annotated[
    bool, typer.Option("--explain", help="Say what each parameter and characteristic means.")
]


def show(
    name: DeviceArgument,
    settings: SetOption = None,
    explain: ExplainOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show a device: parameters, sources, and characteristics beside the paper's figures."""
    from ..models import device

    shown = device(name, **parse_settings(settings))
    if as_json:
        keys = ((key, text) for key, _, text in _native.parameter_keys(shown.kind))
        meanings = dict([*keys, *_native.characteristic_keys(shown.kind)])
        print_json(
            {
                "kind": shown.kind,
                "parameters": shown.parameters,
                "sources": shown.sources,
                "characteristics": shown.characteristics(),
                "paper": {
                    key: {"value": value, "source": citation}
                    for key, (value, citation) in shown.paper.items()
                },
                **({"meanings": meanings} if explain else {}),
            }
        )
        return
    print_table(f"{shown.name}: {shown.parameters['description']}", _parameters(shown, explain))
    characteristics = shown.characteristics()
    print_table("Characteristics", _characteristics(shown, characteristics, explain))
    if shown.kind == "mems":
        print_table("Mechanics", _mechanics(shown, characteristics))


def _parameters(shown: "Device", explain: bool) -> Table:
    parameters, sources = shown.parameters, shown.sources
    choices = dict(_native.parameter_choices(shown.kind))
    made = table("Parameter", "Value", "Unit", "Meaning" if explain else "Source", numbers=("Value",))
    for key, unit, meaning in _native.parameter_keys(shown.kind):
        if key == "description" or key not in parameters:
            continue
        value = parameters[key]
        text = f"{value:,}" if isinstance(value, int) else str(value)
        if isinstance(value, bool):
            text = "yes" if value else "no"
        elif isinstance(value, list):
            text = f"{len(value)} rows"
        if chosen := dict(choices.get(key, ())).get(text):
            meaning = f"{meaning}. {text}: {chosen}"
        made.add_row(key, text, unit, meaning if explain else sources.get(key, ""))
    return made


def _characteristics(shown: "Device", characteristics: dict[str, float | int], explain: bool) -> Table:
    if explain:
        meanings = dict(_native.characteristic_keys(shown.kind))
        made = table("Characteristic", "Value", "Meaning", numbers=("Value",))
        for key, value in characteristics.items():
            made.add_row(label(key), quantity(key, value), meanings[key])
        return made
    paper = shown.paper
    made = table(
        "Characteristic",
        "Value",
        "Paper",
        "Difference",
        "Printed in",
        numbers=("Value", "Paper", "Difference"),
    )
    for key, value in characteristics.items():
        row = [label(key), quantity(key, value)]
        if key in paper:
            figure, citation = paper[key]
            row += [quantity(key, figure), f"{value / figure - 1:+.2%}", citation]
        made.add_row(*row)
    return made


def _mechanics(shown: "Device", characteristics: dict[str, float | int]) -> Table:
    """Seeks and turnarounds in the centre and at the edges, settling included in x."""
    parameters = shown.parameters
    x_m, y_m = (parameters[f"stroke_{axis}_nm"] * 0.5e-9 for axis in "xy")
    bit_m = parameters["bit_width_nm"] * 1e-9
    times_s = {
        "full stroke in x": shown.seek_x_s(-x_m, x_m),
        "one cylinder, centre": shown.seek_x_s(0, bit_m),
        "one cylinder, edge": shown.seek_x_s(x_m - bit_m, x_m),
        "full stroke in y, no turnaround": shown.seek_y_s(-y_m, 1, y_m, 1),
        "turnaround, centre": shown.turnaround_s(0, 1),
        "turnaround, edge, moving out": shown.turnaround_s(y_m, 1),
        "turnaround, edge, moving in": shown.turnaround_s(-y_m, 1),
    }
    made = table("Motion", "Time", numbers=("Time",))
    for motion, time_s in times_s.items():
        made.add_row(motion, quantity("motion_s", float(time_s)))
    for mode in ("bidirectional", "parity"):
        same = mode == parameters["access_mode"]
        found = characteristics if same else shown.with_parameters(access_mode=mode).characteristics()
        mean_s = found["mean_seek_s"]
        made.add_row(f"mean random seek, {mode}", quantity("motion_s", mean_s))
    return made
