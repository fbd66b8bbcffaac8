"""``sledsim certify``: judge from a recorded run whether a served device replied at the simulated times."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import command_options as options
from ..output import print_note, print_table, print_text, table, write_page

if TYPE_CHECKING:
    from ...emulator.served import Record

ReportOption = Annotated[
    Path | None, options.of_output("--report", help="Write an offline web page with charts of the timing.")
]
#: Exit status if the timing is not certified and ``--strict`` is given.
NOT_CERTIFIED = 3
StrictOption = Annotated[
    bool, options.of_output("--strict", help=f"Exit with status {NOT_CERTIFIED} if the timing is refused.")
]


def certify(
    *,
    record: Annotated[
        Path, typer.Argument(metavar="RUN.parquet", help="A record that 'sledsim serve --record' wrote.")
    ],
    out: Annotated[Path | None, options.of_output(help="Write the certificate to this file.")] = None,
    report: ReportOption = None,
    as_json: options.JsonOption = False,
    strict: StrictOption = False,
) -> None:
    """Certify the timing of a served device: simulate its requests again, and compare the times of replies.

    The certificate equals, byte for byte, the certificate that 'sledsim serve' wrote.
    """
    from ...common.output_files import check_writable
    from ...emulator.served import open_served

    for path in (out, report):
        if path is not None:
            check_writable(path)
    is_certified = show_certificate(open_served(record), out, report, as_json=as_json)
    if strict and not is_certified:
        raise typer.Exit(NOT_CERTIFIED)


def show_certificate(
    served: "Record", path: Path | None, report: Path | None, *, as_json: bool = False
) -> bool:
    """Judge the reply times in a record, print and write the certificate; return True if it is positive.

    Args:
        served: Record of the requests and replies of a served device.
        path: File for the certificate; None writes no file.
        report: File for a web page about the reply times; None writes no page.
        as_json: True to print the certificate as JSON in place of a table.
    """
    from ...common.output_files import writing
    from ...emulator.certificate import certificate, to_text

    made = certificate(served)
    if as_json:
        print_text(to_text(made))
    else:
        print_table("Lateness", table("Figure", ">Value", rows=_rows(made)))
    verdict = "CERTIFIED" if made["certified"] else f"REFUSED: {made['reason']}"
    print_note(f"the timing is {verdict}")
    if path is not None:
        with writing(path) as file:
            file.write(to_text(made).encode())
        print_note(f"certificate written to {path}")
    if report is not None:

        def write(path: Path) -> None:
            from ...charts.timing_report import write_report

            write_report(served, made, path)

        write_page(write, report)
    return bool(made["certified"])


def _rows(made: Mapping[str, Any]) -> list[tuple[str, str]]:
    late = made["lateness_us"]
    names = {"p50": "p50", "p99": "p99", "p999": "p99.9", "max": "max"}
    return [
        ("Requests", f"{made['requests']:,}"),
        *((f"Lateness {name}", f"{late[key]:,.1f} us") for key, name in names.items() if key in late),
        (f"In time ({made['tolerance']})", f"{made['share_in_time']:.2%}"),
        ("Within 5 % of the response time", f"{made['share_within_5_percent']:.2%}"),
        ("Equal to a second simulation", "yes" if made["identical"] else "no"),
        ("Real-time priority", "yes" if made["realtime"] else "no"),
        *_floor(made["floor_us"] or {}),
        *_probe(made["probe"]),
    ]


def _floor(found: Mapping[str, Mapping[str, float]]) -> list[tuple[str, str]]:
    """Return table rows with the delay that the server and its socket add to a request of no service time."""
    return [
        (f"Latency of a request without service, {when}", f"{of['p50']:,.1f} us, p99 {of['p99']:,.1f} us")
        for when, of in found.items()
    ]


def _probe(found: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return table rows about the response times that the server's own test client (the probe) measured."""
    if found is None or not found["requests"]:
        return []
    off = found["difference_us"]
    return [
        ("Requests of the probe", f"{found['requests']:,}"),
        ("Requests of the probe in time", f"{found['share_in_time']:.2%}"),
        (
            "Requests of the probe within 2 %, 5 %",
            " and ".join(f"{found[f'share_within_{part}_percent']:.2%}" for part in (2, 5)),
        ),
        ("Extra latency at the probe", f"{off['p50']:,.1f} us, p99 {off['p99']:,.1f} us"),
    ]


COMMANDS = {"certify": certify}
