"""A scheduler has one colour in every chart."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.model import core_tables
from sledsim.model.scheduling import REGISTERED

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

from sledsim.charts.colours import COLOURS, scheduler_styles

_PACKAGE = Path(sledsim.__file__).parent


def test_each_built_in_scheduler_has_a_style_of_its_own() -> None:
    names = _built_in()
    styles = scheduler_styles(names)
    assert len(set(styles.values())) == len(names)
    assert {name: scheduler_styles([name])[name] for name in names} == styles
    assert scheduler_styles(["C-LOOK_LBN"])["C-LOOK_LBN"] == styles["clook_lbn"]


def test_other_schedulers_take_colours_that_are_free() -> None:
    names = ["mine", "sptf", "sptf:weight=2", "zsptf(60, 2400)", "ours", "fcfs"]
    styles = scheduler_styles(names)
    assert len({colour for colour, _ in styles.values()}) == len(names)
    assert styles["zsptf(60, 2400)"] == scheduler_styles(["zsptf"])["zsptf"]
    many = scheduler_styles([f"own{at}" for at in range(3 * len(COLOURS))])
    assert len(set(many.values())) == len(many)


@pytest.mark.dear("charts are drawn", every_change=True)
def test_one_scheduler_has_one_colour_in_all_charts(tmp_path: Path) -> None:
    device = sledsim.device("osdi00")
    trace = sledsim.demo_trace().rows(slice(0, 200))
    colours: dict[str, set[str]] = {}
    for at, names in enumerate((["fcfs", "sptf"], ["sptf", "clook_lbn", "fcfs"], _built_in()[:9])):
        over = {"settle_ms": [0.1, 0.2]}
        found: list[Any] = [
            sledsim.compare(device, trace, names, scales=[1, 2]),
            sledsim.trace_curves(device, trace, names, [1.0, 2.0]),
            sledsim.sweep(trace, device, names, over=over, folder=tmp_path / str(at)),
        ]
        for made in found:
            for name, colour in _coloured(made.plot().to_dict()):
                for one in name.split(" = ")[:1]:
                    colours.setdefault(one, set()).add(colour)
    assert colours["sptf"] == {"#009E73"}
    assert {name: found for name, found in colours.items() if len(found) > 1} == {}


def test_no_chart_colours_schedulers_by_other_means() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in _PACKAGE.rglob("*.py")}
    found = [path.name for path, text in sources.items() if 'alt.Color("scheduler' in text]
    assert found == ["many.py"]


def _built_in() -> list[str]:
    return [name for name in core_tables.rows("schedulers") if name not in REGISTERED]


def _coloured(spec: Any) -> Iterator[tuple[str, str]]:
    """Names and colours of each channel for schedulers."""
    if isinstance(spec, list):
        spec = dict(enumerate(spec))
    if not isinstance(spec, dict):
        return
    if spec.get("field") in ("scheduler", "line") and "range" in spec.get("scale", {}):
        pairs = zip(spec["scale"]["domain"], spec["scale"]["range"], strict=True)
        yield from ((name, one) for name, one in pairs if isinstance(one, str))
    for one in spec.values():
        yield from _coloured(one)
