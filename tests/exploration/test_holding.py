"""A share of devices: unknown answers have reasons, and no rule rests on one device."""

import pytest

import sledsim
from sledsim.charts.holding_chart import holding_tables

from .asking import asked


def test_the_reason_of_an_unknown_answer_is_reported() -> None:
    with pytest.raises(sledsim.TraceError, match="a figure is unknown, or a divisor is 0"):
        asked("mean(sptf) / 0 < 1")


@pytest.mark.dear("many points of a study are simulated")
def test_the_reason_does_not_depend_on_the_order_of_a_condition() -> None:
    reasons = []
    for condition in ("mean(sptf) < mean(fcfs)", "mean(fcfs) > mean(sptf)"):
        found = sledsim.holds(
            condition,
            "random:rate=1550",
            over={"settle_ms": "0.1..0.4"},
            samples=32,
            count=2000,
            indices=False,
        )
        reasons.append((dict(found.unknown), dict(found.missing), found.share))
    assert reasons[0] == reasons[1] and reasons[0][0]


@pytest.mark.dear("many points of a study are simulated", every_change=True)
def test_overloaded_devices_are_reported() -> None:
    trace = sledsim.bundled_trace("demo").transfers().rows(slice(0, 2000))
    over = {"settle_ms": "0.1..0.4"}
    found = sledsim.holds("mean(sptf) < mean(fcfs)", trace, over=over, samples=8, scale=64, indices=False)
    assert found.overloaded == 8 and "The trace overloads 8 of 8 devices" in " ".join(found.in_words())
    why = sledsim.sensitivity(trace, over=over, samples=48, scale=64)
    assert why.overloaded == why.samples and not why.missing
    assert "The trace overloads" in " ".join(why.in_words())


@pytest.mark.parametrize(("threshold", "said"), [("x", "expected a number"), (2.0, "must be from 0 to 1")])
def test_a_wrong_threshold_is_refused_before_a_run(threshold: object, said: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=f"threshold.*{said}"):
        asked("mean < 1", threshold=threshold)


def test_a_threshold_that_no_sample_can_pass_is_reported() -> None:
    found = asked("mean(sptf) < 1", threshold=1.0)
    said = "no sample can show that the condition holds in all devices"
    assert found.verdict == "undecided" and said in found.in_words()[0]


@pytest.mark.dear("many points of a study are simulated")
def test_what_a_single_device_decides_is_not_stated() -> None:
    over = {"settle_ms": "0.1..0.4", "acceleration_m_per_s2": "600..1000"}
    how = {"over": over, "samples": 64, "count": 1500, "replications": 2}
    found = sledsim.holds("p99(sptf) < 95% * p99(clook_lbn)", "random:rate=900", **how)  # type: ignore[arg-type]
    assert found.share.always == 1 and found.split is not None and found.split.validated_balanced < 0.5
    assert "No rule by one factor is right more often than chance." in found.in_words()
    assert found.indices is not None and not found.indices_tell
    assert not any("What decides" in one.caption for one in holding_tables(found))
