"""The definition of a sweep: values, ranges, combinations, and the errors in them."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim.exploration.evaluation import Evaluator
from sledsim.exploration.experiment import precision_of
from sledsim.exploration.parameter_values import read_numbers, read_values
from sledsim.exploration.shards import Shard
from sledsim.exploration.study_points import Study
from sledsim.exploration.subjects import Requests, Subject
from sledsim.exploration.sweeping import run_study


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.1:0.4:0.05", (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)),
        ("0.1:0.4:0.1", (0.1, 0.2, 0.3, 0.4)),
        ("1:10:3", (1, 4, 7, 10)),
        ("1:9:3", (1, 4, 7)),
        ("-2:2:2", (-2, 0, 2)),
        ("1:2:0.5", (1.0, 1.5, 2.0)),
        ("1e-3:3e-3:1e-3", (0.001, 0.002, 0.003)),
        ("640,1280", (640, 1280)),
        ("5:7:1,20", (5, 6, 7, 20)),
        ("first-order,bang-bang", ("first-order", "bang-bang")),
        ("always-on,timeout:ms=1", ("always-on", "timeout:ms=1")),
        ("true,false", (True, False)),
        ('["timeout:ms=1,share=2", "x"]', ("timeout:ms=1,share=2", "x")),
    ],
)
def test_values_are_read_exactly(text: str, values: tuple[Any, ...]) -> None:
    found = read_values("key", text)
    assert found == values
    assert list(map(type, found)) == list(map(type, values))


decimals = st.decimals(-1000, 1000, allow_nan=False, places=3)


@pytest.mark.dear("many points of a study are simulated", every_change=True)
@given(decimals, st.decimals("0.001", 50, places=3), st.integers(1, 200))
def test_ranges_are_those_of_decimal_arithmetic(start: Decimal, step: Decimal, count: int) -> None:
    stop = start + (count - 1) * step
    found = read_values("key", f"{start}:{stop}:{step}")
    assert found == tuple(float(start + at * step) for at in range(count))
    assert (
        read_values("key", f"{start}:{stop - Decimal('0.0001')}:{step}") == found[:-1] if count > 1 else True
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "key: expected comma-separated values, found ''"),
        ("1,,2", "key: expected comma-separated values, found '1,,2'"),
        ("1,1", "key: 1 is given twice"),
        ("0.1:0.3:0.1,0.2", "key: 0.2 is given twice"),
        *(
            (text, f"key: expected start:stop:step, upwards, with at most 1,000,000 values; found '{text}'")
            for text in ("0:1:1e-999999999", "0:1e999999999:1", "1e-999999999:1:1e-999999999")
        ),
        ("4:1:1", "key: expected start:stop:step, upwards, with at most 1,000,000 values; found '4:1:1'"),
        ("1:4:0", "upwards"),
        ("1:4", "upwards"),
        ("1:inf:1", "upwards"),
        ("0:1:1e-9", "at most 1,000,000 values"),
        ("[1, 2", "key: expected a TOML list, found '[1, 2'"),
        ("[]", "key: expected at least one value, found none"),
    ],
)
def test_wrong_values_are_refused(text: str, message: str) -> None:
    with pytest.raises(sledsim.ParameterError) as raised:
        read_values("key", text)
    assert message in str(raised.value)


@given(st.text(max_size=20))
def test_any_text_has_values_or_an_error(text: str) -> None:
    try:
        assert read_values("key", text)
    except sledsim.ParameterError as error:
        assert str(error).startswith("key: ")


def test_scales_are_positive_numbers() -> None:
    assert read_numbers("--scales", "4,16") == (4.0, 16.0)
    for wrong in ("0", "-1", "inf", "nan", "x", "true"):
        with pytest.raises(sledsim.ParameterError, match=r"--scales: expected \w+ numbers, found"):
            read_numbers("--scales", wrong)


@pytest.mark.parametrize(("given_as", "part"), [("1%", 0.01), ("0.5 %", 0.005), ("0.02", 0.02), (0.05, 0.05)])
def test_a_precision_is_a_part_or_per_cent(given_as: object, part: float) -> None:
    assert precision_of(given_as) == pytest.approx(part, rel=1e-15)


@pytest.mark.parametrize("wrong", ["", "one", "1%%", "1.2.3", True, None, [1]])
def test_an_impossible_precision_is_refused(wrong: object) -> None:
    with pytest.raises(sledsim.ParameterError, match=r"precision = .*: expected a relative half-width"):
        precision_of(wrong)


def study(**changes: Any) -> Study:
    asked: dict[str, Any] = {
        "subjects": [Subject.of("osdi00"), Subject.of("emsoft08")],
        "workloads": [Requests.of("random:rate=100"), Requests.of("ext2-4k"), Requests.of("zipf:rate=100")],
        "over": {"settle_ms": "0.1:0.4:0.1", "seek_model": ["bang-bang", "first-order"]},
        "schedulers": ["fcfs", "sptf"],
        "scales": [1, 4, 16],
    }
    return Study(**{**asked, **changes})


def test_every_combination_has_one_number() -> None:
    whole = study()
    assert len(whole) == 2 * 3 * 4 * 2 * 2 * 3
    seen = {json.dumps(point.coordinates()) for point in whole.points()}
    assert len(seen) == len(whole)
    assert [whole.point(number).number for number in (0, 7, 287)] == [0, 7, 287]
    assert whole.point(0).coordinates() == {
        **{"device": "osdi00", "workload": "random:rate=100", "settle_ms": 0.1, "seek_model": "bang-bang"},
        **{"scale": 1.0, "scheduler": "fcfs"},
    }
    assert whole.point(287).coordinates()["device"] == "emsoft08"
    assert whole.varied == ["device", "workload", "settle_ms", "seek_model", "scale", "scheduler"]
    for wrong in (-1, 288):
        with pytest.raises(sledsim.ParameterError, match="point = "):
            whole.point(wrong)


def test_a_definition_makes_the_study_again() -> None:
    first = study(precision=0.1, count=500, past_end="wrap")
    definition = json.loads(json.dumps(first.definition()))
    again = Study.from_definition(definition)
    assert again.definition() == first.definition()
    points = zip(first.points(), again.points(), strict=True)
    assert all(one.coordinates() == other.coordinates() for one, other in points)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"over": {"settle": [1]}}, "settle"),
        ({"over": {"settle_ms": [-1.0]}}, "settle_ms"),
        ({"over": {"scheduler": ["fcfs"]}}, "scheduler: expected a parameter of a device"),
        ({"over": {"settle_ms": []}}, "settle_ms: expected at least one value, found none"),
        ({"schedulers": []}, "schedulers: expected at least one value, found none"),
        ({"schedulers": ["fcfs", "fcfs"]}, "schedulers: fcfs is given twice"),
        ({"scales": [0]}, "scales: expected positive numbers, found 0"),
        ({"workloads": []}, "workload: expected at least one value, found none"),
        ({"replications": 0}, "replications = 0: must be a whole number from 1"),
        ({"replications": 1, "precision": 0.1}, "precision: expected at least 2 replications"),
        ({"precision": 1.5}, "precision = 1.5: must be a relative half-width between 0 and 1"),
        ({"judged": ["mean"]}, "judged: 'mean' is unknown: expected one of mean_response_s, "),
        ({"confidence": 1.0}, "confidence = 1.0: must be between 0 and 1"),
        ({"seed": 2**64 - 1}, "seeds in a row"),
        ({"count": 0}, "count = 0: must be a whole number from 1"),
        ({"count": 120}, "count = 120: expected at least 100 requests after the warm-up of 20%, found 96"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_runs(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(sledsim.ParameterError) as raised:
        study(**changes)
    assert message in str(raised.value)


def test_keys_of_the_sweep_are_refused_in_a_drawn_workload() -> None:
    with pytest.raises(sledsim.ParameterError, match="expected no key 'seed', as a sweep"):
        Requests.of("random:rate=100,seed=3")
    drawn = [Requests.of("random:rate=100,count=500")]
    with pytest.raises(sledsim.ParameterError, match="the count is given twice"):
        study(workloads=drawn, count=1000)
    with pytest.raises(sledsim.ParameterError, match="count = 50: expected at least 100"):
        study(workloads=[Requests.of("random:rate=100,count=50")])


@pytest.mark.parametrize("of_how_many", [1, 2, 7, 64])
def test_shards_share_the_points_evenly(of_how_many: int) -> None:
    parts = [Shard.of(f"{which}/{of_how_many}").numbers(1000) for which in range(1, of_how_many + 1)]
    assert sorted(number for part in parts for number in part) == list(range(1000))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    if of_how_many == 7:
        # Every seventh point may be slow.
        assert all(len({number % 7 for number in part}) == 7 for part in parts)


@pytest.mark.parametrize("wrong", ["", "3", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/2", "1/10000000"])
def test_wrong_shards_are_refused(wrong: str) -> None:
    with pytest.raises(sledsim.ParameterError, match="expected a shard such as 3/64"):
        Shard.of(wrong)


def test_policies_and_speeds_may_be_varied_with_the_parameters() -> None:
    sample = [{"settle_ms": 0.1, "scale": 2.0}, {"settle_ms": 0.3, "scheduler": "fcfs"}, {}]
    study = Study([Subject.of("osdi00")], [Requests("random:rate=900")], sample=sample)
    found = [(dict(one.changes), one.scale, one.scheduler) for one in study.points()]
    assert found == [
        ({"settle_ms": 0.1}, 2.0, "sptf"),
        ({"settle_ms": 0.3}, 1.0, "fcfs"),
        ({}, 1.0, "sptf"),
    ]


@pytest.mark.parametrize("once", [False, True])
def test_points_may_have_requests_of_their_own_seeds(once: bool, tmp_path: Path) -> None:
    """The key of a row has the seed: a point under other requests is another point."""
    requests = Requests("random:rate=900,count=300", once=once)
    sample = [{"settle_ms": settle, "seed": seed} for settle in (0.1, 0.3) for seed in (7, 8)]
    study = Study([Subject.of("osdi00")], [requests], replications=1, sample=sample)
    assert [(dict(one.changes), one.seed) for one in study.points()][1] == ({"settle_ms": 0.1}, 8)
    rows = list(run_study(study, tmp_path).rows())
    assert len({row["key"] for row in rows}) == 4 and [row["point"]["seed"] for row in rows] == [7, 8, 7, 8]
    for row in rows:
        device = sledsim.device("osdi00", settle_ms=row["point"]["settle_ms"])
        trace = sledsim.workload("random:rate=900,count=300", device, seed=row["point"]["seed"])
        response_ns = sledsim.simulate(device, trace, "sptf").response_ns[0 if once else 60 :]
        assert row["figures"]["mean_response_s"] == pytest.approx(response_ns.mean() * 1e-9)
    if not once:
        alone = Study([Subject.of("osdi00")], [requests], {"settle_ms": [0.3]}, replications=1, seed=8)
        assert Evaluator(alone).key_of(0) == rows[3]["key"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"replications": 2.0}, "replications = 2.0: must be a whole number"),
        ({"precision": "1%"}, "precision = '1%': expected a number, such as 0.01"),
        ({"shard": (1, 2)}, "shard: expected a text or None, found a tuple"),
        ({"on": 3}, "on: expected a text or None, found 3"),
        ({"schedulers": ["fcfs", 3]}, "schedulers: expected names, found 3"),
        ({"folder": None}, "folder = None: expected the name of a folder"),
    ],
)
def test_wrong_arguments_are_named(given: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(sledsim.ParameterError) as raised:
        sledsim.sweep("random:rate=900", **{"folder": tmp_path, "count": 300, **given})
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "ask",
    [
        lambda over, **how: sledsim.sweep("random:rate=900", folder=how["folder"], over=over, count=300),
        lambda over, **how: sledsim.sensitivity("random:rate=900", over=over, count=300, samples=64),
        lambda over, **how: sledsim.holds(
            "mean(sptf) < mean(fcfs)", "random:rate=900", over=over, count=300, samples=9
        ),
        lambda over, **how: sledsim.optimise("random:rate=900", over=over, count=300, minimise="mean"),
    ],
)
def test_a_name_that_is_unknown_is_refused_before_the_run(ask: Any, tmp_path: Path) -> None:
    """A known name that is impossible, such as a layout without its options, is a point with a reason."""
    with pytest.raises(sledsim.ParameterError, match='unknown power policy "immdiate": did you mean'):
        ask({"power_policy": ["always-on", "immdiate"]}, folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    found = sledsim.sweep(
        "random:rate=900", folder=tmp_path, over={"layout": ["simple", "zone-grouped"]}, count=300
    )
    assert [row["status"] for row in found.rows()] == ["ok", "failed"]


def test_a_study_names_its_limit_before_points_are_made() -> None:
    over = {"settle_ms": "0.1:0.2:1e-5", "active_tips": "320:1280:1", "tips": "6400:7400:1"}
    count = 10_001 * 961 * 1_001
    axes = "10,001 values of settle_ms x 961 values of active_tips x 1,001 values of tips"
    with pytest.raises(sledsim.ParameterError, match=f"at most 1,000,000 points, found {count:,}: {axes}; "):
        sledsim.sweep("random:rate=100,count=200", folder="never-made", over=over)
    assert not Path("never-made").exists()


def test_points_of_a_whole_study_take_no_memory() -> None:
    assert Shard(1, 1).numbers(10**12) == range(10**12)
