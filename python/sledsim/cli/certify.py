"""``sledsim certify``: the certificate of what was served, derived from its record."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import options
from .output import print_note, print_table, print_text, table

if TYPE_CHECKING:
    from ..emulator.served import Served

#: The exit status where a certificate was required and refused.
NOT_CERTIFIED = 3


def certify(
    *,
    record: Annotated[
        Path, typer.Argument(metavar="RUN.parquet", help="What 'sledsim serve --record' has written.")
    ],
    out: Annotated[Path | None, options.of_output(help="Write the certificate to this file.")] = None,
    as_json: options.JsonOption = False,
    strict: Annotated[
        bool, options.of_output("--strict", help=f"Exit with status {NOT_CERTIFIED} if it is refused.")
    ] = False,
) -> None:
    """Certify the timing of what was served: run the requests again, and see when each answer was sent.

    The certificate is the same, to the byte, as that which 'sledsim serve' gave.
    """
    from ..common.files import check_writable
    from ..emulator.served import read_served

    if out is not None:
        check_writable(out)
    is_certified = show_certificate(read_served(record), out, as_json=as_json)
    if strict and not is_certified:
        raise typer.Exit(NOT_CERTIFIED)


def show_certificate(served: "Served", path: Path | None, *, as_json: bool = False) -> bool:
    """Derive a certificate, show it, and write it if that is asked for; whether it was given."""
    from ..common.files import writing
    from ..emulator.certificate import certificate, to_text

    made = certificate(served)
    if as_json:
        print_text(to_text(made))
    else:
        print_table("Lateness", table("Figure", "Value", numbers=("Value",), rows=_rows(made)))
    verdict = "CERTIFIED" if made["certified"] else f"REFUSED: {made['reason']}"
    print_note(f"the timing is {verdict}")
    if path is not None:
        with writing(path) as file:
            file.write(to_text(made).encode())
        print_note(f"certificate written to {path}")
    return bool(made["certified"])


def _rows(made: Mapping[str, Any]) -> list[tuple[str, str]]:
    late = made["lateness_us"]
    names = {"p50": "p50", "p99": "p99", "p999": "p99.9", "max": "max"}
    return [
        ("Requests", f"{made['requests']:,}"),
        *((f"Lateness {name}", f"{late[key]:,.1f} us") for key, name in names.items() if key in late),
        (f"In time ({made['tolerance']})", f"{made['share_in_time']:.2%}"),
        ("Within 5 % of the response time", f"{made['share_within_5_percent']:.2%}"),
        ("As the simulator says", "yes" if made["identical"] else "no"),
        ("Real-time priority", "yes" if made["realtime"] else "no"),
    ]
