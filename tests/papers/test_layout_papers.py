"""Test 001-E-7: gains of layouts on files, beside the independent check of 001-C14, and on real traces."""

from pathlib import Path

import numpy as np
import pytest

from sledsim.papers.p001.file_layouts import file_layouts, mean_access_s
from sledsim.papers.p001.trace_layouts import trace_rows

REAL = Path(__file__).parents[3] / "shared" / "traces" / "hp-srt"

FILES, SEEDS = 10_000, (1, 2, 3)


def over_random(name: str, settle_ms: float, popularity: float = 0.12) -> float:
    """Return the mean access under a layout over that under `random`, with the same sizes."""
    layouts = file_layouts(settle_ms, popularity)
    own, random = (
        sum(mean_access_s(layouts[each], FILES, seed) for seed in SEEDS) for each in (name, "random")
    )
    return own / random


@pytest.mark.parametrize(
    ("name", "popularity", "checked"),
    [
        ("columnar", 0.12, 12.3),
        ("subregioned", 0.12, 10.8),
        ("organ-pipe", 0.05, 17.8),
        ("organ-pipe", 0.10, 14.7),
        ("organ-pipe", 0.20, 9.7),
        ("organ-pipe", 0.25, 7.7),
    ],
)
def test_gains_are_those_of_the_independent_check(name: str, popularity: float, checked: float) -> None:
    # Seeds differ by 0.5 points, and the check used one; sizes and cuts of files differ a little.
    assert 100 * (1 - over_random(name, 0.22, popularity)) == pytest.approx(checked, abs=1.5)


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
def test_without_settling_both_axes_count() -> None:
    others = [over_random(name, 0.0) for name in ("columnar", "organ-pipe")]
    below = [100 * (1 - over_random("subregioned", 0.0) / other) for other in others]
    assert all(8.0 < points < 11.5 for points in below), below


def test_the_same_seed_has_the_same_files() -> None:
    layout = file_layouts(0.22)["columnar"]
    assert mean_access_s(layout, 500, 7) == mean_access_s(layout, 500, 7) != mean_access_s(layout, 500, 8)


def test_small_files_lie_in_the_centre() -> None:

    sizes = np.array([1, 16, 17, 16_384] * 500)
    for name, inner in (("columnar", (1200, 1300)), ("subregioned", (1000, 1500))):
        layout = file_layouts(0.22)[name]
        total = int(layout.device.characteristics()["blocks"])
        lbn = layout.places(sizes, total, np.random.default_rng(1))
        ends = [layout.device.locate(at)["cylinder"] for at in (lbn, lbn + sizes - 1)]
        small = sizes <= 16
        for cylinder in ends:
            assert np.all((cylinder[small] >= inner[0]) & (cylinder[small] < inner[1]))
            assert np.all((cylinder[~small] < 1000) | (cylinder[~small] >= 1500))


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
def test_random_places_lengthen_the_captures() -> None:
    rows = {(row["trace"], row["layout"]): row for row in trace_rows((0.22,), None)}
    for trace in ("demo", "ext2-1k", "ext2-4k", "ext3-1k", "ext3-4k"):
        assert rows[trace, "random"]["over_streaming_low"] > 1
        learnt = rows[trace, "by-popularity"]
        assert 0 < learnt["still_popular"] < 0.15
        assert learnt["over_streaming_low"] > 0.95, "what was popular no longer is"


@pytest.mark.dear("experiments of a paper are simulated")
@pytest.mark.skipif(not REAL.is_dir(), reason="the traces of HP are not beside the checkout")
def test_popularity_that_lasts_pays() -> None:
    rows = {(row["trace"], row["layout"]): row for row in trace_rows((0.22,), REAL)}
    for trace, most in (("cello 2003, disk 352", 0.80), ("hplajw 1992, disk 0", 0.95)):
        assert rows[trace, "by-popularity"]["over_streaming_high"] < most
        assert rows[trace, "by-popularity"]["still_popular"] > 0.4
