"""A sample of devices: the values that may vary, and the treatment of impossible values."""

from pathlib import Path

import pytest

import sledsim

from .asking import asked


def test_what_varies_has_whole_ends_where_a_device_has_whole_numbers() -> None:
    with pytest.raises(
        sledsim.ParameterError, match=r"active_tips: expected whole numbers as ends .* found 320.5 to"
    ):
        asked("mean(sptf) < 1", over={"active_tips": "320.5..640"})


def test_what_no_range_can_be_of_is_refused() -> None:
    for name in ("power_policy", "scheduler"):
        with pytest.raises(sledsim.ParameterError, match=rf"{name}: expected comma-separated values"):
            sledsim.optimise("random:rate=300", over={name: "1..3"}, minimise="mean", budget=4)


def test_a_derived_value_that_cannot_be_is_a_device_that_cannot_be() -> None:
    ranges = {"k": {"low": -2, "high": 2, "whole": True}, "overhead_ms": "0.1..0.3"}
    found = asked(
        "mean(sptf) < 1", over={"ranges": ranges, "derived": {"settle_ms": "0.2 / (k + 1)"}}, samples=32
    )
    # k = -1 divides by 0, and k = -2 gives a negative time.
    cannot = len({row["sample"] for row in found.table().to_pylist() if row["k"] < 0})
    assert found.undefined == cannot > 0 and found.share.devices == 32 - cannot
    assert any("settle_ms" in reason and "no number" in reason for reason in found.missing), found.missing
    ranges = {"k": {"low": 1, "high": 4, "whole": True}, "overhead_ms": "0.1..0.3"}
    found = asked(
        "mean(sptf) < 1", over={"ranges": ranges, "derived": {"active_tips": "480 * k / 3 + 320"}}, samples=16
    )
    assert found.undefined == 0
    found = asked(
        "mean(sptf) < 1", over={"ranges": ranges, "derived": {"active_tips": "320.5 * k"}}, samples=16
    )
    odd = {row["sample"] for row in found.table().to_pylist() if row["k"] % 2}
    assert found.undefined == len(odd) > 0
    assert any("active_tips" in reason and "whole number" in reason for reason in found.missing)


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_a_range_under_a_new_name_is_of_real_numbers(tmp_path: Path) -> None:
    path = tmp_path / "ranges.toml"
    path.write_text('[ranges]\na = "0..1"\nb = "0..1"\n[derived]\ntip_power_mw = "1 + 100 * a * b"\n')
    found = sledsim.sensitivity("random:rate=300", over=path, figures="power", samples=256, count=300)
    for one in found.indices["mean_power_w"].factors:
        assert one.first.low < 3 / 7 < one.first.high and one.total.low < 4 / 7 < one.total.high
        assert one.first.width > 0
