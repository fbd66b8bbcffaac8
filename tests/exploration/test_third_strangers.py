"""What four strangers met in studies: each of these was wrong once."""

from pathlib import Path

import pytest

import sledsim
from sledsim.exploration.executors import cluster
from sledsim.exploration.optimising import words
from sledsim.runs.intervals import Estimate


def asked(condition: str, **more: object) -> sledsim.Holding:
    how = {"devices": 4, "count": 200, "indices": False, "over": {"settle_ms": "0.1..0.4"}}
    return sledsim.holds(condition, "random:rate=300", **{**how, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("mean(sptff) < 1", r"found 'sptff'; did you mean 'sptf'\?"),
        ("mean(atlas10k) < 1", "found 'atlas10k': add --device atlas10k"),
        ("mean(sptf, fcfs) < 1", "expected one device or volume and one policy, found two policies"),
    ],
)
def test_what_was_meant_is_said(condition: str, said: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=said):
        asked(condition)


def test_why_it_is_not_known_is_said() -> None:
    with pytest.raises(sledsim.TraceError, match="a figure is not known, or something is divided by 0"):
        asked("mean(sptf) / 0 < 1")


def test_the_reason_does_not_depend_on_the_order_of_a_condition() -> None:
    reasons = []
    for condition in ("mean(sptf) < mean(fcfs)", "mean(fcfs) > mean(sptf)"):
        found = sledsim.holds(
            condition,
            "random:rate=1550",
            over={"settle_ms": "0.1..0.4"},
            devices=32,
            count=2000,
            indices=False,
        )
        reasons.append((dict(found.unknown), dict(found.missing), found.share))
    assert reasons[0] == reasons[1] and reasons[0][0]


def test_devices_that_a_trace_overloads_are_told_of() -> None:
    trace = sledsim.bundled_trace("demo").transfers().rows(slice(0, 2000))
    over = {"settle_ms": "0.1..0.4"}
    found = sledsim.holds("mean(sptf) < mean(fcfs)", trace, over=over, devices=8, scale=64, indices=False)
    assert found.overloaded == 8 and "In 8 of 8 devices requests come faster" in " ".join(found.in_words())
    why = sledsim.sensitivity(trace, over=over, devices=48, scale=64)
    assert why.overloaded == why.devices and not why.missing
    assert "requests come faster than they are served" in " ".join(why.in_words())


def test_a_threshold_that_no_sample_can_pass_is_told_of() -> None:
    found = asked("mean(sptf) < 1", threshold=1.0)
    assert found.verdict == "undecided" and "no sample shows that it holds in all" in found.in_words()[0]


def test_what_varies_has_whole_ends_where_a_device_has_whole_numbers() -> None:
    with pytest.raises(
        sledsim.ParameterError, match=r"active_tips: expected whole numbers as ends .* found 320.5 to"
    ):
        asked("mean(sptf) < 1", over={"active_tips": "320.5..640"})


def test_a_volume_under_a_trace_has_no_interval_of_its_utilization(tmp_path: Path) -> None:
    found = sledsim.sweep("ext2-4k", [sledsim.volume("mirror")], "fcfs", folder=tmp_path)
    (row,) = found.rows()
    assert row["figures"]["utilization"] > 0 and "utilization" not in row["half_widths"]
    assert "mean_response_s" in row["half_widths"]


def test_small_words() -> None:
    assert words.sure(0.999) == "99.9%" and words.sure(0.95) == "95%"
    assert "-0.00" not in words.better(Estimate(-1e-9, 1e-9, 5))
    assert len(words.interval("cv2_response", Estimate(0.0548652443876796, 5e-18, 5))) < 50


def test_a_scheduler_that_is_frozen_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    monkeypatch.setattr(cluster, "_FROZEN_S", 0.1)
    never = threading.Event()
    with pytest.raises(OSError, match=r"has not answered for 0.1 s; what is done is kept"):
        cluster._answer(never.wait)
    never.set()
    assert cluster._answer(lambda: 7) == 7
    with pytest.raises(ValueError, match="why"):
        cluster._answer(lambda: (_ for _ in ()).throw(ValueError("why")))


def test_what_a_single_device_decides_is_not_stated() -> None:
    from sledsim.charts.holding import holding_tables

    over = {"settle_ms": "0.1..0.4", "acceleration_m_per_s2": "600..1000"}
    how = {"over": over, "devices": 64, "count": 1500}
    found = sledsim.holds("p99(sptf) < p99(clook_lbn)", "random:rate=900", **how)  # type: ignore[arg-type]
    assert found.share.count == 1 and found.split is not None and found.split.validated_balanced < 0.5
    assert "No rule by one factor is right more often than chance." in found.in_words()
    assert found.indices is not None and not found.indices_tell
    assert not any("What decides" in one.caption for one in holding_tables(found))


def test_the_nearest_devices_are_on_the_page() -> None:
    from sledsim.charts.holding import holding_tables

    found = asked("mean(sptf) < 0.00115", devices=16)
    assert found.for_it is not None and found.against is not None
    text = str(holding_tables(found))
    for example in (found.for_it, found.against):
        assert f"settle_ms={example.values['settle_ms']:.6g}" in text


def test_a_derived_value_that_cannot_be_is_a_device_that_cannot_be() -> None:
    ranges = {"k": {"low": -2, "high": 2, "whole": True}, "overhead_ms": "0.1..0.3"}
    found = asked(
        "mean(sptf) < 1", over={"ranges": ranges, "derived": {"settle_ms": "0.2 / (k + 1)"}}, devices=32
    )
    # k = -1 divides by 0, and k = -2 gives less than no time.
    cannot = sum(row["k"] < 0 for row in found.table().to_pylist())
    assert found.undefined == cannot > 0 and found.share.trials == 32 - cannot
    assert any("settle_ms" in reason and "no number" in reason for reason in found.missing), found.missing
    ranges = {"k": {"low": 1, "high": 4, "whole": True}, "overhead_ms": "0.1..0.3"}
    found = asked(
        "mean(sptf) < 1", over={"ranges": ranges, "derived": {"active_tips": "480 * k / 3 + 320"}}, devices=16
    )
    assert found.undefined == 0
    found = asked(
        "mean(sptf) < 1", over={"ranges": ranges, "derived": {"active_tips": "320.5 * k"}}, devices=16
    )
    assert found.undefined == sum(row["k"] % 2 for row in found.table().to_pylist()) > 0
    assert any("active_tips" in reason and "whole number" in reason for reason in found.missing)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (
            "mean(sptf) < capacity",
            r"both sides of < in one unit, found mean\(sptf\) \(s\) and capacity \(bytes\)",
        ),
        (
            "mean(sptf) < 1 + energy(sptf) and p99(sptf) < 1",
            r"found mean\(sptf\) \(s\) and 1 \+ energy\(sptf\) \(J\)",
        ),
        ("mean(sptf) + energy(sptf) < 1", r"both sides of \+ in one unit"),
        ("mean(sptf) < 50% * cv2(sptf)", r"\(s\) and 50% \* cv2\(sptf\) \(no unit\)"),
    ],
)
def test_times_are_not_compared_with_sizes(condition: str, said: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=said):
        asked(condition)


def test_what_is_weighed_may_be_added() -> None:
    for condition in (
        "mean(sptf) * 1000 + 2 * energy(sptf) < 1e9",
        "mean(sptf) / mean(fcfs) < p99(sptf) / p99(fcfs) + 10",
        "energy(sptf) / mean(sptf) < 100 * power(sptf)",
    ):
        assert asked(condition).share.trials == 4
    with pytest.raises(sledsim.ParameterError, match=r"constraint p99 < energy: expected both sides of <"):
        sledsim.optimise(
            "random:rate=300", over={"settle_ms": "0.1..0.4"}, minimise="mean", subject_to="p99 < energy"
        )


def test_what_no_range_can_be_of_is_refused() -> None:
    for name in ("power_policy", "scheduler"):
        with pytest.raises(sledsim.ParameterError, match=rf"{name}: expected values to choose from"):
            sledsim.optimise("random:rate=300", over={name: "1..3"}, minimise="mean", budget=4)


def test_a_figure_that_no_design_has_is_told_of() -> None:
    trace = sledsim.bundled_trace("ext3-4k").transfers().rows(slice(0, 1))
    with pytest.raises(sledsim.TraceError, match=r"has a figure to be judged by: mean_queue_length"):
        sledsim.optimise(trace, over={"settle_ms": "0.1..0.4"}, minimise="queue", budget=4)


def test_a_volume_that_has_no_utilization_has_figures_under_a_trace(tmp_path: Path) -> None:
    """All of its requests at once, or a bus alone that is busy, leave batches without any."""
    trace = sledsim.bundled_trace("ext2-4k").transfers().rows(slice(0, 60))
    at_once = sledsim.Trace(trace.arrival_ns * 0, trace.lbn, trace.blocks, trace.write)
    (row,) = sledsim.sweep(at_once, [sledsim.volume("mirror")], "fcfs", folder=tmp_path).rows()
    assert row["error"] is None and row["figures"]["mean_response_s"] > 0
