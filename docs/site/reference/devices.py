"""A page of each built-in device, with every parameter and what follows from them."""

from collections.abc import Iterator
from typing import Any

import sledsim
from sledsim.common import units
from sledsim.common.citations import cited
from sledsim.model.core_tables import Entry, entry, table as rows_of
from sledsim.model.motions import motions

from ..markdown import code, joined, plain, table, toctree

_OF_KIND = {"mems": "MEMS devices", "disk": "disks", "flash": "flash cards"}


def pages() -> Iterator[tuple[str, str]]:
    """The list of devices, and the page of each."""
    names = sledsim.devices()
    kinds = [_list(kind) for kind in rows_of("kinds")]
    trees = toctree([*rows_of("kinds"), *names], hidden="", titlesonly="")
    yield (
        "generated/devices/index.md",
        joined(
            "# Every device",
            "Here you find the built-in devices, each with all its parameters. A file of your own"
            " [extends one of them](../../reference/devices.md#a-device-of-your-own).",
            *kinds,
            trees,
        ),
    )
    for name in names:
        yield f"generated/devices/{name}.md", _page(name)
    for kind in rows_of("kinds"):
        yield f"generated/devices/{kind}.md", _kind(kind)


def _list(kind: str) -> str:
    rows = ((f"[`{name}`]({name}.md)", plain(cited(text))) for name, text in sledsim.devices(kind).items())
    heading = _OF_KIND.get(kind, kind)
    heading = heading[:1].upper() + heading[1:]
    keys = f"[What the keys of their files mean]({kind}.md)"
    return joined(f"## {heading}", table(("device", "what it is"), rows), keys)


def _kind(kind: str) -> str:
    """Every key that a device of a kind has, and everything that follows, whatever the device."""
    row = entry("kinds", kind)
    keys = ((code(key), unit, plain(values), plain(text)) for key, unit, values, text in row.parameters)
    chosen = (
        (code(key), code(name), plain(text))
        for key, names in row.choices.items()
        for name, text in names.items()
    )
    follows = ((code(key), units.label(key), plain(text)) for key, text in row.characteristics.items())
    return joined(
        f"# Keys of {_OF_KIND.get(kind, kind)}",
        f'Look up here what a key of a device file with `kind = "{kind}"` means, and what it may be.'
        " `--set KEY=VALUE` changes one for a command.",
        "## Keys",
        table(("key", "unit", "range", "meaning"), keys),
        "## Keys that are one of a few names" if row.choices else "",
        table(("key", "name", "meaning"), chosen),
        "## What follows from them",
        "`sledsim show NAME` prints these; `Device.characteristics()` has them in SI units.",
        table(("characteristic", "shown as", "meaning"), follows),
    )


def _page(name: str) -> str:
    device = sledsim.device(name)
    kind = entry("kinds", device.kind)
    what = cited(str(device.parameters["description"]))
    return joined(
        f"# `{name}`",
        f"{plain(what[:1].upper() + what[1:])}.",
        f"`sledsim show {name}` prints the same."
        f" `sledsim run demo --device {name} --fit` runs a trace on it.",
        "## Parameters",
        _parameters(device, kind),
        "## What follows from them",
        _characteristics(device, kind),
        *(_mechanics(device) if device.kind == "mems" else ()),
    )


def _mechanics(device: sledsim.Device) -> tuple[str, str, str]:
    """How long the sled takes for motions that tell most of it."""
    rows = ((one.name, units.quantity("motion_s", one.time_s), plain(one.meaning)) for one in motions(device))
    what = "How the sled moves; the [model](../../background/model.md#the-sled) says by which equations."
    return "## Mechanics", what, table(("motion", "time", "meaning"), rows)


def _parameters(device: Any, kind: Entry) -> str:
    rows = []
    for key, unit, values, meaning in kind.parameters:
        if key == "description" or key not in device.parameters:
            continue
        value = _value(device.parameters[key])
        if chosen := kind.choices.get(key, {}).get(value):
            meaning = f"{meaning}. {value}: {chosen}"
        said = device.certainty.get(key, {})
        where = ": ".join(filter(None, (said.get("kind"), cited(device.sources.get(key, "")))))
        about = [plain(meaning), f"*{plain(where)}*" if where else "", _plausible(said)]
        shown = (code(key), plain(f"{value} {unit}".strip()), plain(values), "\n".join(filter(None, about)))
        rows.append(shown)
    return table(("parameter", "value", "may be", "meaning, source, and what else is plausible"), rows)


def _plausible(said: dict[str, Any]) -> str:
    """In which range a value may be in a device that could be, and why."""
    if said.get("low") is None:
        return ""
    return f"Plausible: {said['low']:,.12g} to {said['high']:,.12g}, {plain(cited(said['reason']))}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return f"{len(value)} rows"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _characteristics(device: Any, kind: Entry) -> str:
    rows = []
    for key, value in device.characteristics().items():
        figure, citation = device.paper.get(key, (None, ""))
        paper = (
            ""
            if figure is None
            else f"{units.quantity(key, figure)} ({value / figure - 1:+.2%}; {cited(citation)})"
        )
        rows.append(
            (
                units.label(key),
                code(key),
                units.quantity(key, value),
                plain(paper),
                plain(cited(kind.characteristics[key])),
            )
        )
    return table(("characteristic", "key", "value", "paper", "meaning"), rows)
