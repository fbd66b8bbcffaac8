"""``sledsim devices``, ``schedulers`` and ``formats``: what there is to choose from."""

from .. import _native
from .options import JsonOption
from .output import print_json, print_table, table


def devices(as_json: JsonOption = False) -> None:
    """List the built-in devices."""
    _show("Device", _native.devices(), as_json)


def schedulers(as_json: JsonOption = False) -> None:
    """List the schedulers."""
    _show("Scheduler", _native.schedulers(), as_json)


def formats(as_json: JsonOption = False) -> None:
    """List the trace formats."""
    _show("Format", _native.formats(), as_json)


def _show(kind: str, rows: list[tuple[str, str]], as_json: bool) -> None:
    if as_json:
        print_json(dict(rows))
        return
    listing = table(kind, "Description")
    for row in rows:
        listing.add_row(*row)
    print_table(None, listing)
