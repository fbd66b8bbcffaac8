"""Test regions of equal seek time at the corner (000-C31), and seeks that do not depend on y (000-C32)."""

from collections.abc import Iterator

import pytest

import sledsim
from sledsim import papers
from sledsim.papers import Verdict
from sledsim.papers.p000.corner_regions import _border, corner, trials
from sledsim.papers.p000.sequential_streams import bursty_stream
from sledsim.papers.shared.perturbations import enforce
from sledsim.studies.region import Region


@pytest.fixture
def without_springs() -> Iterator[None]:
    enforce(papers.own_perturbation({"spring_factor": 0.0}, {}, {}))
    yield
    enforce(None)


def test_the_way_that_a_time_reaches_at_the_end_is_that_of_the_forces_left() -> None:
    """Short seeks are as under a constant force: half of one is with the springs, half against them."""
    found = {trial.name: float(trial.findings[0].found) for trial in trials()}
    for springs, part in (("half", 0.75), ("whole", 0.375)):
        columns = found[f"000-springs/{springs} + 000-corner/quarter"]
        # Bounds in whole columns, of 16 to 37.
        assert columns == pytest.approx(1 - part**2, abs=1.5 / 37)


def test_without_springs_the_corner_is_like_the_centre(without_springs: None) -> None:
    tried = trials()
    assert [trial.borne_out for trial in tried if "quarter" in trial.name] == [4, 4]
    assert all(finding.found == "1.00" for finding in tried[0].findings)
    assert corner(tried).verdict is Verdict.SHAPE


@pytest.mark.parametrize("start", [(0, 0), (1225, 1250)])
def test_from_the_border_on_each_seek_takes_the_time_along_x(start: tuple[int, int]) -> None:
    device = sledsim.device("mascots03")
    border = _border(device, start)
    assert border is not None
    region = Region.of(device)
    from_x, from_y = region.length_m(start)
    ends_m = region.length_m(range(-1250, 1251))
    slowest_s = max(
        float(device.seek_y_s(from_y, 1 if start[0] % 2 == 0 else -1, ends_m, way).max()) for way in (-1, 1)
    )
    before_s, at_s = device.seek_x_s(from_x, from_x - region.length_m([border[0] - 1, border[0]]))
    assert before_s < slowest_s <= at_s


def test_an_hour_with_an_interleave_has_no_adjacent_requests() -> None:
    device = sledsim.device("mascots03-zones")
    plain, gapped = (bursty_stream(0.829, 2000, gap)(device, 20.9, 1) for gap in (0, 16))
    behind = gapped.lbn[1:] - (gapped.lbn + gapped.blocks)[:-1]
    follows = plain.lbn[1:] == (plain.lbn + plain.blocks)[:-1]
    assert not (behind == 0).any()
    assert (behind == 16).mean() == pytest.approx(follows.mean(), abs=0.005) == pytest.approx(0.829, abs=0.03)
