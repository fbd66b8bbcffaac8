"""Times, capacity and rate of a device for several values of one of its parameters (002-E-3 to 002-E-7)."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..charts.grammar import alt, colour, groups, lines, log_axis, marked, names, plot, tips, unfolded
from ..common import units
from ..common.ranking import best_of
from ..model.devices import Device
from . import sheet_options as options
from .drawing import data, titled
from .tables import Table, from_rows, origin
from .workload import random_run, service_s

#: Number of requests simulated at each value, for a mean accurate to 0.2 %.
COUNT = 20_000

#: Name of the column that is True in rows with the device's own value of the parameter.
_OWN = "own"
_CHARACTERISTICS = ("mean_seek_s", "mean_access_4k_s", "capacity_bytes", "streaming_bytes_per_s")
#: Columns of times that the chart draws, each with the name of its line.
_TIMES = {
    "mean_service_ms": "service, Random workload",
    "mean_access_4k_ms": "access to 4 KiB",
    "mean_seek_ms": "seek",
}
#: Widths of lines and sizes of points for the first line, the second line and so on, so that lines below
#: others remain visible.
_POINTS = {"width": 2, "size": 45, "opacity": 1}
#: Titles of the parameters that paper 002 varies; charts show other parameters by their keys.
_TITLES = {
    "acceleration_m_per_s2": "Acceleration (m/s²)",
    "access_velocity_mm_per_s": "Access velocity (mm/s)",
    "bit_width_nm": "Bit width (nm)",
    "resonant_frequency_hz": "Resonant frequency (Hz)",
    "settle_time_constants": "Settling time constants",
}


def sensitivity(
    device: Device,
    parameter: str,
    values: options.Several[float],
    count: int = COUNT,
    seed: int = 1,
    progress: options.Progress = None,
) -> Table:
    """Compute seek and access times, capacity and rate of a device for several values of one parameter.

    The times assume that turnarounds may use any travel outside the tip region.

    Args:
        device: Device with the values of all other parameters.
        parameter: Key of the parameter in the device file; its value must be a number.
        values: Values of the parameter.
        count: Number of requests of the Random workload (001-F11) at each value.
        seed: Seed of the workload.
        progress: Function that is called with the percentage done.

    Returns:
        the parameter, under its key; own (true for the device's own value); mean_seek_s, mean_access_4k_s
        (for 4 KiB in one row), capacity_bytes and streaming_bytes_per_s as in `Device.characteristics`;
        mean_service_s (mean service of the Random workload under fcfs, without command overhead, bus and
        queue). mean_service_s is the access time in the figures of 002; the requests straddle rows and tracks
        (001-D7).

    Raises:
        ParameterError: An option is wrong, or no device can have one of the values.
    """
    wanted = options.several("values", values, "numbers")
    return measure(device, [{parameter: value} for value in wanted], count, seed, progress)


def measure(
    device: Device,
    variants: Sequence[Mapping[str, Any]],
    count: int,
    seed: int,
    progress: options.Progress,
) -> Table:
    """Return a row of figures for each variant of the device; `variants` lists parameters to change.

    A row has these parameters, the figures, and in the column `own` whether they are the device's own values.
    """
    parameters = device.parameters
    count, seed = options.whole_number("count", count, 1), options.whole_number("seed", seed, 0)
    free = free_travel(device)
    made = [free.with_parameters(**changes) for changes in variants]
    rows = []
    for done, (changes, variant) in enumerate(zip(variants, made, strict=True), 1):
        found = variant.characteristics()
        service = {"mean_service_s": float(service_s(random_run(variant, count, seed)).mean())}
        own = {_OWN: all(parameters.get(key) == value for key, value in changes.items())}
        rows.append({**changes, **own, **{name: found[name] for name in _CHARACTERISTICS}, **service})
        if progress:
            progress(100 * done // len(variants))
    return from_rows(rows)


def free_travel(device: Device) -> Device:
    """Return the device without a limit to the travel for turnarounds outside the tip region."""
    parameters = device.parameters
    parameters.pop("spare_travel_nm", None)
    return Device.from_parameters(parameters)


def chart(table: Table) -> Any:
    """Draw mean times over the values of the parameter, and mark the value of the device itself.

    Capacity and streaming rate have panels if the parameter changes them.

    With one parameter, each time has a line. With two parameters, each value of the second has a line, and
    the axis of times is logarithmic: the second parameter changes times so strongly that the minimum of a
    line would otherwise be invisible.
    """
    parameter, second = table.column_names[:2]
    rows = data(table)
    title = _TITLES.get(parameter, parameter)
    if second == _OWN:
        drawn = unfolded(rows, _TIMES, "line", "ms")
        legend, what, said = "Mean time", "Mean times", _ends(rows, parameter)
        y = alt.Y("ms:Q", title="Mean time (ms)").scale(zero=True)
        x = alt.X(f"{parameter}:Q", title=title)
        if len(rows) == 1:
            x = x.axis(values=[rows[0][parameter]], format=",.4~r")
    else:
        drawn = [{**row, "line": f"{row[second]:g}", "ms": row["mean_service_ms"]} for row in rows]
        legend, what = _TITLES.get(second, second), "Mean service of the Random workload"
        said = _least(rows, parameter, second)
        y = log_axis(alt.Y, drawn, "ms", "Mean service time (ms, log scale)")
        words = f"{title[:-1]}, log scale)" if title.endswith(")") else f"{title} (log scale)"
        x = log_axis(alt.X, rows, parameter, words)
    base = plot(
        drawn,
        x=x,
        y=y,
        color=colour("line", legend, names(drawn, "line")),
        tooltip=tips(f"{parameter}:Q | {title}", f"line:N | {legend}", "ms:Q | ms | .4f"),
    )
    mark = _marked(table, rows, parameter)
    times = lines(base, above=mark, **_POINTS).properties(width=600, height=340)
    others = [
        lines(panel, above=mark[:1], **_POINTS).properties(width=600, height=130)
        for panel in _others(rows, parameter, x)
    ]
    headline = f"{what} over {title[0].lower()}{title[1:].partition(' (')[0]}"
    return titled(alt.vconcat(times, *others, spacing=16), table, headline, said)


def _with_unit(parameter: str, value: float) -> str:
    return f"{units.number(value)} {units.of(parameter).shown}".rstrip()


def _marked(table: Table, rows: list[dict[str, Any]], parameter: str) -> list[Any]:
    """Return the layers of a line at the value that the device itself has; empty if no row has it."""
    own = next((row[parameter] for row in rows if row[_OWN]), None)
    if own is None:
        return []
    most = max(row[parameter] for row in rows)
    text = f"{origin(table)['device']}: {_with_unit(parameter, own)}"
    return marked("x", parameter, own, text, before=own > 0.8 * most)


def _others(rows: list[dict[str, Any]], parameter: str, x: Any) -> list[Any]:
    """Return panels for the capacity and for the streaming rate, if the parameter changes them."""
    panels = []
    for key in ("capacity_bytes", "streaming_bytes_per_s"):
        unit, name = units.of(key), units.heading(key)
        name = name[0].upper() + name[1:]
        found = {row[parameter]: row[key] * unit.scale for row in rows}
        if len(set(found.values())) > 1:
            values = [{parameter: value, "other": other} for value, other in found.items()]
            y = alt.Y("other:Q", title=name).scale(zero=True).axis(tickCount=4)
            told = tips(f"{parameter}:Q", f"other:Q | {name} | ,.4g")
            panels.append(plot(values, x=x, y=y, tooltip=told))
    return panels


def _ends(rows: list[dict[str, Any]], parameter: str) -> str:
    """Return a sentence with the mean service time at the first, last and own value of the parameter."""
    places = [row for row in rows if row[_OWN] or row in (rows[0], rows[-1])]
    times = [f"{row['mean_service_ms']:.3g} ms at {_with_unit(parameter, row[parameter])}" for row in places]
    return f"Service: {', '.join(times)}."


def _least(rows: list[dict[str, Any]], parameter: str, second: str) -> str:
    """Return a sentence with the least mean service time of each line, and the value that gives it."""
    times = []
    for value, line in groups(rows, second).items():
        row = best_of(line, lambda row: float(row["mean_service_ms"]))
        at = f"{_with_unit(parameter, row[parameter])} ({_with_unit(second, value)})"
        times.append(f"{row['mean_service_ms']:.3g} ms at {at}")
    return f"Least: {', '.join(times)}."
