"""The web page of explained requests: the causes of each response, and alternatives."""

from collections.abc import Sequence
from dataclasses import replace

from ..common.output_files import PathLike, writing
from ..pages.page import Figure, Page, Table, rendered, table
from ..runs.explanations import Explanation
from ..runs.explanations.segments import IN_SHORT
from .explanation_chart import explanation_panels, explanation_tables
from .grammar import alt
from .page_figures import figures
from .rendering import libraries, specification
from .style import readable


def write_explanations(made: Sequence[Explanation], path: PathLike) -> None:
    """Write the web page of the explained requests to a file; the page works offline.

    Raises:
        OSError: The file cannot be written; an incomplete file is removed.
    """
    text = rendered(explanations_page(made), libraries())
    with writing(path) as file:
        file.write(text.encode())


def explanations_page(made: Sequence[Explanation]) -> Page:
    """Build the web page from the explanations of requests of one run."""
    first = made[0]
    parts: list[Figure | Table] = [] if len(made) == 1 else [_overview(made)]
    for one in made:
        chart = specification(readable(alt.vconcat(*explanation_panels(one))))
        drawn = figures(chart).figures
        if len(made) > 1:
            drawn = [replace(each, title=f"Request {one.row:,}: {each.title}") for each in drawn]
            # If the page explains one request only, the findings about it are at the top.
            drawn[:1] = [replace(each, says=" ".join((*one.in_words(), each.says))) for each in drawn[:1]]
        parts += [*drawn, *explanation_tables(one)]
    which = f"Request {first.row:,}" if len(made) == 1 else f"{len(made):,} requests"
    return Page(
        title=f"{which} of {first.trace} on {first.device_name}, {first.scheduler}",
        verdict=" ".join(first.in_words()) if len(made) == 1 else "",
        says=["The causes of a response add up to it exactly: the run was repeated, with equal results."],
        parts=parts,
    )


def _overview(made: Sequence[Explanation]) -> Table:
    """Return a table of the explained requests, with the response and its main cause."""
    rows = []
    for one in made:
        due, ns = max(one.due_ns.items(), key=lambda pair: pair[1], default=("", 0))
        share = ns / one.response_ns if one.response_ns else None
        rows.append(
            {
                "request": one.row,
                "response_s": one.response_ns * 1e-9,
                "share": share,
                "due to": IN_SHORT.get(due, "-"),
                "kind": one.kind,
                "arrival_s": (one.arrival_ns - one.begun_ns) * 1e-9,
            }
        )
    return table("The requests", rows, folded=False)
