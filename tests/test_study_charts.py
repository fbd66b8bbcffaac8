"""The charts of studies show their finding: what stands in their Vega-Lite, by meaning."""

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim import device_studies as studies

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

Spec = dict[str, Any]


@functools.cache
def study(name: str, device: str = "osdi00", **options: Any) -> studies.Study:
    return studies.run(name, sledsim.device(device), **options)


def drawn(made: studies.Study) -> Spec:
    chart: Spec = made.plot().to_dict()
    return chart


def parts(spec: Any) -> Iterator[Spec]:
    """Every dictionary in a specification but those of the data."""
    if isinstance(spec, dict):
        yield spec
        for key, value in spec.items():
            if key != "datasets":
                yield from parts(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from parts(value)


def marks(spec: Spec, kind: str) -> list[Spec]:
    """The layers that are drawn with such a mark."""
    return [
        part for part in parts(spec) if isinstance(mark := part.get("mark"), dict) and mark["type"] == kind
    ]


def values(chart: Spec, part: Spec) -> list[dict[str, Any]]:
    """The data of a part of a chart."""
    data: list[dict[str, Any]] = chart["datasets"][part["data"]["name"]]
    return data


def subtitle(chart: Spec) -> str:
    found = chart["title"]["subtitle"]
    return " ".join(found) if isinstance(found, list) else str(found)


# The tip region ------------------------------------------------------------


def test_the_map_has_the_start_s_own_column_apart() -> None:
    made = study("seek-map", "mascots03", step_bits=149)
    chart = drawn(made)
    settle_s = sledsim.device("mascots03").seek_x_s(0.0, 40e-9)
    for panel, start_x in zip(chart["concat"], (0, 25, 1250, 1225), strict=True):
        cells, own, start = (values(chart, layer) for layer in panel["layer"])
        assert {cell["x2"] - cell["x"] for cell in own} == {1.0}, "a column is a bit wide"
        assert {cell["x"] + 0.5 for cell in own} == {start_x} == {start[0]["x"]}
        assert start_x > 25 or "0.0 to 0.1" in {cell["band"] for cell in own}, "nothing settles there"
        # Wherever the sled moves along x at all, it settles.
        assert min(float(cell["band"].split()[0]) for cell in cells) >= np.floor(settle_s * 1e4) / 10
        # The corner lies on the map, though 149 does not divide it.
        assert max(cell["x2"] for cell in cells) >= start_x
    assert "149 x 149 bits" in subtitle(chart)
    assert made.definition.digest
    assert min(made.definition.digest(made.table)["low_s"].to_pylist()) >= 0.2e-3 - 1e-12


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
    assert {box["text"] for box in boxes} == {f"1 : {row['ratio']:.3g}" for row in found}


def test_the_stated_thresholds_of_zones_are_drawn_in_their_colours() -> None:
    chart = drawn(study("zone-threshold", "mascots03"))
    (rule,) = marks(chart, "rule")
    assert values(chart, rule) == [
        {"zone": "60 x 600 bits", "ms": 0.3},
        {"zone": "120 x 1200 bits", "ms": 0.4},
    ]
    (points,) = marks(chart, "point")
    colour, shape = points["encoding"]["color"], points["encoding"]["shape"]
    # Only then has the legend the shapes that are drawn.
    for key in ("title", "field"):
        assert colour[key] == shape[key]
    assert colour["scale"]["domain"] == shape["scale"]["domain"]
