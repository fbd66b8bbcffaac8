"""000-E-12, Section 6: several requests per decision.

Mean response, and number of positioning times computed, if one decision of ZSPTF chooses several requests.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sledsim.charts import alt, colour, names, plot, readable

from ..shared import CV2, RESPONSE, Result, columns, noted, with_ends
from .inputs import SLEDS, Draw, load_columns, stream_curves, zoned_device
from .sequential_streams import bursty_stream, stream
from .zone_policies import equal_cells, register

#: Grid of the zones: 20 columns and 2 rows of cells of 120 x 1200 bits.
_GRID = 20, 2
#: Numbers of requests of a zone that one decision chooses. The last exceeds any queue, so that it stands for
#: all requests of the zone.
_EVERY = 1, 2, 4, 8, 1_000_000
_EVERY_QUICK = 1, 2, 4, 1_000_000
#: Loads at which several requests wait in a zone: function that makes the stream, trace that it resembles,
#: and requests/s.
_LOADS = ((stream, "server", 1500.0), (stream, "user", 1800.0), (bursty_stream, "server", 396.0))
_COUNT, _REPLICATIONS = (4000, 12_000), (4, 8)


def run(quick: bool) -> Result:
    """Run ZSPTF, with 1, 2, 4, 8 or all requests of a zone chosen in one decision."""
    every = _EVERY_QUICK if quick else _EVERY
    rows = [row for load in _LOADS for row in _compare(*load, every, quick)]
    return Result(
        devices=[zoned_device(sleds) for sleds in SLEDS.values()],
        tables={"Several requests at a time": rows},
        charts={"Several requests at a time": lambda: _chart(rows)},
        notes=[*noted("000-E-12"), _words(rows)],
    )


def _compare(
    draw: Draw, like: str, rate_per_s: float, every: Sequence[int], quick: bool
) -> list[dict[str, Any]]:
    """Return a table row per number of requests that a decision chooses: mean response, cv² and cost.

    The stream is drawn by `draw` like the trace `like` at `rate_per_s` requests/s.
    """
    cells = equal_cells(zoned_device(SLEDS[like]), *_GRID)
    policies = {count: f"zsptf-every-{count}" for count in every}
    tallies = {count: register(name, cells, count) for count, name in policies.items()}
    sizes = {"count": _COUNT[not quick], "replications": _REPLICATIONS[not quick]}
    curves = stream_curves(draw, like, list(policies.values()), [rate_per_s], **sizes)
    rows = []
    for count, name in policies.items():
        found = tallies[count].sum()
        row = {
            **load_columns(draw, like, rate_per_s),
            "every": "all" if count == every[-1] else str(count),
            "decisions_per_request": found.decisions / found.served,
            "entries_per_request": found.entries / found.served,
        }
        for figure, key in ((RESPONSE, "response_ratio"), (CV2, "cv2_ratio")):
            ratios = [one.ratio for one in curves.difference(name, policies[1], figure)]
            row |= columns(key, ratios[0] if ratios else None)
        rows.append(row)
    return rows


def _words(rows: Sequence[Mapping[str, Any]]) -> str:
    texts = []
    known = [row for row in rows if row["response_ratio"] is not None]
    for name in dict.fromkeys(row["input"] for row in known):
        first, *more = [row for row in known if row["input"] == name]
        each = ", ".join(
            f"with {row['every']} per decision responses are {row['response_ratio']:.3f} times as long and"
            f" {1 - row['entries_per_request'] / first['entries_per_request']:.0%} of the entries are saved"
            for row in more
        )
        texts.append(f"on the {name} stream, {first['entries_per_request']:.1f} entries per request, {each}")
    return f"Costs and savings: {'; '.join(texts)}."


def _chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Draw mean response, and positioning times computed, over the number of requests per decision."""
    values = [
        {**row, "load": f"{row['input']}, {row['rate_per_s']:,.0f}/s"}
        for row in with_ends(rows, "response_ratio")
    ]
    base = plot(
        values,
        x=alt.X("every:O", title="Requests per decision", sort=None).axis(labelAngle=0),
        color=colour("load", "Stream", names(values, "load")),
    ).properties(width=300, height=240)
    ratio = alt.Y("response_ratio:Q", title="Mean response over that with one request").scale(zero=False)
    entries = alt.Y("entries_per_request:Q", title="Computed positioning times per request")
    line = base.mark_line(point=True)
    bars = base.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q")
    panels = alt.hconcat(alt.layer(bars, line.encode(y=ratio)), line.encode(y=entries))
    return readable(panels, title="ZSPTF that decides on several requests of a zone at a time")
