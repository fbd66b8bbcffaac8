"""A page of each built-in device, with its parameters and derived characteristics."""

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
    """Yield the list of devices and the page of each."""
    names = sledsim.devices()
    kinds = [_list(kind) for kind in rows_of("kinds")]
    trees = toctree([*rows_of("kinds"), *names], hidden="", titlesonly="")
    yield (
        "generated/devices/index.md",
        joined(
            "# Every device",
            "Find a built-in device, with all its parameters. A file of your own"
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
    keys = f"[Meaning of the keys of their files]({kind}.md)"
    return joined(f"## {heading}", table(("device", "description"), rows), keys)


def _kind(kind: str) -> str:
    """Return the page of a kind of devices: every key and derived characteristic."""
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
        f'Find the meaning and range of each key of a device file with `kind = "{kind}"`.'
        " `--set KEY=VALUE` sets a key for one command.",
        "## Keys",
        table(("key", "unit", "range", "meaning"), keys),
        "## Values of keys that take a name" if row.choices else "",
        table(("key", "value", "meaning"), chosen),
        "## Derived characteristics",
        "`sledsim show NAME` prints them; `Device.characteristics()` returns them in SI units.",
        table(("characteristic", "shown as", "meaning"), follows),
    )


def _page(name: str) -> str:
    device = sledsim.device(name)
    kind = entry("kinds", device.kind)
    what = cited(str(device.parameters["description"]))
    return joined(
        f"# `{name}`",
        f"{plain(what[:1].upper() + what[1:])}.",
        f"`sledsim show {name}` prints these values."
        f" `sledsim run demo --device {name} --fit` runs a trace on it.",
        "## Parameters",
        _parameters(device, kind),
        "## Derived characteristics",
        _characteristics(device, kind),
        *(_mechanics(device) if device.kind == "mems" else ()),
    )


def _mechanics(device: sledsim.Device) -> tuple[str, str, str]:
    """Return the section on the times of typical motions of the sled."""
    rows = ((one.name, units.quantity("motion_s", one.time_s), plain(one.meaning)) for one in motions(device))
    what = "Times of motions of the sled; the [model](../../background/model.md#the-sled) has the equations."
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
    return table(("parameter", "value", "range", "meaning, source and plausible range"), rows)


def _plausible(said: dict[str, Any]) -> str:
    """Format the plausible range of a value, with the reason."""
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
