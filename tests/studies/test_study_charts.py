"""The charts of studies show their finding, by the meaning of their Vega-Lite."""

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim import studies
from sledsim.common import units

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

Spec = dict[str, Any]


@functools.cache
def study(name: str, device: str = "osdi00", **options: Any) -> studies.Study:
    return studies.run(name, sledsim.device(device), **options)


def drawn(made: studies.Study) -> Spec:
    chart: Spec = made.plot().to_dict()
    return chart


def parts(spec: Any) -> Iterator[Spec]:
    """Yield every dictionary in a specification except those of the data."""
    if isinstance(spec, dict):
        yield spec
        for key, value in spec.items():
            if key != "datasets":
                yield from parts(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from parts(value)


def marks(spec: Spec, kind: str) -> list[Spec]:
    """Return the layers with such a mark."""
    return [
        part for part in parts(spec) if isinstance(mark := part.get("mark"), dict) and mark["type"] == kind
    ]


def values(chart: Spec, part: Spec) -> list[dict[str, Any]]:
    """Return the data of a part of a chart."""
    data: list[dict[str, Any]] = chart["datasets"][part["data"]["name"]]
    return data


def subtitle(chart: Spec) -> str:
    found = chart["title"]["subtitle"]
    return " ".join(found) if isinstance(found, list) else str(found)


# The tip region ------------------------------------------------------------


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_the_map_has_the_start_s_own_column_apart() -> None:
    made = study("seek-map", "mascots03", step_bits=149)
    chart = drawn(made)
    settle_s = sledsim.device("mascots03").seek_x_s(0.0, 40e-9)
    for panel, start_x in zip(chart["concat"], (0, 25, 1250, 1225), strict=True):
        cells, own, start = (values(chart, layer) for layer in panel["layer"])
        assert {cell["x2"] - cell["x"] for cell in own} == {1.0}, "a column is a bit wide"
        assert {cell["x"] + 0.5 for cell in own} == {start_x} == {start[0]["x"]}
        assert start_x > 25 or "0.0 to 0.1" in {cell["band"] for cell in own}, "nothing settles there"
        # The sled settles after each motion along x.
        assert min(float(cell["band"].split()[0]) for cell in cells) >= np.floor(settle_s * 1e4) / 10
        # The corner lies on the map, though 149 does not divide it.
        assert max(cell["x2"] for cell in cells) >= start_x
    assert "149 x 149 bits" in subtitle(chart)
    assert made.definition.digest
    assert min(made.definition.digest(made.table)["low_s"].to_pylist()) >= 0.2e-3 - 1e-12


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_regions_have_as_many_pixels_a_bit_along_both_axes() -> None:
    made = study("equivalence-regions", "mascots03")
    chart = drawn(made)
    (sides,) = {
        (part["width"], part["height"]) for part in parts(chart) if "width" in part and "height" in part
    }
    encoding = marks(chart, "rect")[0]["encoding"]
    spans = [np.ptp(encoding[axis]["scale"]["domain"]) for axis in "xy"]
    assert sides[0] / spans[0] == pytest.approx(sides[1] / spans[1])
    boxes = values(chart, chart)
    found = made.table.to_pylist()
    key = lambda row: (row["width_bits"], row["height_bits"])  # noqa: E731
    sizes = [(box["x_high"] - box["x_low"], box["y_high"] - box["y_low"]) for box in boxes]
    assert sorted(sizes) == sorted(map(key, found))
    ratios = [row["ratio"] for row in found]
    assert min(ratios) < 1, "one is wider than high"
    texts = {f"1 : {ratio:.1f}" if ratio >= 1 else f"{1 / ratio:.1f} : 1" for ratio in ratios}
    assert {box["text"] for box in boxes} == texts
    long = drawn(study("equivalence-regions", thresholds_s=(10.0, 20.0)))
    assert {box["time"] for box in values(long, long)} == {"10 s", "20 s"}


def test_the_stated_thresholds_of_zones_are_drawn_in_their_colours() -> None:
    chart = drawn(study("zone-threshold", "mascots03"))
    (rule,) = marks(chart, "rule")
    assert values(chart, rule) == [
        {"zone": "60 x 600 bits", "ms": 0.3},
        {"zone": "120 x 1200 bits", "ms": 0.4},
    ]
    (points,) = marks(chart, "point")
    colour, shape = points["encoding"]["color"], points["encoding"]["shape"]
    # Only then the legend has the drawn shapes.
    for key in ("title", "field"):
        assert colour[key] == shape[key]
    assert colour["scale"]["domain"] == shape["scale"]["domain"]


# Seeks ------------------------------------------------------------


def test_short_distances_are_as_near_as_their_times_are_apart() -> None:
    table = study("seek-distance", "sigmetrics00").table
    seek_s = [row["mean_s"] for row in table.to_pylist() if row["settle"] is False]
    steps_s = np.diff(seek_s)
    # With even spacing, the first would be a tenth of all.
    assert steps_s.max() < 1.5 * (seek_s[-1] - seek_s[0]) / (len(seek_s) - 1)


def test_each_component_of_a_seek_has_a_panel_and_its_mean() -> None:
    made = study("seek-distribution", count=2000)
    chart = drawn(made)
    panels = chart["vconcat"]
    assert [panel["title"].partition(":")[0] for panel in panels] == [
        "x, settling included",
        "y, turnarounds included",
        "positioning",
    ]
    for panel, component in zip(panels, ("x", "y", "positioning"), strict=True):
        part = [row for row in made.table.to_pylist() if row["component"] == component]
        middle_s = sum(row["share"] * (row["low_s"] + row["high_s"]) / 2 for row in part)
        (rule,) = marks(panel, "rule")
        assert values(chart, rule)[0]["mean_ms"] == pytest.approx(middle_s * 1e3, abs=0.025), "half a bin"
        (bars,) = marks(panel, "bar")
        assert max(row["share"] for row in part) < bars["encoding"]["y"]["scale"]["domain"][1], "room above"
    assert "In steps of 50 µs" in subtitle(chart) and "in narrow steps" in subtitle(chart)
    domains = [panel["layer"][0]["encoding"]["x"]["scale"]["domain"] for panel in panels]
    assert domains[0] == domains[1] == domains[2]


def test_every_seek_model_differs_from_the_others() -> None:
    # Other tests register models of their own, which stay.
    models = ("bang-bang", "first-order", "linear-system", "piecewise", "slew-limited", "table")
    chart = drawn(study("seek-models", points=3, models=models))
    encoding = marks(chart, "line")[0]["encoding"]
    dashes = encoding["strokeDash"]["scale"]["range"]
    assert len({tuple(dash) for dash in dashes}) == len(dashes) == 6
    widths = encoding["strokeWidth"]["scale"]["range"]
    assert widths[0] > 2 * max(widths[1:]), "what lies under others is wider"
    longest = max(sum(dash) for dash in dashes)
    assert encoding["strokeDash"]["legend"]["symbolSize"] ** 0.5 > longest, "a symbol shows a whole pattern"
    assert "a loop of 739 Hz, damping 0.7" in subtitle(chart)


@pytest.mark.parametrize(
    ("models", "widths"), [(("linear-system", "table"), [2, 2]), (("table", "bang-bang"), [7, 2])]
)
def test_only_the_model_of_reference_is_a_wide_band(models: tuple[str, ...], widths: list[int]) -> None:
    line = marks(chart := drawn(study("seek-models", points=3, models=models)), "line")[0]
    encoding = line["encoding"]
    assert encoding["strokeWidth"]["scale"]["range"] == widths
    assert "datum.seek_model === 'bang-bang'" in str(encoding["strokeOpacity"]["condition"])
    drawn_first = next(iter(chart["datasets"].values()))[0]["seek_model"]
    assert drawn_first == encoding["strokeWidth"]["scale"]["domain"][0], "a band lies under the others"


@pytest.mark.parametrize(("device", "bit_nm"), [("osdi00", 40), ("hong03", 30)])
def test_vibration_stands_beside_a_bit(device: str, bit_nm: int) -> None:
    chart = drawn(study("slew-limit", device, points=3))
    (rule,) = marks(chart, "rule")
    assert values(chart, rule)[0]["amplitude_nm"] == pytest.approx(bit_nm)
    low, high = next(
        part["scale"]["domain"]
        for part in parts(chart)
        if part.get("title", "") == "Amplitude (nm, log scale)"
    )
    assert low < bit_nm < high


# Sensitivities ------------------------------------------------------------


#: Studies of two parameters: `osdi00` has the second beside the first.
_PUSH = ("acceleration_m_per_s2", 803.6)


@pytest.mark.dear("every study of the device runs", every_change="settling-settle_time_constants-1.0")
@pytest.mark.parametrize(
    ("name", "key", "own"),
    [
        ("acceleration", "acceleration_m_per_s2", 803.6),
        ("velocity", "access_velocity_mm_per_s", 28.0),
        ("bit-width", "bit_width_nm", 40),
        # 1/(2 pi 0.22 ms).
        ("frequency", "resonant_frequency_hz", 723.4),
        ("settling", "settle_time_constants", 1.0),
    ],
)
def test_the_device_s_own_value_is_marked(name: str, key: str, own: float) -> None:
    made = study(f"sensitivity-{name}", count=5)
    for row in made.table.to_pylist():
        assert row["own"] == (row[key] == pytest.approx(own, rel=1e-4) and row.get(*_PUSH) == _PUSH[1])
    chart = drawn(made)
    (label,) = marks(chart, "text")
    unit = {"settling": "", "velocity": " mm/s", "bit-width": " nm", "frequency": " Hz"}.get(name, " m/s²")
    assert values(chart, label)[0]["text"] == f"osdi00: {own:g}{unit}", "four digits"
    rules = marks(chart, "rule")
    assert rules and all(values(chart, rule)[0][key] == pytest.approx(own, rel=1e-4) for rule in rules)
    assert {part["title"] for part in parts(chart) if part.get("field") == "ms" and "scale" in part} <= {
        "Mean time (ms)",
        "Mean service time (ms, log scale)",
    }


@pytest.mark.parametrize(
    ("name", "options", "title"),
    [
        ("velocity", {"values": 28, "accelerations": 803.6}, "Access velocity (mm/s, log scale)"),
        ("acceleration", {"values": 803.6}, "Acceleration (m/s²)"),
    ],
)
def test_one_value_has_a_tick_on_both_axes(name: str, options: dict[str, float], title: str) -> None:
    made = study(f"sensitivity-{name}", count=5, **options)
    chart = drawn(made)
    encoding = marks(chart, "line")[0]["encoding"]
    assert encoding["x"]["axis"]["values"] == [made.table[0][0].as_py()]
    assert encoding["x"]["title"] == title
    assert subtitle(chart).count(" ms at ") == 1
    if name == "velocity":
        (tick,) = encoding["y"]["axis"]["values"]
        low, high = encoding["y"]["scale"]["domain"]
        assert low < tick == made.table["mean_service_s"][0].as_py() * 1e3 < high


def test_a_logarithmic_axis_has_ticks_where_no_round_number_lies() -> None:
    made = study("sensitivity-velocity", count=5, values=(28, 30), accelerations=803.6)
    x = marks(drawn(made), "line")[0]["encoding"]["x"]
    assert x["axis"]["values"] == [28, 29, 30] and x["scale"]["domain"] == [28, 30]


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_a_bit_s_width_trades_time_for_capacity() -> None:
    made = study("sensitivity-bit-width", count=5)
    chart = drawn(made)
    panels = {
        part["encoding"]["y"]["title"]: values(chart, part)
        for part in marks(chart, "line")
        if "axis" in part["encoding"]["y"]
    }
    assert list(panels) == ["Capacity (GB)", "Streaming (MiB/s)"]
    capacity = [row["other"] * 1e9 for row in panels["Capacity (GB)"]]
    assert capacity == pytest.approx(made.table["capacity_bytes"].to_pylist())
    others = drawn(study("sensitivity-acceleration", count=5))
    assert len(others["vconcat"]) == 1, "an acceleration changes neither"


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_the_least_access_over_the_velocity_can_be_seen() -> None:
    made = study("sensitivity-velocity", "sigmetrics00", count=2000)
    chart = drawn(made)
    line = marks(chart, "line")[0]["encoding"]
    assert line["x"]["scale"]["type"] == line["y"]["scale"]["type"] == "log"
    own = [row for row in made.table.to_pylist() if row["acceleration_m_per_s2"] == 114.8]
    service = {row["access_velocity_mm_per_s"]: row["mean_service_s"] for row in own}
    least = min(service, key=service.__getitem__)
    low, high = np.log(line["y"]["scale"]["domain"])
    rise = np.log(service[100.0] / service[least]) / (high - low)
    assert rise > 0.1, "of the height of the panel"
    assert f"{service[least] * 1e3:.3g} ms at {least:g} mm/s (114.8 m/s²)" in subtitle(chart)


def test_the_ticks_of_a_logarithmic_axis_are_round_and_within_it() -> None:
    from sledsim.charts.style import log_ticks

    random = np.random.default_rng(1)
    for low, ratio in zip(10 ** random.uniform(-6, 6, 500), 10 ** random.uniform(0.15, 6, 500), strict=True):
        high = low * ratio
        ticks = log_ticks([high, 0.0, -1.0, low])
        assert ticks == sorted(set(ticks)) and low <= ticks[0] and ticks[-1] <= high
        assert all(float(f"{tick:.1e}") == tick for tick in ticks), "two digits at most"
        powers = [float(f"1e{power}") for power in range(-7, 14)]
        assert {power for power in powers if low <= power <= high} <= set(ticks)
        assert 3 <= len(ticks) <= 14


# Requests ------------------------------------------------------------


def test_large_requests_say_how_large() -> None:
    options = {"distances_cylinders": (0, 100), "count": 5}
    assert "256 KiB" in drawn(study("large-requests", **options))["title"]["text"]
    smaller = drawn(study("large-requests", size_bytes=1 << 20, **options))
    assert "1 MiB" in smaller["title"]["text"]


def test_the_disk_stands_beside_the_sled_and_no_bar_comes_twice() -> None:
    made = study("read-modify-write", count=5)
    chart = drawn(made)
    (bars,), (sums,) = marks(chart, "bar"), marks(chart, "text")
    found = values(chart, bars)
    names = ["8 blocks, osdi00", "8 blocks, atlas10k", "334 blocks, osdi00", "334 blocks, atlas10k"]
    assert list(dict.fromkeys(row["what"] for row in found)) == names and len(found) == 3 * len(names)
    written = {row["what"]: row["total_ms"] for row in values(chart, sums)}
    for name in names:
        assert written[name] == pytest.approx(sum(row["ms"] for row in found if row["what"] == name))
    assert chart["title"]["text"].endswith("osdi00 beside atlas10k")


def test_sled_and_disk_have_scales_of_their_own() -> None:
    made = study("read-modify-write-sequence", count=20)
    chart = drawn(made)
    panels = chart["vconcat"]
    devices = [{row["device"] for row in values(chart, panel)} for panel in panels]
    assert devices == [{"osdi00"}, {"atlas10k"}] * 2
    assert {panel["spec"]["encoding"]["x"]["title"] for panel in panels} == {"Mean time of a request (ms)"}
    for panel in panels:
        longest = sorted(row["operation_ms"] for row in values(chart, panel))
        assert longest[0] > 0.01 * longest[-1], "every bar can be seen"


# Faults ------------------------------------------------------------


def test_the_data_sheet_tells_what_differs_from_what_does_not() -> None:
    made = study("data-sheet")
    chart = drawn(made)
    rows = {row["quantity"]: row for data in chart["datasets"].values() for row in data if row}
    assert rows["cylinders"]["off"] == "same" and rows["capacity"]["off"] == "+0.58%"
    for row in made.table.to_pylist():
        shown = rows[units.label(row["quantity"])]["off"]
        assert (shown != "") == (row["paper"] is not None) and "0.00%" not in shown
    differing = {name for name, row in rows.items() if row.get("differs")}
    # 75.955 is not 75.9, and 0.7745 is 0.8.
    assert differing == {"streaming rate", "mean access 4k", "random 4k rate"}
    assert "within the rounding" in subtitle(chart)
    assert rows["gamma"]["meaning"] == "random accesses a second for each MiB/s of streaming"
    assert "no row takes" in rows["spare bits y"]["meaning"]
    assert "inwards" in rows["turnaround inward"]["meaning"]
