"""The web page of one experiment: verdicts, charts, numbers, devices, and the command to repeat it."""

from collections.abc import Mapping
from typing import Any

from sledsim import Device
from sledsim.pages import drawing, printable

from ..shared.experiments import PAPERS, Chapter
from ..shared.findings import as_said
from . import markup

#: Largest number of rows of a table that a page shows at once. A longer table is folded: the reader sees its
#: title and opens it.
_ROWS_OPEN = 12


def charts_of(chapter: Chapter) -> dict[str, dict[str, Any]]:
    """Return the Vega-Lite specifications of a chapter's charts, by the name of the picture's file.

    A chart without a title gets its caption as title, which labels a saved picture. The specifications are
    not checked here, because drawing the pictures checks them.
    """
    from sledsim.charts import specification

    charts = chapter.result.charts.items()
    return {
        f"figures/{chapter.experiment.id}-{i}.svg": {
            "title": printable(caption),
            **specification(draw(), validate=False),
        }
        for i, (caption, draw) in enumerate(charts, 1)
    }


def chapter_page(chapter: Chapter, charts: Mapping[str, dict[str, Any]]) -> str:
    """Build the HTML page of a chapter; `charts` is the result of `charts_of`."""
    experiment, result = chapter.experiment, chapter.result
    places = [f"chart-{i}" for i in range(1, len(charts) + 1)]
    return markup.page(
        "chapter",
        f"{experiment.id} {experiment.title}",
        chapter=chapter,
        experiment=experiment,
        paper=PAPERS[experiment.paper],
        claims_here=[(claim, "") for claim in chapter.claims],
        notes=result.notes,
        beside=[(one.quantity, one.paper, one.found, as_said(one)) for one in chapter.beside],
        figures=list(zip(result.charts, places, charts, strict=True)) if charts else [],
        drawn=drawing(dict(zip(places, charts.values(), strict=True))),
        tables=[
            (title, name, columns.num_rows, markup.figures(columns))
            for (title, columns), name in zip(result.tables.items(), chapter.tables, strict=True)
        ],
        rows_shown=markup.ROWS_SHOWN,
        rows_open=_ROWS_OPEN,
        devices=[(device.name, _parameters(device)) for device in result.devices],
    )


def _parameters(device: Device) -> list[tuple[str, str, str]]:
    sources = device.sources
    return [(key, str(value), sources.get(key, "")) for key, value in device.parameters.items()]
