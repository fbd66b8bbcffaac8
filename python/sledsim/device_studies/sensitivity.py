"""What a device does with one parameter at other values (002-E-3 to 002-E-7)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..models import Device
from . import options
from .tables import from_rows
from .workload import random_run, service_s

if TYPE_CHECKING:
    import pyarrow

    from .options import Progress

#: Requests that are simulated at each value: their mean is good to 0.2 %.
COUNT = 20_000

_CHARACTERISTICS = ("mean_seek_s", "mean_access_4k_s", "capacity_bytes", "streaming_bytes_per_s")
#: The times that are drawn, and what they are in words.
_TIMES = {
    "mean_service_ms": "service, Random workload",
    "mean_access_4k_ms": "access to 4 KiB",
    "mean_seek_ms": "seek",
}
#: The parameters of the studies of 002 in words; any other goes by its key.
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
    values: Sequence[float],
    count: int = COUNT,
    seed: int = 1,
    progress: "Progress | None" = None,
) -> "pyarrow.Table":
    """Seek and access times, capacity and rate of a device with one parameter at each of some values.

    Turnarounds may take as much travel as they need.

    Args:
        device: The other parameters.
        parameter: A key of the device file whose value is a number.
        values: Its values.
        count: Requests of the Random workload (001-F11) that are simulated at each value.
        seed: Of the workload.
        progress: Told the percentage done.

    Returns:
        A column under the parameter's key; mean_seek_s, mean_access_4k_s (one row), capacity_bytes and
        streaming_bytes_per_s as in `Device.characteristics`; mean_service_s of the Random workload, whose
        requests straddle rows and tracks (001-D7), first come, first served, without command overhead, bus
        and queue: the access time of 002's figures.

    Raises:
        ParameterError: An option is wrong, or there is no such device.
    """
    wanted = options.several("values", values, "numbers")
    return measure(device, [{parameter: value} for value in wanted], count, seed, progress)


def measure(
    device: Device,
    variants: Sequence[Mapping[str, Any]],
    count: int,
    seed: int,
    progress: "Progress | None",
) -> "pyarrow.Table":
    """One row for each set of changed parameters, which are its first columns."""
    count, seed = options.whole_number("count", count, 1), options.whole_number("seed", seed, 0)
    free = free_travel(device)
    made = [free.with_parameters(**changes) for changes in variants]
    rows = []
    for done, (changes, variant) in enumerate(zip(variants, made, strict=True), 1):
        found = variant.characteristics()
        service = {"mean_service_s": float(service_s(random_run(variant, count, seed)).mean())}
        rows.append({**changes, **{name: found[name] for name in _CHARACTERISTICS}, **service})
        if progress:
            progress(100 * done // len(variants))
    return from_rows(rows)


def free_travel(device: Device) -> Device:
    """The device with no limit to the travel that its turnarounds take outside the region."""
    parameters = device.parameters
    parameters.pop("spare_travel_nm", None)
    return Device.from_parameters(parameters)


def chart(table: "pyarrow.Table") -> Any:
    """Times over the parameter: one line a time, or, with two parameters, one line a value of the second."""
    from .drawing import alt, colour, data, titled

    parameter, second = table.column_names[:2]
    values = data(table)
    rows = values["values"]
    if second in _CHARACTERISTICS:
        rows = [{**row, "line": text, "ms": row[key]} for row in rows for key, text in _TIMES.items()]
        legend = "Mean time"
    else:
        rows = [{**row, "line": f"{row[second]:g}", "ms": row["mean_service_ms"]} for row in rows]
        legend = _TITLES.get(second, second)
    lines = list(dict.fromkeys(row["line"] for row in rows))
    title = _TITLES.get(parameter, parameter)
    base = alt.Chart(alt.InlineData(values=rows), width=600, height=340).encode(
        x=alt.X(f"{parameter}:Q", title=title),
        y=alt.Y("ms:Q", title="Milliseconds").scale(zero=True),
        color=colour("line", legend, lines),
        tooltip=[
            alt.Tooltip(f"{parameter}:Q", title=title),
            alt.Tooltip("line:N", title=legend),
            alt.Tooltip("ms:Q", title="ms", format=".4f"),
            alt.Tooltip("capacity_bytes:Q", title="Capacity (bytes)", format=",.4g"),
            alt.Tooltip("streaming_bytes_per_s:Q", title="Streaming (bytes/s)", format=",.4g"),
        ],
    )
    layers = alt.layer(base.mark_line(strokeWidth=2), base.mark_point(size=45, filled=True, opacity=1))
    what = "Mean times" if second in _CHARACTERISTICS else "Mean service of the Random workload"
    return titled(layers, table, f"{what} over {title[0].lower()}{title[1:].partition(' (')[0]}")
