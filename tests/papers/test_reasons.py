"""Test that the reason of a claim fits its verdict, and that every text is used."""

from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.papers import Calibrated, Verdict
from sledsim.papers.p001.e05_subregions import _SETTLED, _UNSETTLED, _cells, _printed
from sledsim.papers.p001.e09_raid5 import _PRINTED, _UNIT_KIB, _ratio, _response
from sledsim.papers.p002.e01_random import _seeks, _services, readings
from sledsim.papers.p002.table_2 import read_table_2
from sledsim.papers.shared.claims import texts


@pytest.mark.parametrize(("off_ms", "verdict"), [(0.0, Verdict.SHAPE), (0.1, Verdict.CONTRADICTS)])
def test_cells_that_a_fitted_settling_time_makes_are_at_best_in_shape(
    off_ms: float, verdict: Verdict
) -> None:
    settled, unsettled = _printed(_SETTLED), _printed(_UNSETTLED)
    found = _cells(settled, unsettled + off_ms)
    assert found.verdict is verdict
    assert found.reason.startswith("Each half of the figure") is (verdict is Verdict.SHAPE)
    fitted = found.findings[0]
    # Every cell is printed exactly: any settling time within half a digit of 0.21 ms fits as well.
    assert isinstance(fitted, Calibrated) and fitted.allows == "0.2050 to 0.2150 ms of settling"
    spread = _cells(settled + np.linspace(-0.01, 0.01, 25).reshape(5, 5), unsettled).findings[0]
    assert isinstance(spread, Calibrated) and spread.allows.startswith("no settling time")


@pytest.mark.parametrize(
    ("late", "verdict"), [(1.0, Verdict.SHAPE), (1.1, Verdict.SHAPE), (1.3, Verdict.CONTRADICTS)]
)
def test_the_rate_that_a_ratio_fits_is_tried_by_the_response(late: float, verdict: Verdict) -> None:
    """The ratio alone fits any device whose ratios lie around it."""
    for name, (printed, _, more) in _PRINTED.items():
        rows = [
            {
                "device": name,
                "stripe_unit_bytes": _UNIT_KIB * 1024,
                "rate_per_s": rate,
                "ratio": 1 + more + step,
                "stripe_response_s": late * float(printed) * 1e-3 * (1 + step),
                "raid5_response_s": late * float(printed) * 1e-3 * (1 + step) * (1 + more + step),
            }
            for rate, step in ((100, -0.1), (300, 0.1))
        ]
        assert _ratio(rows, name).verdict is Verdict.SHAPE
        found = _response(rows, name)
        assert found.verdict is verdict and found.allows == "195 to 205 requests/s"


def test_reasons_that_explain_a_verdict_are_left_out_where_another_comes_out() -> None:
    """Test a possible longest seek, and a service far from the printed one."""
    device = sledsim.device("sigmetrics00")
    reads = read_table_2(device, readings(device, 2000))
    _, impossible, _ = _seeks(reads[0], reads, {"x": 2.59, "y": 2.25})
    assert impossible.verdict is Verdict.CONTRADICTS and "no seek of the stated device" in impossible.reason
    _, possible, _ = _seeks(reads[0], reads, {"x": 2.72, "y": 2.25})
    assert (possible.verdict, possible.reason) == (Verdict.REPRODUCED, "")
    device = sledsim.device("sigmetrics00", acceleration_m_per_s2=40.0)
    reads = read_table_2(device, readings(device, 2000))
    _, service = _services(reads[0], reads, 3.0)
    assert service.verdict is Verdict.CONTRADICTS and service.reason.startswith("Mean service is")


def test_every_note_that_stands_beside_the_statements_is_asked_for() -> None:
    files = Path(sledsim.__file__).parent.joinpath("papers").rglob("*.py")
    code = "".join(file.read_text(encoding="utf-8") for file in files)
    assert [name for name in texts("notes") if f'"{name}"' not in code] == []
