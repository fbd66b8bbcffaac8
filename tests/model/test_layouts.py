"""Layouts as users see them: every block has one place, and popular extents come from traces."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim.model.core_tables import table
from sledsim.traces.tools import popular_extents
from tests.conftest import Cli

LAYOUTS = list(table("layouts"))
#: Keys of layouts that need some.
NEEDED = {
    "random": {"layout_seed": 3, "layout_extent_blocks": 64},
    "zone-grouped": {"layout_zone_cylinders": 120, "layout_zone_y_bits": 1200},
    "by-popularity": {"layout_popularity": [[5000, 50], [10, 7], [400_000, 90_000]]},
}
PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "layouts.md").read_text()


def placed(name: str) -> sledsim.Device:
    return sledsim.device("osdi00", layout=name, **NEEDED.get(name, {}))


@pytest.mark.dear("many requests are simulated and computed again", every_change="subregioned")
@pytest.mark.parametrize("name", LAYOUTS)
def test_every_block_has_a_place_of_its_own(name: str) -> None:
    device = placed(name)
    found = device.characteristics()
    blocks = int(found["blocks"])
    assert blocks == int(sledsim.device("osdi00").characteristics()["blocks"])
    at = device.locate(np.arange(blocks))
    place = (at["cylinder"].astype(np.int64) * int(found["tracks_per_cylinder"]) + at["track"]) * int(
        found["rows_per_track"]
    ) + at["row"]
    place = place * int(found["blocks_per_row"]) + at["slot"]
    assert np.array_equal(np.sort(place), np.arange(blocks))


@pytest.mark.parametrize("name", LAYOUTS)
def test_schedulers_find_the_same_by_index(name: str) -> None:
    trace = sledsim.random_workload(placed(name), rate_per_s=1500, count=1500)
    runs = [sledsim.simulate(placed(name), trace, policy) for policy in ("sptf", "sptf:search=linear")]
    assert np.array_equal(*(run.columns["completion_ns"] for run in runs))


def test_the_layout_travels_with_the_result(tmp_path: Path) -> None:
    device = placed("by-popularity")
    run = sledsim.simulate(device, sledsim.random_workload(device, rate_per_s=100, count=50))
    run.write(tmp_path / "run.parquet")
    again = sledsim.read_run(tmp_path / "run.parquet").again()
    assert np.array_equal(run.columns["completion_ns"], again.columns["completion_ns"])


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"layout": "random", "layout_seed": 1}, "layout = random needs layout_extent_blocks"),
        ({"layout": "random", "layout_extent_blocks": 8}, "layout = random needs layout_seed"),
        ({"layout": "zone-grouped"}, "layout = zone-grouped needs layout_zone_cylinders"),
        ({"layout": "by-popularity"}, "sledsim trace popularity"),
        (
            {"layout": "zone-grouped", "layout_zone_cylinders": 0, "layout_zone_y_bits": 9},
            "layout_zone_cylinders = 0: must be a whole number from 1",
        ),
        (
            {"layout": "zone-grouped", "layout_zone_cylinders": 1, "layout_zone_y_bits": 9},
            "give 2500 x 278 zones: expected at most 10000",
        ),
        (
            {"layout": "by-popularity", "layout_popularity": [[0, 8], [7, 8]]},
            r"expected extents that share no block, found \[0, 8\] and \[7, 8\]",
        ),
    ],
)
def test_what_a_layout_needs_is_named(keys: dict[str, object], message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        sledsim.device("osdi00", **keys)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@given(
    st.lists(st.tuples(st.integers(0, 300), st.integers(1, 40)), min_size=1, max_size=30),
    st.integers(1, 50),
)
def test_accesses_are_those_of_every_block(requests: list[tuple[int, int]], extent: int) -> None:
    lbn, blocks = np.array(requests).T
    trace = sledsim.Trace(arrival_ns=np.arange(len(lbn)), lbn=lbn, blocks=blocks)
    found = popular_extents(trace, extent)
    spans = [range(first, first + length) for first, length in found.rows]
    touched = {block for span in spans for block in span}
    assert sum(len(span) for span in spans) == len(touched)
    assert np.all(np.diff(found.accesses) <= 0)
    for span, accesses in zip(spans, found.accesses, strict=True):
        for start in range(span.start, span.stop, extent):
            end = start + extent
            assert accesses == sum(at < end and at + length > start for at, length in requests)
    assert all(block in touched for at, length in requests for block in range(at, at + length))


def test_a_stream_is_counted_as_the_trace_is(tmp_path: Path) -> None:
    demo = sledsim.demo_trace()
    whole = popular_extents(demo, 64, most=100)
    sledsim.write_trace(demo, tmp_path / "demo.parquet")
    assert popular_extents(sledsim.open_trace(tmp_path / "demo.parquet"), 64, most=100).rows == whole.rows


def test_bad_arguments_are_named() -> None:
    demo = sledsim.demo_trace()
    with pytest.raises(sledsim.ParameterError, match="extent_blocks = 0"):
        popular_extents(demo, 0)
    two = sledsim.Trace(arrival_ns=[0, 1], lbn=[0, 8], blocks=[8, 8], device=[0, 1])
    with pytest.raises(sledsim.ParameterError, match="sledsim trace slice --traced-device"):
        popular_extents(two)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_from_a_trace_to_a_device(cli: Cli) -> None:
    done = cli("trace", "popularity", "demo", "-o", "hot.csv", "--extent-blocks", "64", "--json")
    assert done.returncode == 0, done.stderr
    about = json.loads(done.stdout)
    assert about["extent_blocks"] == 64 and about["extents"] > 100
    settings = ("--set", "layout=by-popularity", "--set", "layout_popularity=hot.csv")
    shown = json.loads(cli("show", "osdi00", *settings, "--json").stdout)
    rows = shown["parameters"]["layout_popularity"]
    assert len(rows) == about["extents"] and sum(row[1] for row in rows) == about["blocks"]
    done = cli("run", "demo", "--scheduler", "sptf", *settings)
    assert done.returncode == 0, done.stderr


def test_a_wrong_line_of_the_table_is_named(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "here" / "hot.csv").write_text("first_block,blocks\n0,8\nnear,8\n")
    settings = ("--set", "layout=by-popularity", "--set", "layout_popularity=hot.csv")
    done = cli("run", "demo", *settings)
    assert done.returncode == 2
    assert 'hot.csv:3: expected numbers separated by commas, found "near,8"' in done.stderr


def test_the_page_explains_layouts_and_the_keys_that_they_need() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \|(.*)", PAGE.partition("\n## ")[0], re.MULTILINE))
    assert rows.keys() <= set(LAYOUTS)
    assert rows.keys() >= NEEDED.keys()
    for name, keys in NEEDED.items():
        assert all(f"`{key}`" in rows[name] for key in keys)


@pytest.mark.dear("many requests are simulated and computed again")
def test_the_commands_of_the_page_run(cli: Cli) -> None:
    lines = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    assert len(lines) == 7
    for line in lines:
        done = cli(*shlex.split(line)[1:])
        assert done.returncode == 0, done.stderr


def test_the_code_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})
    assert float(capsys.readouterr().out) > 0
