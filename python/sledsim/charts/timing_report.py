"""The page of a certificate: the verdict, the settings, and the charts with what is seen in them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..common.files import PathLike, writing
from ..common.pages import drawing, escape, page
from ..emulator.figures import timing_figures
from ..emulator.served import Record
from .rendering import libraries, specification
from .style import readable
from .timing import timing_panels

_STYLE = """\
<style>
body { font-family: "DejaVu Sans", Verdana, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { text-align: left; padding: .25em 1em .25em 0; border-bottom: 1px solid #cccccc; }
th { font-weight: normal; color: #555555; }
.certified { color: #00664a; } .refused { color: #a63f00; }
footer { color: #555555; margin-top: 2em; }
</style>"""
_NAMES = {"p50": "p50", "p90": "p90", "p99": "p99", "p999": "p99.9", "max": "max"}


def write_report(served: Record, made: Mapping[str, Any], path: PathLike) -> Path:
    """Write a page that works offline: the certificate of what was served, and its charts.

    Args:
        served: What was served.
        made: Its certificate.
        path: The file.

    Raises:
        OSError: The file cannot be written; no part of it is left.
    """
    panels = timing_panels(timing_figures(served))
    charts = {f"chart-{at}": specification(readable(panel.chart)) for at, panel in enumerate(panels, 1)}
    parts = [
        _verdict(made),
        _table(_settings(made)),
        _table(_figures(made)),
        f"<p>{escape(made['says'])}</p>",
    ]
    for place, panel in zip(charts, panels, strict=True):
        parts.append(f'<h2>{escape(panel.title)}</h2>\n<div id="{place}"></div>\n<p>{escape(panel.says)}</p>')
    parts += [f"<script>\n{libraries()}\n</script>", drawing(charts)]
    text = page(f"Timing of {made['device']}", "\n".join(parts), _STYLE)
    with writing(path) as file:
        file.write(text.encode())
    return Path(path)


def _verdict(made: Mapping[str, Any]) -> str:
    if made["certified"]:
        return f'<h1>Timing of {escape(made["device"])}: <span class="certified">certified</span></h1>'
    found = f'<h1>Timing of {escape(made["device"])}: <span class="refused">refused</span></h1>'
    return f"{found}\n<p>{escape(made['reason'])}</p>"


def _table(rows: Mapping[str, str]) -> str:
    lines = (f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return "<table>\n" + "\n".join(lines) + "\n</table>"


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
        "Requests": f"{made['requests']:,}, of which {made['unanswered']:,} without an answer that was taken",
        "As the simulator says": "yes" if made["identical"] else "no",
        f"In time ({made['tolerance']})": f"{made['share_in_time']:.2%}",
        "Within 5 % of the response time": f"{made['share_within_5_percent']:.2%}",
        "Lateness": ", ".join(f"{text} {late[key]:,.1f} us" for key, text in _NAMES.items() if key in late),
        "Seconds with several late answers": f"{made['seconds_with_several_late']:,}",
    }
    if (probe := made["probe"]) is not None and probe["requests"]:
        off = probe["difference_us"]
        rows["At the probe"] = (
            f"{probe['requests']:,} requests; in time {probe['share_in_time']:.2%}, within 2 %"
            f" {probe['share_within_2_percent']:.2%}, within 5 % {probe['share_within_5_percent']:.2%};"
            f" later by p50 {off['p50']:,.1f} us, p99 {off['p99']:,.1f} us"
        )
    return rows
