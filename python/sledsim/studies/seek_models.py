"""Seek time along x by each seek model, over the distance (000-F21, 001-F30)."""

from typing import Any

import numpy as np

from ..charts.grammar import alt, colour, log_axis, names, plot, tips
from ..model.core_tables import entry
from ..model.devices import Device
from . import sheet_options as options
from .drawing import data, titled
from .region import Region
from .sheet import defined
from .tables import Table, at_few_distances, from_rows, origin

_EXACT = "bang-bang"
#: Percentages at the ticks of the symmetric-logarithmic axis; default ticks leave out all values between 0
#: and 100.
_PERCENTS = (-100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100, 300, 1000)
#: Lengths of dashes and gaps of each line in pixels; the first line is solid.
_DASHES = ((1, 0), (8, 4), (4, 4), (2, 4), (8, 4, 2, 4), (12, 6))
#: Line width in pixels of the model bang-bang, whose line lies below all others, and of all other models.
_WIDE, _THIN = 7, 2


def seek_models(device: Device, models: options.Several[str] | None = None, points: int = 40) -> Table:
    """Compute the times, with settling, of seeks along x across the centre, by each seek model.

    Args:
        device: Any device with the parameters that the models need.
        models: Names of seek models; None takes all of them, but ``measured`` only for a device with measured
            times.
        points (from 2): Number of distances, from one bit to the whole stroke, evenly spread on a logarithmic
            scale.

    Returns:
        seek_model, distance_m (distance along x), seek_s (seek time), difference (relative difference of
        seek_s from the seek time with ``bang-bang``).

    Raises:
        ParameterError: A model is unknown, or the device lacks a parameter that a model needs.
    """
    half_m = Region.of(device).half_distances_m(points)
    exact_s = np.asarray(device.with_parameters(seek_model=_EXACT).seek_x_s(-half_m, half_m))
    rows = []
    for model in _models(device, models):
        seek_s = np.asarray(device.with_parameters(seek_model=model).seek_x_s(-half_m, half_m))
        for distance_m, model_s, ideal_s in zip(2 * half_m, seek_s, exact_s, strict=True):
            times = {"seek_s": float(model_s), "difference": float(model_s / ideal_s - 1)}
            rows.append({"seek_model": model, "distance_m": float(distance_m), **times})
    return from_rows(rows)


def _models(device: Device, given: options.Several[str] | None) -> list[str]:
    names = list(entry("kinds", "mems").choices["seek_model"])
    if given is None:
        return [name for name in names if name != "measured" or "measured_x" in device.parameters]
    return [options.choice("models", name, names) for name in options.several("models", given, "seek models")]


def digest(table: Table) -> Table:
    """Return the short table: seek times at a few distances, with a column per model."""
    by_distance: dict[float, dict[str, float]] = {}
    for row in at_few_distances(table).to_pylist():
        at = by_distance.setdefault(row["distance_m"], {"distance_m": row["distance_m"]})
        at[f"{row['seek_model']}_s"] = row["seek_s"]
    return from_rows(list(by_distance.values()))


def chart(table: Table) -> Any:
    """Draw the seek time of each model over distance, and its difference in % from bang-bang."""
    rows = data(table)
    for row in rows:
        row["distance_um"], row["percent"] = row["distance_m"] * 1e6, row["difference"] * 100
    rows.sort(key=lambda row: row["seek_model"] != _EXACT)
    models = names(rows, "seek_model")
    # Lines of models that agree coincide: dashes and widths keep all of them visible.
    dashes = alt.Scale(domain=models, range=[_DASHES[at % len(_DASHES)] for at in range(len(models))])
    wide = [_WIDE if model == _EXACT else _THIN for model in models]
    widths = alt.Scale(type="ordinal", domain=models, range=wide)
    legend = alt.Legend(title="Seek model", symbolType="stroke", symbolSize=600, symbolOpacity=1)
    lines = plot(
        rows,
        x=log_axis(alt.X, rows, "distance_um", "Distance (µm, log scale)"),
        color=colour("seek_model", "Seek model", models).legend(legend),
        strokeDash=alt.StrokeDash("seek_model:N", scale=dashes, legend=legend),
        strokeWidth=alt.StrokeWidth("seek_model:O", sort=models, scale=widths, legend=legend),
        strokeOpacity=alt.when(alt.datum.seek_model == _EXACT).then(alt.value(0.4)).otherwise(alt.value(1)),
        tooltip=tips(
            *("seek_model:N | Seek model", "distance_um:Q | Distance (µm) | ,.3g"),
            *("seek_ms:Q | Seek (ms) | .4f", "difference:Q | More than bang-bang | +.3%"),
        ),
    ).mark_line()
    percents = [row["percent"] for row in rows]
    differences = (
        alt.Y("percent:Q", title="Longer than bang-bang (%, log scale beyond ±1)")
        .scale(type="symlog", domain=[min(-1, *percents), max(1, *percents)], nice=False)
        .axis(values=_PERCENTS, format="d")
    )
    seeks = log_axis(alt.Y, rows, "seek_ms", "Seek time, settling included (ms, log scale)")
    panels = [lines.encode(y=y).properties(width=400, height=320) for y in (seeks, differences)]
    both, said = alt.hconcat(*panels, spacing=32), _subtitle(table, models)
    return titled(both, table, "Seek time by seek model", said)


def _subtitle(table: Table, models: list[str]) -> str:
    """Return a line with the parameters of the models slew-limited and linear-system, if they are drawn."""
    parameters = origin(table)["parameters"]
    said = []
    if "slew-limited" in models and "actuator_rise_ms" in parameters:
        said.append(
            f"slew-limited: actuators need {parameters['actuator_rise_ms']:g} ms to reach full force."
        )
    if "linear-system" in models and "loop_damping" in parameters:
        loop = f"{parameters['loop_frequency_hz']:g} Hz, damping {parameters['loop_damping']:g}"
        said.append(f"linear-system: a loop of {loop} goes to the target and settles.")
    return " ".join(said)


ROW = defined(seek_models, chart, digest)
