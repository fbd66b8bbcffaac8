"""The page of one experiment: verdicts, figures, numbers, devices, and how to make it again."""

from collections.abc import Iterable, Mapping
from typing import Any

from ...common.pages import drawing, escape, printable
from ...model.devices import Device
from ..shared.experiments import PAPERS, Chapter
from . import markup

#: A longer table is folded away below its title.
_ROWS_OPEN = 12


def charts_of(chapter: Chapter) -> dict[str, dict[str, Any]]:
    """The specifications of the charts of a chapter, by the files of their pictures.

    One without a title has its caption for that, so that a picture that is saved still says what it is.
    Drawing the picture checks them, so that they need not be checked twice.
    """
    from ...charts.rendering import specification

    charts = chapter.result.charts.items()
    return {
        f"figures/{chapter.experiment.id}-{i}.svg": {
            "title": printable(caption),
            **specification(draw(), validate=False),
        }
        for i, (caption, draw) in enumerate(charts, 1)
    }


def chapter_page(chapter: Chapter, charts: Mapping[str, dict[str, Any]]) -> str:
    """The page as HTML; `charts` as `charts_of` gives them."""
    experiment, result = chapter.experiment, chapter.result
    paper = PAPERS[experiment.paper].title
    head = (
        f'<nav><a href="index.html">All claims</a> · {escape(experiment.paper)}: {escape(paper)}</nav>\n'
        f"<h1>{escape(experiment.id)} {escape(experiment.title)}</h1>\n<p>{escape(experiment.computes)}</p>\n"
        f"<p>Make it again:</p>\n<pre>{escape(chapter.command)}</pre>"
    )
    claims = markup.claims([(claim, "") for claim in chapter.claims])
    notes = "".join(f"<li>{escape(note)}</li>" for note in result.notes)
    parts = (
        head,
        f"<h2>Verdicts</h2>\n{claims}" if result.claims else "",
        f"<h2>Notes</h2>\n<ul>{notes}</ul>" if notes else "",
        f"<h2>Figures</h2>\n{_figures(result.charts, charts)}" if charts else "",
        "<h2>Numbers</h2>" if result.tables else "",
        *(
            _numbers(title, name, columns)
            for (title, columns), name in zip(result.tables.items(), chapter.tables, strict=True)
        ),
        "<h2>Devices</h2>",
        *(_device(device) for device in result.devices),
    )
    return markup.page(f"{experiment.id} {experiment.title}", "\n".join(part for part in parts if part))


def _figures(titles: Iterable[str], charts: Mapping[str, dict[str, Any]]) -> str:
    """Interactive charts, and their pictures where no scripts run."""
    places = [f"chart-{i}" for i in range(1, len(charts) + 1)]
    boxes = "\n".join(
        f'<figure><figcaption>{escape(title)}</figcaption><div class="chart" id="{place}"></div>'
        f'<noscript><div class="chart"><img src="{escape(picture)}" alt="{escape(title)}"></div>'
        "</noscript></figure>"
        for title, place, picture in zip(titles, places, charts, strict=True)
    )
    drawn = drawing(dict(zip(places, charts.values(), strict=True)))
    return f'{boxes}\n<script src="assets/vega.js"></script>\n{drawn}'


def _numbers(title: str, name: str, columns: Any) -> str:
    rows = columns.num_rows
    shown = f"the first {markup.ROWS_SHOWN} of {rows:,} rows; all: " if rows > markup.ROWS_SHOWN else ""
    link = f'<p class="quiet">{shown}<a href="{escape(name)}">{escape(name)}</a> (SI units)</p>'
    body = f"{markup.figures(columns)}\n{link}"
    if rows <= _ROWS_OPEN:
        return f"<h3>{escape(title)}</h3>\n{body}"
    return f"<details><summary><h3>{escape(title)}</h3> {rows:,} rows</summary>\n{body}\n</details>"


def _device(device: Device) -> str:
    sources = device.sources
    rows = [(key, str(value), sources.get(key, "")) for key, value in device.parameters.items()]
    table = markup.table(("Parameter", "Value", "Source"), rows, numbers=(1,))
    return f"<details><summary>Parameters of {escape(device.name)}</summary>\n{table}\n</details>"
