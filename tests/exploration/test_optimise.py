"""The best design of a space: found, confirmed, kept, and judged."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.exploration.optimising.archive import Archive
from sledsim.exploration.optimising.descent import Descent
from sledsim.exploration.optimising.final_choice import select
from sledsim.exploration.optimising.goals import aims_of, front
from sledsim.exploration.optimising.looks import looks_of
from sledsim.exploration.optimising.searching import search
from sledsim.exploration.optimising.tpe import Tpe
from sledsim.exploration.optimising.unit_cube import Space, near_options
from sledsim.exploration.sample import Measuring
from sledsim.exploration.subjects import Requests, Subject
from sledsim.ledger import Contents
from sledsim.uncertainty.expressions import parse_arithmetic
from sledsim.uncertainty.factors import Choice, Factors, Range

Changes = dict[str, Any]
#: A whole number, a number, and a policy.
OVER = {"active_tips": "320..3200", "settle_ms": "0.1..0.4", "scheduler": ["fcfs", "sptf", "clook_lbn"]}
FACTORS = Factors(
    [
        Range("active_tips", 320, 3200),
        Range("settle_ms", 0.1, 0.4),
        Choice("scheduler", ("fcfs", "sptf", "clook_lbn")),
    ]
)
REQUESTS = "random:rate=600,count=300"


def searched(
    function: Callable[[Changes], dict[str, float] | None],
    budget: int,
    seed: int = 1,
    minimise: Sequence[str] = ("mean",),
    subject_to: Sequence[str] = (),
    factors: Factors = FACTORS,
    sampler: Any = Descent,
) -> Archive:
    """Search a space whose figures are a known function of the design; None is an impossible design."""

    def run(changes: Sequence[Changes]) -> list[dict[str, Any]]:
        found = []
        for one in changes:
            figures = function(one)
            status = "failed" if figures is None else "ok"
            found.append({"status": status, "figures": figures or {}, "error": None if figures else "no"})
        return found

    space = Space(factors, Subject.of("osdi00"))
    archive = Archive(space, aims_of(minimise, [], subject_to, factors.names, 100))
    search(archive, sampler(space, seed), run, budget, seed)
    return archive


def bowl(changes: Changes) -> dict[str, float]:
    """A bowl with the least value, 1, at 777 tips, 0.25 ms and SPTF."""
    policy = {"sptf": 0.0, "fcfs": 0.4, "clook_lbn": 0.2}[changes["scheduler"]]
    tips = (changes["active_tips"] - 777) / 2880
    return {"mean_response_s": 1 + tips**2 + ((changes["settle_ms"] - 0.25) / 0.3) ** 2 + policy}


def valley(changes: Changes) -> dict[str, float]:
    """Rosenbrock's function with the least value 1: a bent valley with a flat floor."""
    x, y = (changes["active_tips"] - 320) / 1440, (changes["settle_ms"] - 0.1) / 0.15
    return {"mean_response_s": 1 + (1 - x) ** 2 + 10 * (y - x**2) ** 2}


@pytest.mark.dear("many points of a study are simulated", every_change="bowl-400")
@pytest.mark.parametrize(("function", "budget"), [(bowl, 400), (valley, 800)])
def test_known_functions_are_minimised(function: Callable[[Changes], dict[str, float]], budget: int) -> None:
    for seed in range(5):
        archive = searched(function, budget, seed)
        best = archive.ranking()[0]
        assert archive.judged.costs[best, 0] < 1.01, (seed, archive.values[best])
        assert len(set(archive.places)) == len(archive) == budget, "no design is given twice"


def test_a_larger_budget_goes_on_where_a_smaller_one_ends() -> None:
    few, many = searched(bowl, 100), searched(bowl, 200)
    assert many.places[:100] == few.places
    assert searched(bowl, 100, seed=2).places != few.places


def test_constraints_are_met_at_their_edge() -> None:
    """The best design without the constraint violates it; the best feasible design lies at the edge."""
    archive = searched(bowl, 400, subject_to=["active_tips >= 1500", "settle_ms <= 0.2 or settle_ms > 0.35"])
    best = archive.values[archive.ranking()[0]]
    assert 1500 <= best["active_tips"] < 1530 and 0.195 < best["settle_ms"] <= 0.2
    assert archive.judged.feasible[archive.ranking()[0]]


def test_impossible_designs_do_not_hide_the_best() -> None:
    """Half of all designs are impossible, and the best possible design is beside them."""
    archive = searched(lambda one: None if one["active_tips"] < 1500 else bowl(one), 400)
    best = archive.values[archive.ranking()[0]]
    assert 1500 <= best["active_tips"] < 1530 and best["scheduler"] == "sptf"
    assert 40 < sum(row["status"] == "failed" for row in archive.rows) < 300


def test_two_goals_have_a_front() -> None:
    """The goals x and (1 - x)² have every x from 0 to 1 on the front; other parameters have no effect."""

    def both(changes: Changes) -> dict[str, float]:
        x = (changes["active_tips"] - 320) / 2880
        more = (changes["settle_ms"] - 0.1) + 0.5 * (changes["scheduler"] != "sptf")
        return {"mean_response_s": 1 + x + more, "energy_per_request_j": 1 + (1 - x) ** 2 + more}

    archive = searched(both, 600, minimise=["mean", "energy"])
    costs = archive.judged.costs
    members = front(costs, range(len(archive)))
    xs = sorted((archive.values[one]["active_tips"] - 320) / 2880 for one in members)
    assert len(members) > 15 and xs[0] < 0.02 and xs[-1] > 0.98
    assert max(np.diff(xs)) < 0.2, "there are no large holes"
    off = [costs[one, 1] - 1 - (2 - costs[one, 0]) ** 2 for one in members]
    assert np.median(off) < 0.05
    for one in members:
        assert not ((costs <= costs[one]).all(axis=1) & (costs < costs[one]).any(axis=1)).any()


def test_a_small_space_is_run_as_a_whole() -> None:
    factors = Factors([Choice("scheduler", ("fcfs", "sptf", "clook_lbn")), Range("active_tips", 320, 340)])
    fixed = searched(lambda one: bowl({**one, "settle_ms": 0.2}), 500, factors=factors)
    assert len(fixed) == fixed.space.size == 63


def test_options_that_differ_in_one_number_are_near() -> None:
    formats = [f"{probes}x{sectors}x512" for probes in (64, 128, 256, 512) for sectors in (1, 2, 4, 8)]
    near = near_options(formats)
    assert {formats[one] for one in near[formats.index("128x2x512")]} == {
        *(f"{probes}x2x512" for probes in (64, 256, 512)),
        *(f"128x{sectors}x512" for sectors in (1, 4, 8)),
    }
    assert near_options(["a", "b", "c"])[0] == [1, 2]
    assert sorted(near_options([*range(20, 0, -1)])[0]) == [1, 2]


def test_optuna_searches_as_a_sampler() -> None:
    pytest.importorskip("optuna", reason="an extra: pip install 'sledsim[optimise]'")
    archive = searched(bowl, 150, sampler=Tpe)
    assert archive.judged.costs[archive.ranking()[0], 0] < 1.1
    assert archive.places == searched(bowl, 150, sampler=Tpe).places
    assert len(set(archive.places)) == 150
    constrained = searched(bowl, 150, subject_to=["active_tips >= 1500"], sampler=Tpe)
    assert constrained.judged.feasible.sum() > 75
    both = searched(
        lambda one: {**bowl(one), "energy_per_request_j": one["settle_ms"]}, 150, 1, ["mean", "energy"]
    )
    assert both.judged.known.all()


def optimised(folder: Path | None = None, **more: Any) -> sledsim.results.Optimum:
    told = {"minimise": "mean", "budget": 64, "workload": REQUESTS, "over": OVER, "compared": 4}
    return sledsim.optimise(**{**told, "folder": folder, **more})


@pytest.mark.dear("many points of a study are simulated")
def test_rows_are_kept_and_not_run_again(tmp_path: Path) -> None:
    first = optimised(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("*.ledger")}
    rows = len(Contents.of([tmp_path]).places)
    again = optimised(tmp_path, workers=1)
    assert again == first
    assert {path: path.read_bytes() for path in tmp_path.glob("*.ledger")} == before
    more = optimised(tmp_path, budget=80)
    assert more.designs[:64] == first.designs and len(more.designs) == 80
    there = Contents.of([tmp_path])
    looks = rows - 64
    assert rows + 16 <= len(there.places) <= rows + 16 + looks
    assert not there.disagreements
    assert optimised(None, workers=2) == first, "a folder makes no difference, nor do threads"
    assert optimised(None, seed=2).designs != first.designs


@pytest.mark.dear("many points of a study are simulated")
def test_a_large_budget_begins_with_brief_looks(tmp_path: Path) -> None:
    """Three rounds: 96 designs under a ninth of the requests, 32 under a third, 11 under all of them."""
    trace = sledsim.bundled_trace("ext3-4k").transfers().rows(slice(0, 300))
    reported: list[int] = []
    told = {"workload": trace, "budget": 200, "scheduler": "fcfs", "over": {"settle_ms": "0.1..0.4"}}
    found = optimised(tmp_path, **told, progress=reported.append)
    assert found.screened == 96 + 32 and found.screening == pytest.approx(96 * 33 / 300 + 32 * 100 / 300)
    assert found.cost <= 200 and found.runs == 200 - math.ceil(found.screening)
    assert reported == sorted(reported) and reported[-1] >= 200
    assert "128 brief runs before them cost as much as 21 of them" in " ".join(found.in_words())
    before = (tmp_path / "study.ledger").read_bytes()
    assert optimised(tmp_path, **told) == found
    assert (tmp_path / "study.ledger").read_bytes() == before
    assert optimised(**{**told, "budget": 199}).screened == 0


@pytest.mark.dear("many points of a study are simulated")
def test_what_is_done_is_kept_when_it_is_interrupted(tmp_path: Path) -> None:
    def interrupt(done: int) -> None:
        if done >= 32:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        optimised(tmp_path, progress=interrupt)
    assert len(Contents.of([tmp_path]).places) >= 32
    assert optimised(tmp_path) == optimised()


@pytest.mark.dear("many points of a study are simulated")
def test_the_choice_is_the_best_of_those_compared() -> None:
    found = optimised(minimise="mean", budget=96)
    chosen = found.selected
    assert chosen is not None and chosen.is_decided and chosen.confidence == 0.95
    assert found.best.values["scheduler"] == "sptf" and found.best.values["settle_ms"] < 0.15
    assert chosen.best in chosen.candidates and chosen.best == found.best.number
    assert chosen.distance is not None and chosen.distance.value > -0.01
    assert "with a probability of 95%" in " ".join(found.in_words())
    # The figures are those of other seeds than the search had.
    assert chosen.figures[0].count == chosen.replications >= 10
    assert chosen.figures[0].value != found.best.figures["mean_response_s"]


@pytest.mark.dear("many points of a study are simulated")
def test_the_stated_probability_is_met() -> None:
    """Nine designs are behind the best by twice the indifference, under noise of that size."""
    right = 0
    for seed in range(60):
        draw = np.random.default_rng(seed)
        means = draw.permutation([1.0, *[1.02] * 9])
        noise, shared = draw.normal(0, 0.02, (10, 400)), draw.normal(0, 0.3, 400)

        def run(look: int, changes: Sequence[Changes]) -> list[dict[str, Any]]:
            numbers = [one["active_tips"] - 320 for one in changes]
            figures = [means[one] + noise[one, look] + shared[look] for one in numbers]  # noqa: B023
            return [{"status": "ok", "figures": {"mean_response_s": one}, "error": None} for one in figures]

        factors = Factors([Range("active_tips", 320, 329)])
        archive = searched(bowl_of_tips, 10, factors=factors)
        chosen = select(
            archive,
            range(10),
            run,
            400,
            indifference=0.01,
            confidence=0.95,
            whole_counts=False,
        )
        assert chosen is not None and chosen.is_decided and chosen.best in chosen.left
        right += means[archive.values[chosen.best]["active_tips"] - 320] == 1.0
    assert right >= 57


def bowl_of_tips(changes: Changes) -> dict[str, float]:
    return {"mean_response_s": float(changes["active_tips"])}


@pytest.mark.dear("many points of a study are simulated")
def test_the_next_is_the_one_that_is_least_behind() -> None:
    """Differences are relative to the best under the same replications, not to its figure in the search."""
    found = optimised(workload="random:rate=900,count=200", over={"settle_ms": [0.1, 0.2, 0.3]}, budget=3)
    assert found.selected is not None and found.second is not None
    assert (found.best.values["settle_ms"], found.second.values["settle_ms"]) == (0.1, 0.2)
    trace = sledsim.bundled_trace("ext3-4k").transfers().rows(slice(0, 1000))
    found = optimised(workload=trace, over={"settle_ms": [0.1, 0.3]}, budget=2)
    assert found.selected is not None and found.selected.distance is not None
    parts = looks_of(Measuring(Requests.of(trace)), 0.3).compared[: found.selected.distance.count]
    means = [
        [
            sledsim.simulate(
                sledsim.device("osdi00", settle_ms=settle), one.requests.trace, "sptf", past_end="wrap"
            ).response_ns.mean()
            for one in parts
        ]
        for settle in (0.1, 0.3)
    ]
    assert found.best.values["settle_ms"] == 0.1
    behind = np.mean(means[1]) / np.mean(means[0]) - 1
    assert found.selected.distance.value == pytest.approx(behind)


@pytest.mark.dear("many points of a study are simulated")
def test_one_that_beats_all_in_both_goals_is_compared_with_the_others() -> None:
    found = optimised(minimise=["mean", "p99"], over={"settle_ms": [0.1, 0.2, 0.3]}, budget=3)
    assert len(found.front) == 1 and found.selected is not None and len(found.selected.candidates) == 3
    assert found.second is not None and found.second.values["settle_ms"] == 0.2


@pytest.mark.dear("many points of a study are simulated")
def test_an_undecided_selection_is_reported() -> None:
    """A trace of two windows is too short for an indifference of a millionth."""
    trace = sledsim.bundled_trace("ext3-4k").transfers().rows(slice(0, 240))
    found = optimised(workload=trace, indifference=1e-6, budget=48)
    chosen = found.selected
    assert chosen is not None and not chosen.is_decided and chosen.replications == chosen.most
    assert len(chosen.left) > 1
    assert "cannot be distinguished: the best of these is unknown at 95%" in " ".join(found.in_words())
    short = optimised(workload=trace.rows(slice(0, 60)), budget=32)
    assert short.selected is None and short.held_out is None
    assert "not compared again" in " ".join(short.in_words())


@pytest.mark.dear("many points of a study are simulated")
def test_a_choice_is_judged_by_requests_that_the_search_has_not_seen() -> None:
    trace = sledsim.bundled_trace("ext3-4k").transfers().rows(slice(0, 1000))
    looks = looks_of(Measuring(Requests.of(trace)), 0.3)
    compared, held_out = ([one.requests.part for one in own] for own in (looks.compared, looks.held_out))
    assert looks.search.requests.part == (0, 700) and looks.requests == 700
    assert sorted(compared) == [(at, at + 35) for at in range(0, 700, 35)] and held_out[0] == (700, 735)
    # The comparison may end after ten windows: these are from both halves.
    assert compared != sorted(compared) and 2 <= sum(end <= 350 for _, end in compared[:10]) <= 8
    (whole,) = looks.held_whole
    held = whole.requests.trace
    assert held is not None and len(held) == 300 and held.arrival_ns[0] == 0
    found = optimised(workload=trace, subject_to="mean < 1", budget=48)
    assert found.held_out is not None and found.held_out.windows == found.held_out.of == 8
    (gain,) = found.held_out.gains
    windows = [trace.rows(slice(at, at + 35)) for at in range(0, 700, 35)]
    runs = [sledsim.simulate(sledsim.device("osdi00"), one, "sptf", past_end="wrap") for one in windows]
    assert gain.given == pytest.approx(np.mean([run.response_ns.mean() for run in runs]) * 1e-9)
    assert gain.share == pytest.approx(1 - gain.chosen / gain.given)
    assert gain.held_share.value == pytest.approx(1 - gain.held_chosen / gain.held_given)
    assert found.held_out.meets and found.held_out.given_met == found.held_out.looks == 1
    drawn = optimised(budget=32).held_out
    assert drawn is not None and not drawn.is_trace and drawn.windows == 20
    assert optimised(budget=32, held_out=0).held_out is None


@pytest.mark.dear("many points of a study are simulated")
def test_impossible_designs_are_counted_and_explained() -> None:
    over = {"tips_per_block": [64, 32, 4096, 5000, 6000], "settle_ms": "0.1..0.4"}
    found = optimised(over=over, budget=60)
    counted = sum(design.status == "failed" for design in found.designs)
    assert counted and found.impossible and sum(found.impossible.values()) == counted
    assert len(found.impossible) < 4, "reasons that differ in numbers alone are one"
    assert all(design.error for design in found.designs if design.status == "failed")
    said = "\n".join(found.in_words())
    assert f"{counted} designs are impossible or have no figures" in said
    with pytest.raises(sledsim.TraceError, match=r"all 16 designs that were run are impossible .*tips"):
        optimised(over={"tips_per_block": [5000, 6000], "settle_ms": "0.1..0.4"}, budget=16)
    with pytest.raises(sledsim.TraceError, match=r"none of 16 designs .* meets .*mean < 0.000001"):
        optimised(subject_to="mean < 0.000001", budget=16)


@pytest.mark.dear("many points of a study are simulated")
def test_a_derived_parameter_without_a_number_is_a_row() -> None:
    factors = Factors(
        [Range("active_tips", 320, 3200), Range("x", -2, 2, whole=True)],
        {"settle_ms": parse_arithmetic("0.2 / x")},
    )
    found = optimised(over=factors, scheduler="fcfs", budget=64)
    assert any("division by 0" in str(design.error) for design in found.designs)
    assert found.best.meets


@pytest.mark.dear("many points of a study are simulated")
def test_settings_of_a_volume_vary() -> None:
    over = {"stripe_unit_kib": [16, 64, 256], "devices": [2, 4], "settle_ms": "0.1..0.4"}
    found = optimised(volume="stripe", over=over, maximise="capacity_gib", minimise=(), budget=32)
    assert found.best.values["devices"] == 4
    assert found.best.figures["capacity_gib"] > found.designs[0].figures["capacity_gib"] / 4


@pytest.mark.dear("many points of a study are simulated")
def test_a_table_has_all_designs(tmp_path: Path) -> None:
    found = optimised(minimise=["mean", "energy"], subject_to="energy_j < 100", budget=48)
    table = found.table()
    assert table.num_rows == 48 and table["is_best"].to_pylist().count(True) == 1
    assert table["on_front"].to_pylist().count(True) == len(found.front)
    assert table["energy_j"][0].as_py() == pytest.approx(300 * table["energy_per_request_j"][0].as_py())
    assert [path.name for path in found.write(tmp_path)] == ["optimise.parquet", "optimise.csv"]
    names = {one.factor for one in found.values}
    assert names == set(OVER)
    for name in names:
        behind = [one.behind for one in found.values if one.factor == name and one.behind is not None]
        assert behind[0] == pytest.approx(0, abs=1e-12) and behind == sorted(behind)
    assert all(math.isfinite(one.figures["mean_response_s"]) for one in found.front)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"minimise": ()}, "expected 1 to 2 figures in all, each once, found none"),
        ({"minimise": ["mean", "p99", "energy"]}, "expected 1 to 2 figures in all"),
        ({"minimise": "mean", "maximise": "mean"}, "each once"),
        ({"minimise": "speed"}, "figure 'speed' is unknown: expected one of mean"),
        ({"subject_to": "capcity_gib >= 2"}, "'capcity_gib' is unknown.*active_tips, settle_ms, scheduler"),
        ({"subject_to": "capacity_gib >="}, "expected a number"),
        ({"budget": 0}, "budget"),
        ({"sampler": "grid"}, "sampler = 'grid': expected one of descent, tpe"),
        ({"indifference": 1}, "indifference = 1: expected a relative difference"),
        ({"held_out": 1}, "held_out = 1: expected a share from 0 to below 1"),
        ({"over": {"tipps": "1..2"}}, "tipps: expected a parameter of osdi00"),
    ],
)
def test_wrong_questions_are_refused(told: dict[str, Any], said: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=said):
        optimised(**told)
