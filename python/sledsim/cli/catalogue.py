"""``sledsim devices``, ``schedulers``, ``workloads`` and ``formats``: what there is to choose from."""

from typing import Annotated

import typer

from .. import _native
from .options import JsonOption
from .output import console, label, print_json, print_table, table
from .volume_options import complete_volume

VolumeArgument = Annotated[
    str | None,
    typer.Argument(help="A kind of volume; without one all are listed.", autocompletion=complete_volume),
]


def devices(as_json: JsonOption = False) -> None:
    """List the built-in devices."""
    rows = _native.devices()
    if as_json:
        print_json({name: {"kind": kind, "description": text} for name, kind, text in rows})
        return
    listing = table("Device", "Kind", "Description")
    for row in rows:
        listing.add_row(*row)
    print_table(None, listing)


def schedulers(as_json: JsonOption = False) -> None:
    """List the schedulers, what may stand around them, and their options."""
    policies, wrappers = _native.schedulers(), _native.scheduler_wrappers()
    if as_json:
        print_json({name: _as_json(name, text) for name, text in [*policies, *wrappers]})
        return
    _show_options("Scheduler", policies)
    _show_options("Around any", [(f"+{name}", text) for name, text in wrappers])
    console().print(
        "In the name: asptf:weight=5, zsptf:zone=60x600,parity=joined, sptf+deadline:after_ms=50",
        soft_wrap=True,
    )


def power_policies(as_json: JsonOption = False) -> None:
    """List the policies that shut a device down, for the parameter power_policy, and their options."""
    rows = _native.power_policies()
    options = {name: _native.power_policy_options(name) for name, _ in rows}
    if as_json:
        print_json({name: {"description": text, "options": _details(options[name])} for name, text in rows})
        return
    listing = table("Power policy", "Description", "Options")
    for name, text in rows:
        own = (f"{option}={default}" for option, _, default, _ in options[name])
        listing.add_row(name, text, "\n".join(own))
    print_table(None, listing)
    console().print("In the name: --set power_policy=timeout:ms=2", soft_wrap=True)


def _as_json(name: str, text: str) -> dict[str, object]:
    options = {
        option: {"default": default, "description": about}
        for option, default, about in _native.scheduler_options(name)
    }
    return {"description": text, "options": options}


def _show_options(kind: str, rows: list[tuple[str, str]]) -> None:
    listing = table(kind, "Description", "Options")
    for name, text in rows:
        options = _native.scheduler_options(name.removeprefix("+"))
        listing.add_row(name, text, "\n".join(f"{option}={default}" for option, default, _ in options))
    print_table(None, listing)


def workloads(as_json: JsonOption = False) -> None:
    """List the workloads that can be drawn, and their options."""
    rows = _native.workloads()
    options = {name: _native.workload_options(name) for name, _ in rows}
    if as_json:
        print_json({name: {"description": text, "options": _details(options[name])} for name, text in rows})
        return
    names = [{row[0] for row in own} for own in options.values()]
    of_all = [row for row in options[rows[0][0]] if all(row[0] in own for own in names)]
    listing = table("Workload", "Description", "Options")
    for name, text in rows:
        listing.add_row(name, text, "\n".join(_given(row) for row in options[name] if row not in of_all))
    print_table(None, listing)
    shared = table("Option of any", "Unit", "Meaning")
    for row in of_all:
        shared.add_row(_given(row), row[1], row[3])
    print_table(None, shared)
    console().print("As a trace: random:rate=1000, zipf:rate=500,theta=0.8,arrivals=bursts", soft_wrap=True)


def _given(row: tuple[str, str, str, str]) -> str:
    """An option with its default, as it would be given."""
    return f"{row[0]}={row[2]}"


def _details(rows: list[tuple[str, str, str, str]]) -> dict[str, dict[str, str]]:
    return {
        option: {"unit": unit, "default": default, "description": about}
        for option, unit, default, about in rows
    }


def volumes(name: VolumeArgument = None, as_json: JsonOption = False) -> None:
    """List the kinds of volumes, their options and members; with a name, what these mean."""
    from ..counters import VOLUMES

    if name is not None:
        _native.volume_options(name)  # A name that there is not ends here.
    kinds = [row for row in _native.volumes() if name in (None, *row[:2])]
    rows = [(kind, alias, text, *_native.volume_options(kind)) for kind, alias, text in kinds]
    if as_json:
        print_json(
            {
                name: {
                    "alias": alias,
                    "description": text,
                    "options": _details(options),
                    "members": {
                        role: {"default": default, "description": about} for role, default, about in roles
                    },
                    "counters": dict(VOLUMES.get(name, {})),
                }
                for name, alias, text, options, roles in rows
            }
        )
        return
    if name is not None:
        _explain(*rows[0])
        return
    listing = table("Volume", "Description", "Options", "Members")
    for name, alias, text, options, roles in rows:
        members = "\n".join(f"{role}={default}" for role, default, _ in roles)
        shown = f"{name}\n({alias})" if alias else name
        listing.add_row(shown, text, "\n".join(map(_given, options)), members)
    print_table(None, listing)
    console().print(
        "sledsim run TRACE --volume raid5:devices=5 --device atlas10k --set stripe_unit_kib=32\n"
        "sledsim run TRACE --volume mmcd --set disk=cheetah4lp --set mems.settle_ms=0.1\n"
        "What options, members and counters mean: sledsim volumes NAME",
        soft_wrap=True,
    )


def _explain(
    name: str,
    alias: str | None,
    text: str,
    options: list[tuple[str, str, str, str]],
    roles: list[tuple[str, str, str]],
) -> None:
    """What the options, members and counters of a kind of volume mean."""
    from ..counters import VOLUMES

    console().print(f"{name} ({alias}): {text}\n" if alias else f"{name}: {text}\n", soft_wrap=True)
    listing = table("Option", "Unit", "Meaning")
    for row in options:
        listing.add_row(_given(row), row[1], row[3])
    members = table("Member", "Meaning")
    for role, default, about in roles:
        members.add_row(f"{role}={default}", about)
    counted = table("Counted in a run", "Meaning")
    for counter, about in VOLUMES.get(name, {}).items():
        counted.add_row(label(counter), about)
    for made in (listing, members, counted):
        if made.row_count:
            print_table(None, made)


def formats(as_json: JsonOption = False) -> None:
    """List the trace formats, and which of them can be written, too."""
    from ..catalogue import formats, writable_formats

    if as_json:
        print_json(formats())
        return
    listing = table("Format", "Written, too", "Description")
    for name, text in formats().items():
        listing.add_row(name, "yes" if name in writable_formats() else "", text)
    print_table(None, listing)
