"""The web page of a timing certificate, on how exactly a served device kept the simulated times."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..common.output_files import PathLike, writing
from ..emulator.served import Record
from ..emulator.timing_figures import timing_figures
from ..pages.page import Page, Table, rendered
from .page_figures import figures
from .rendering import libraries, specification
from .timing_chart import timing_chart

_NAMES = {"p50": "p50", "p90": "p90", "p99": "p99", "p999": "p99.9", "max": "max"}


def write_report(served: Record, made: Mapping[str, Any], path: PathLike) -> Path:
    """Write the certificate of a recording of the server, with charts, as a web page that works offline.

    Args:
        served: Recording of the requests that the server served.
        made: Certificate made from this recording: its verdict and the figures behind it.
        path: File of the web page.

    Raises:
        OSError: The file cannot be written; an incomplete file is removed.
    """
    chart = specification(timing_chart(timing_figures(served)))
    page = Page(
        title=f"Timing of {made['device']}",
        verdict="certified" if made["certified"] else f"refused: {made['reason']}",
        says=[made["says"]],
        parts=[_table("Findings", _figures(made)), *figures(chart).figures],
        about=[_table("Device, machine and settings", _settings(made))],
    )
    text = rendered(page, libraries())
    with writing(path) as file:
        file.write(text.encode())
    return Path(path)


def _table(caption: str, texts: Mapping[str, str]) -> Table:
    return Table(caption, ("Figure", "Value"), [[*row] for row in texts.items()])


def _settings(made: Mapping[str, Any]) -> dict[str, str]:
    return {
        "Device": f"{made['device']} ({made['parameters_sha256'][:16]}...), sledsim {made['sledsim']}",
        "Policy": made["scheduler"],
        "Machine": f"{made['host']}, {made['kernel']}, {made['processors']} processors",
        "Real-time priority": "yes" if made["realtime"] else "no",
        "Spinning, lead": f"{made['spin_us']:g} us, {made['lead_us']:.4g} us",
        "Time scale": made["time_scale"],
        "Cache": made["cache"],
        **{
            f"Way of a free request, {when}": f"p50 {found['p50']:,.1f} us, p99 {found['p99']:,.1f} us"
            for when, found in (made["floor_us"] or {}).items()
        },
    }


def _figures(made: Mapping[str, Any]) -> dict[str, str]:
    late = made["lateness_us"]
    rows = {
        "Requests": f"{made['requests']:,}, {made['unanswered']:,} of them without a reply",
        "Equal to the simulation": "yes" if made["identical"] else "no",
        f"In time ({made['tolerance']})": f"{made['share_in_time']:.2%}",
        "Within 5 % of the response time": f"{made['share_within_5_percent']:.2%}",
        "Lateness": ", ".join(f"{text} {late[key]:,.1f} us" for key, text in _NAMES.items() if key in late),
        "Seconds with several late replies": f"{made['seconds_with_several_late']:,}",
    }
    if (probe := made["probe"]) is not None and probe["requests"]:
        off = probe["difference_us"]
        rows["At the probe"] = (
            f"{probe['requests']:,} requests; in time {probe['share_in_time']:.2%}, within 2 %"
            f" {probe['share_within_2_percent']:.2%}, within 5 % {probe['share_within_5_percent']:.2%};"
            f" later by p50 {off['p50']:,.1f} us, p99 {off['p99']:,.1f} us"
        )
    return rows
