"""001-E-7, Figure 11: layouts of files.

Mean access to 10,000 files under four layouts, with and without settling, and layouts under real traces.
"""

from functools import partial
from itertools import product
from typing import Any

from sledsim.charts import alt, colour, names, plot, readable, side_by_side, tips
from sledsim.estimates import Estimate, ratio
from sledsim.files import PathLike

from ..shared import HP, Calibrated, Claim, Effect, Finding, Result, device, less_by, noted, stated
from .file_layouts import LARGEST_BYTES, LAYOUTS, POPULARITY, access_columns, file_layout, mean_accesses_s
from .trace_layouts import EXTENT_BLOCKS, trace_rows

_FILES = 10_000
_SEEDS, _SEEDS_QUICK = 20, 4
_SETTLE_MS = (0.22, 0.0)
#: Means of the exponential distribution of popularity, as shares of the device's blocks (001-D13).
_POPULARITIES = (0.05, 0.10, POPULARITY, 0.15, 0.20, 0.25)
#: Sizes of the largest file in bytes that are tried, because the paper prints none (001-D14).
_LARGEST_BYTES = (2**20, LARGEST_BYTES, 2**25)
#: Reductions of the mean access that 001 prints in per cent: range against the random layout, then the
#: further reduction by the subregioned layout if nothing settles.
_LEAST, _MOST, _AGAIN = "12", "15", "12"
_LESS = "access under {}, reduction from random"

#: Mean accesses in seconds, one per seed, by settling time in ms, name of the layout, and mean popularity (0
#: for layouts that do not depend on it).
_Found = dict[tuple[float, str, float], list[float]]


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Read 10,000 files under every layout with several seeds, and replay captures and real traces."""
    seeds = _SEEDS_QUICK if quick else _SEEDS
    found = _measured(seeds)
    rows = [
        {
            **{"settle_s": settle_ms * 1e-3, "layout": name, "popularity": popularity or None},
            **access_columns(means, found[settle_ms, "random", 0.0]),
        }
        for (settle_ms, name, popularity), means in found.items()
    ]
    on_traces = trace_rows(_SETTLE_MS, traces)
    figure = [row for row in rows if row["popularity"] in (None, POPULARITY)]
    return Result(
        devices=[device("osdi00")],
        claims=[_claim(found)],
        tables={
            "Figure 11: mean access to whole files": figure,
            "The organ pipe over the mean of its popularity": [
                row for row in rows if row["layout"] == "organ-pipe"
            ],
            "The largest file, which 001 does not state": _tails(seeds),
            "The second half of real traces": on_traces,
        },
        charts={
            "Figure 11: layouts": partial(_files_chart, figure),
            "Layouts under real traces, with settling": partial(_traces_chart, on_traces),
        },
        notes=noted("001-E-7", popularity=POPULARITY, blocks=EXTENT_BLOCKS),
    )


def _measured(seeds: int) -> _Found:
    return {
        (settle_ms, name, popularity): mean_accesses_s(
            file_layout(name, settle_ms, popularity or POPULARITY), _FILES, seeds
        )
        for settle_ms, name in product(_SETTLE_MS, LAYOUTS)
        # Only the organ-pipe layout depends on the popularity.
        for popularity in (_POPULARITIES if name == "organ-pipe" else (0.0,))
    }


def _over(found: _Found, settle_ms: float, name: str, other: str) -> Estimate:
    """Return the mean access with the layout `name` over that with `other`, as an estimate over the seeds."""
    means = [found[settle_ms, each, POPULARITY if each == "organ-pipe" else 0.0] for each in (name, other)]
    return ratio(means[0], means[1])


def _tails(seeds: int) -> list[dict[str, Any]]:
    """Return a table row per settling time and largest file: mean access of layouts over the random one."""
    rows = []
    for settle_ms, largest in product(_SETTLE_MS, _LARGEST_BYTES):
        random, *others = (
            mean_accesses_s(file_layout(name, settle_ms), _FILES, seeds, largest) for name in LAYOUTS
        )
        over = {
            f"{name}_over_random": ratio(of, random).value
            for name, of in zip(LAYOUTS[1:], others, strict=True)
        }
        rows.append({"settle_s": settle_ms * 1e-3, "largest_bytes": largest, **over})
    return rows


def _claim(found: _Found) -> Claim:
    settled, unsettled = _SETTLE_MS
    others = ("columnar", "organ-pipe")
    return stated(
        "001-C14",
        _organ_pipe(found, settled),
        *(
            Effect(_LESS.format(name), _LEAST, less_by(_over(found, settled, name, "random")), to=_MOST)
            for name in ("columnar", "subregioned")
        ),
        *(
            Effect(
                f"without settling, access under subregioned, reduction from {other}",
                _AGAIN,
                less_by(_over(found, unsettled, "subregioned", other)),
            )
            for other in others
        ),
    )


def _organ_pipe(found: _Found, settle_ms: float) -> Finding:
    """Compare the gain of the organ-pipe layout with the printed range; add the popularities that fit it."""
    base = found[settle_ms, "random", 0.0]
    less = {mean: less_by(ratio(found[settle_ms, "organ-pipe", mean], base)) for mean in _POPULARITIES}
    within = [mean for mean, by in less.items() if float(_LEAST) <= by.value <= float(_MOST)]
    gain = Effect(_LESS.format("organ-pipe"), _LEAST, less[POPULARITY], to=_MOST)
    fits = f"{min(within):g} to {max(within):g}" if within else "none of them"
    most, least = (less[mean].value for mean in (min(less), max(less)))
    tried = f"{min(less):g} to {max(less):g} tried: {most:.1f} to {least:.1f} %"
    return Calibrated(gain, f"means of the popularity of {fits} ({tried})")


def _files_chart(rows: list[dict[str, Any]]) -> Any:
    """Draw the mean access under each layout and settling time, as in Figure 11."""
    layouts = names(rows, "layout")
    bars = plot(
        [
            {**row, "ms": row["mean_access_s"] * 1e3, "settling": f"{row['settle_s'] * 1e3:g} ms"}
            for row in rows
        ],
        x=alt.X("settling:N", title="Settling time", sort=None).axis(labelAngle=0),
        y=alt.Y("ms:Q", title="Mean access (ms)").scale(zero=True),
        **side_by_side("x", "layout", "Layout", layouts),
        tooltip=tips("layout:N | Layout", "ms:Q | ms | .4f", "over_random:Q | over random | .3f"),
    )
    return readable(bars.mark_bar().properties(width=110 * len(layouts), height=300))


def _traces_chart(rows: list[dict[str, Any]]) -> Any:
    """Draw, by trace, the mean access with each layout over that with the layout `streaming`."""
    settled = [row for row in rows if row["settle_s"] > 0 and row["over_streaming"] != 1]
    layouts = names(settled, "layout")
    base = plot(
        settled,
        y=alt.Y("layout:N", title=None, sort=layouts).axis(labelLimit=260),
        color=colour("layout", "Layout", layouts).legend(None),
    )
    of_mean = alt.X("over_streaming:Q", title="Mean access over that under streaming").scale(zero=False)
    ends = {"x": alt.X("over_streaming_low:Q", title=""), "x2": "over_streaming_high:Q"}
    layers = alt.layer(base.mark_rule().encode(**ends), base.mark_point(filled=True).encode(x=of_mean))
    by_trace = alt.Facet("trace:N", title=None, sort=names(settled, "trace"))
    return readable(layers.properties(width=300, height=24 * len(layouts)).facet(by_trace, columns=2))


#: Names of the real traces that the experiment can use.
NEEDS = HP
