"""Probability that arrays lose data over their life, with simulated rebuilds, against disks (001-F25)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..charts.grammar import alt, colour, log_axis, names, plot, side_by_side, tips, unfolded
from ..model.devices import Device, load_device
from ..model.survival import ArrayPopulation, exact_array_loss, simulated_array_loss
from ..runs.rebuilds import Array, rebuild, response_s
from . import sheet_options as options
from .drawing import data, titled
from .sheet import defined
from .tables import Table, from_rows, origin, simulated
from .workload import DISK

#: Largest number of missing devices without loss of data, by kind of array.
_TOLERATED = {"stripe": 0, "mirror": 1, "raid5": 1, "two-parity": 2}
#: Number of devices in a mirror; the option `devices` does not change it.
_COPIES = 2
_HOURS_A_YEAR = 8766.0
#: Number of requests that are simulated for the mean response of an array without a rebuild.
_RESPONSES = 20_000
_Row = dict[str, Any]


def array_survival(
    device: Device,
    devices: int = 5,
    mean_life_hours: options.Several[float] = (10_000.0, 100_000.0, 1_000_000.0),
    rebuild_share: options.Several[float] = (0.1, 1.0),
    requests_per_s: float = 50.0,
    simulated_requests: int = 300_000,
    years: float = 5.0,
    count: int = 100_000,
    seed: int = 1,
    progress: options.Progress = None,
) -> Table:
    """Estimate the probability that arrays of the device, or of the disk of 001, lose data over their life.

    The rebuild is simulated: the array serves the Random workload, and fills the device that replaces the
    failed one. A mirror has two devices. No volume of sledsim has two parities: the rebuild of such an array
    is assumed to take as long as the rebuild of a raid5. No paper states mean lives of MEMS devices: the
    defaults are assumptions to be replaced.

    Args:
        device: Any device of the kind mems.
        devices (from 2 to 64): Number of devices in an array, including those for parity.
        mean_life_hours (above 0): Mean life of one device.
        rebuild_share (above 0): Limits to the rate at which a failed device is rebuilt, each as a share of
            the streaming rate of a device. The rebuild is slower than its limit if accesses, sent one at a
            time, or other requests hold it up.
        requests_per_s (above 0): Rate of random requests to each array.
        simulated_requests (from 1000): Largest number of requests that are simulated during a rebuild; if a
            rebuild takes longer, its time is extrapolated.
        years (years, above 0): Economic life of an array.
        count (from 1): Number of arrays simulated per row.
        seed (from 0): Seed of failures and requests.
        progress: Function that is called with the percentage done.

    Returns:
        device, array ("stripe", "mirror", "raid5", "two-parity"), mean_life_hours, rebuild_share,
        rebuild_arithmetic_s (capacity divided by the limit to the rate), rebuild_s (simulated time of the
        rebuild), simulated_share (share of the rebuild that was simulated; the rest is extrapolated),
        response_whole_s, response_degraded_s, response_rebuilding_s (mean responses while no device is
        missing, while a device is missing, and while the replacement is filled), loss (probability of losing
        data over the life, in closed form: a Markov chain with rebuild_s), loss_simulated, loss_low,
        loss_high (the same probability by simulation, with its 99 % interval), survival (1 - loss). A stripe
        has no rebuild.

    Raises:
        ParameterError: An option is wrong.
    """
    how_many = options.whole_number("devices", devices, max(_TOLERATED.values()) + 1, 64)
    lives = options.numbers("mean_life_hours", mean_life_hours, above=True)
    shares = options.numbers("rebuild_share", rebuild_share, above=True)
    rate = options.number("requests_per_s", requests_per_s, above=True)
    most = options.whole_number("simulated_requests", simulated_requests, 1000)
    hours = options.number("years", years, above=True) * _HOURS_A_YEAR
    arrays = options.whole_number("count", count, 1)
    first = options.whole_number("seed", seed, 0)
    rows: list[_Row] = []
    models = (device, load_device(DISK))
    for model in models:
        array = Array("raid5", model, how_many, rate, first)
        for about in _states(array, shares, min(most, _RESPONSES), most):
            rows += [{**about, "mean_life_hours": life} for life in lives]
            if progress:
                progress(min(99, 100 * len(rows) // (len(models) * len(lives) * (1 + 3 * len(shares)))))
    return from_rows([_with_loss(row, how_many, hours, arrays, first + at) for at, row in enumerate(rows)])


def _states(array: Array, shares: Sequence[float], few: int, most: int) -> Iterator[_Row]:
    """Yield simulated rebuild times and responses for each kind of array and limit to the rebuild."""
    model, stream = array.device, _stream_bytes_per_s(array.device)
    whole = response_s(replace(array, kind="stripe"), few)
    yield _state(model, "stripe", response_whole_s=whole)
    for kind, devices in (("mirror", _COPIES), ("raid5", array.devices)):
        kept = replace(array, kind=kind, devices=devices)
        whole, degraded = response_s(kept, few), response_s(kept, few, failed=True)
        for share in shares:
            found = rebuild(kept, share * stream, most)
            time = {
                "rebuild_share": share,
                "rebuild_arithmetic_s": model.characteristics()["capacity_bytes"] / (share * stream),
                "rebuild_s": found.time_s,
                "simulated_share": found.share,
            }
            responses = {"response_whole_s": whole, "response_degraded_s": degraded}
            yield _state(model, kind, **time, **responses, response_rebuilding_s=found.response_s)
            if kind == "raid5":
                yield _state(model, "two-parity", **time)


def _state(model: Device, kind: str, **found: float) -> _Row:
    """Return a row for one kind of array, with the simulated figures in `found`; missing figures are None."""
    times = ("rebuild_share", "rebuild_arithmetic_s", "rebuild_s", "simulated_share")
    responses = ("response_whole_s", "response_degraded_s", "response_rebuilding_s")
    about = {"device": model.name, "array": kind, "mean_life_hours": None}
    return {**about, **{name: found.get(name) for name in (*times, *responses)}}


def _with_loss(row: _Row, devices: int, hours: float, arrays: int, seed: int) -> _Row:
    """Return a row completed with the probabilities that the array loses data within `hours`."""
    kind = row["array"]
    # An array that tolerates no missing device is never rebuilt, so that any time of a rebuild will do.
    rebuild_hours = row["rebuild_s"] / 3600 if row["rebuild_s"] else hours
    how_many = _COPIES if kind == "mirror" else devices
    failures = hours / row["mean_life_hours"]
    array = ArrayPopulation(how_many, _TOLERATED[kind], failures, rebuild_hours / hours)
    loss = exact_array_loss(array)
    tried = simulated("loss", simulated_array_loss(array, arrays, seed))
    return {**row, "loss": loss, **tried, "survival": 1 - loss}


def _stream_bytes_per_s(model: Device) -> float:
    """Return the rate in bytes/s at which a whole device is written; for a disk, the rate of inner tracks."""
    found = model.characteristics()
    return float(found.get("sustained_bytes_per_s") or found["inner_track_bytes_per_s"])


def chart(table: Table) -> Any:
    """Draw the probability of data loss over the mean life of a device, and the mean responses."""
    rows, about = data(table), origin(table)["options"]
    for row in rows:
        share = row["rebuild_share"]
        row["rate"] = f"{100 * share:g}% at most" if share else "no rebuild"
        row["what"] = f"{row['array']}, rebuild at {row['rate']}" if share else row["array"]
    panels = alt.vconcat(_losses(rows), _responses(rows), spacing=32).resolve_scale(
        color="independent", strokeDash="independent"
    )
    subtitle = [
        f"{about['devices']} devices in an array, {_COPIES} in a mirror; {about['years']:g} years;"
        f" {about['requests_per_s']:g} random requests/s to an array."
        " A failed device is replaced, and rebuilt, at once.",
        "Dashes show the limit to the rebuild, in per cent of the streaming rate; a stripe has no rebuild."
        " Responses of sled and disk have separate scales.",
    ]
    return titled(panels, table, "Arrays over their economic life", subtitle, beside=DISK)


def _losses(rows: list[_Row]) -> Any:
    """Draw the share of arrays that lose data over a device's mean life, per kind and rebuild rate."""
    hours = alt.X("mean_life_hours:Q", title="Mean life of a device (hours, log scale)")
    dash = alt.StrokeDash("rate:N", title="Rate of the rebuild", sort=None)
    base = plot(
        rows,
        x=hours.scale(type="log").axis(values=sorted(names(rows, "mean_life_hours")), format="~s"),
        y=log_axis(alt.Y, rows, "loss", "Arrays that lose data (log scale)", "~e"),
        color=colour("array", "Array", list(_TOLERATED)),
        tooltip=["array:N", "rate:N", "mean_life_hours:Q", "rebuild_s:Q", "loss:Q", "loss_low:Q"],
    ).properties(width=330, height=280)
    dashed = base.mark_line().encode(
        strokeDash=dash.legend(labelLimit=400, symbolSize=500, symbolType="stroke")
    )
    return _by_device(dashed + base.mark_point(filled=True), rows)


def _responses(rows: list[_Row]) -> Any:
    """Draw the mean responses of each array: a bar when whole, with a device missing, and being rebuilt."""
    states = {"whole": "whole", "degraded": "one device missing", "rebuilding": "being rebuilt"}
    columns = {f"response_{name}_ms": text for name, text in states.items()}
    once = {(row["device"], row["what"]): row for row in rows}.values()
    bars = plot(
        (row for row in unfolded(once, columns, "state", "ms") if row["ms"] is not None),
        x=alt.X("ms:Q", title="Mean response (ms)"),
        y=alt.Y("what:N", title=None, sort=None).axis(labelLimit=260),
        **side_by_side("y", "state", "Array is", list(states.values())),
        tooltip=tips("device:N", "what:N", "state:N", "ms:Q | | .3f"),
    ).mark_bar()
    return _by_device(bars.properties(width=330, height=alt.Step(12)), rows).resolve_scale(x="independent")


def _by_device(drawn: Any, rows: list[_Row]) -> Any:
    """Draw a chart once per device, as panels in the order of the rows."""
    return drawn.facet(column=alt.Column("device:N", title=None, sort=names(rows, "device")))


ROW = defined(array_survival, chart)
