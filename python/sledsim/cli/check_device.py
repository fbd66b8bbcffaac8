"""``sledsim check-device``: what is asked of every device, tried on one."""

from typing import Annotated

import typer

from .options import JsonOption, SetOption, parse_settings
from .output import print_json, print_table, table

#: The device falls short.
_FALLS_SHORT = 1


def check_device(
    name: Annotated[
        str,
        typer.Argument(
            metavar="DEVICE",
            help="A class of your own as MODULE:CLASS or FILE.py:CLASS; a built-in device; a device file.",
        ),
    ],
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Try on a device of your own what the simulator counts on; exit status 1 if it falls short."""
    from ..model.typed import device
    from ..runs.device_check import check_device

    found = check_device(device(name, **parse_settings(settings)))
    if as_json:
        checks = [vars(check) for check in found.checks]
        print_json({"device": found.device, "passed": found.passed, "checks": checks})
    else:
        rows = [
            (check.name, (check.failure and f"FAILS: {check.failure}") or "passed", check.meaning)
            for check in found.checks
        ]
        print_table(f"Device {found.device}", table("Check", "Found", "What is asked", rows=rows))
    if not found.passed:
        raise typer.Exit(_FALLS_SHORT)
