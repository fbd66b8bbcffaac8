"""Recompute the figures of 000 and 003 on their traces, printed or found, from columns with numpy alone.

The figures beside the results come from text and tables of the papers. Seeks and accesses are recomputed in
tests/model/test_recomputed_access_times.py, from the equations.
"""

import functools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

import sledsim
from sledsim import papers
from sledsim.model.volumes import Target
from sledsim.papers.p000.hours import REQUESTS, drawn_hours
from sledsim.papers.p000.inputs import OWN_RATE, SEQUENTIALITY, SLEDS, zoned_device
from sledsim.papers.p000.sequential_streams import bursty_stream
from sledsim.papers.p003 import e04_variation
from sledsim.papers.p003.findings import varies_more
from sledsim.papers.p003.inputs import DAYS, DISK, DRAWN, Input
from sledsim.papers.p003.systems import Observed, observe, systems

from ..recomputed import HONG03, ZONES

#: Table 2 of 003: requests, writes, metadata requests, metadata writes.
TABLE_2 = {"1999-01-13": (353_914, 161_531, 21_756, 12_612), "1999-01-14": (41_963, 31_997, 11_012, 9_927)}
#: Last row of Table 2, and the text on Figure 3: per cent of sequential requests, and of times below 10 ms.
PER_CENT = {"1999-01-13": (15.5, 78.8), "1999-01-14": (17.4, 52.9)}
#: Figures of the text: per cent of writes, of metadata, of metadata among writes; requests per second.
SAID = {"1999-01-13": (45.6, 6.1, 7.8, 4.1), "1999-01-14": (76.3, 26.2, 31.0, 0.5)}
#: Range in points by which more writes than reads come within 10 ms, as read from the text.
MORE = {"1999-01-13": (0, 5), "1999-01-14": (5, 100)}
#: Section 7 of 000: requests, requests per second, per cent of sequential requests, sleds.
HOURS = {"server": (118_760, 33.0, 0.5, 3), "user": (75_304, 20.9, 82.9, 2)}
#: Student's t of 97.5 % with nine degrees of freedom, from a table.
T_9 = 2.2622


def within(trace: sledsim.Trace, ms: float, rows: NDArray[np.bool_] | slice = slice(None)) -> float:
    """Return the per cent of times between arrivals below `ms`."""
    return float(100 * np.mean(np.diff(trace.arrival_ns[rows]) < ms * 1e6))


def goes_on(trace: sledsim.Trace) -> float:
    """Return the per cent of requests that begin where the previous one ended."""
    return float(100 * np.mean(trace.lbn[1:] == trace.lbn[:-1] + trace.blocks[:-1]))


def rate(trace: sledsim.Trace) -> float:
    """Return requests per second."""
    return float((len(trace) - 1) / ((trace.arrival_ns[-1] - trace.arrival_ns[0]) * 1e-9))


@pytest.mark.dear("a day of many requests is drawn", every_change="1999-01-14")
@pytest.mark.parametrize("day", DAYS)
def test_a_drawn_day_has_what_is_printed_of_it(day: str) -> None:
    """Check Table 2 of 003, its rows in the text, and two points of Figure 3 (003-C1, C15, C16)."""
    trace = sledsim.workload(f"metadata:day={day},seed=2", sledsim.device(DISK))
    writes, metadata = trace.op == 1, trace.metadata
    assert set(np.unique(trace.op)) == {0, 1}
    assert (len(trace), writes.sum(), metadata.sum(), (writes & metadata).sum()) == TABLE_2[day]
    shares = (100 * writes.mean(), 100 * metadata.mean(), 100 * metadata[writes].mean())
    # The shares 9,927 of 31,997 (31.02 %) and 12,612 of 161,531 (7.81 %) round to the printed ones.
    assert [round(float(share), 1) for share in shares] + [round(rate(trace), 1)] == list(SAID[day])
    going_on, below_10_ms = PER_CENT[day]
    assert goes_on(trace) == pytest.approx(going_on, abs=0.05)
    assert within(trace, 10) == pytest.approx(below_10_ms, abs=0.05)
    # "About 15 %" is about the first day; the second is drawn with it as well.
    assert within(trace, 1, metadata) == pytest.approx(15, abs=0.5)
    span_s = (trace.arrival_ns[-1] - trace.arrival_ns[0]) * 1e-9
    assert span_s == pytest.approx(24 * 3600, rel=0.002)
    # Writes are more bursty than reads "in general", and "particularly" on the second day.
    more = within(trace, 10, writes) - within(trace, 10, ~writes)
    least, most = MORE[day]
    assert least < more < most


@pytest.mark.parametrize("like", HOURS)
def test_drawn_hours_are_those_of_000(like: str) -> None:
    """Check section 7 on the hours as used, with their count; means over ten within four standard errors."""
    count, own_rate, sequential, sleds = HOURS[like]
    model = zoned_device(SLEDS[like])
    draw = bursty_stream(SEQUENTIALITY[like], REQUESTS[like])
    hours = drawn_hours(draw, model, OWN_RATE[like], range(1, 11))
    assert {len(hour) for hour in hours} == {count}
    assert {int(hour.lbn.max()) // ZONES.blocks + 1 for hour in hours} == {sleds}
    # Bound of 5 ms for the user trace; the paper prints only the rate of the server trace.
    close_ms = 5 * HOURS["user"][1] / own_rate
    found = np.array([(rate(hour) / own_rate, within(hour, close_ms), goes_on(hour)) for hour in hours])
    means, errors = found.mean(axis=0), found.std(axis=0, ddof=1) / math.sqrt(len(hours))
    assert (np.abs(means - (1, 75.3, sequential)) < 4 * errors).all(), (means, errors)
    assert (errors < (0.02, 0.15, 0.1)).all(), errors
    # Equally many requests at random times would be this close in 1 - exp(-0.1045) of the cases.
    assert 100 * -math.expm1(-own_rate * close_ms * 1e-3) < 10


def cv2(response_ns: NDArray[np.int64]) -> float:
    return float(np.var(response_ns.astype(np.float64)) / np.mean(response_ns) ** 2)


@functools.cache
def made() -> dict[str, Target]:
    return systems()


def responses(name: str, trace: sledsim.Trace) -> NDArray[np.int64]:
    return sledsim.simulate(made()[name], trace, "fcfs").response_ns


def draws(day: str, count: int, seeds: int) -> Input:
    return Input(
        f"drawn {day}", DRAWN, tuple(f"metadata:day={day},count={count},seed={1 + at}" for at in range(seeds))
    )


@pytest.mark.dear("ten draws of each day run on each system", every_change=True)
def test_variations_of_003_are_judged_by_all_draws_not_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check 003-C5 in 003-E-4 against numpy: ratios of ten draws, their mean and Student's interval."""
    inputs = [draws(day, 1000, 10) for day in DAYS]
    seen = [observe(one, made()) for one in inputs]
    monkeypatch.setattr(e04_variation, "by_policy", lambda quick, traces: {"fcfs": seen, "sptf": seen})
    result = e04_variation.run(quick=True)
    claim = next(found for found in result.claims if found.id == "003-C5")
    findings = {
        found.input: found
        for found in claim.findings
        if isinstance(found, papers.OnInput) and "MMD over DISK" in found.quantity
    }
    table = result.tables["Squared coefficients of variation"].to_pylist()
    rows = {(row["input"], row["system"]): row for row in table}
    either = []
    for one, many in zip(inputs, seen, strict=True):
        of = [[responses(name, trace) for name in ("DISK", "MMD")] for trace in one.read()]
        ratios = np.array([cv2(mmd) / cv2(disk) for disk, mmd in of])
        logs = np.log(ratios)
        half = T_9 * logs.std(ddof=1) / math.sqrt(len(logs))
        mean, low, high = np.exp([logs.mean(), logs.mean() - half, logs.mean() + half])
        check_table(rows[one.name, "MMD"], of, (mean, low, high))

        found = findings[one.name]
        assert found.ours == f"{mean:.2f} ({low:.2f} to {high:.2f})"
        assert found.told is (True if low > 1 else False if high < 1 else None)
        either.append(ratios.min() < 1 < ratios.max())
        (alone,) = varies_more([first_draw(many)], "MMD", "DISK", "above 1")
        assert alone.told is None
    # Single draws of a day give either answer, so one draw decides nothing.
    assert any(either)


def first_draw(many: Observed) -> Observed:
    sums = {name: rows[:1] for name, rows in many.sums.items()}
    return Observed(many.name, many.kind, many.is_single, sums, many.details)


def check_table(
    row: dict[str, float], of: list[list[NDArray[np.int64]]], expected: tuple[float, float, float]
) -> None:
    """Check that a coefficient covers the requests of all draws, and a ratio is the mean over the draws."""
    mean, low, high = expected
    assert row["cv2"] == pytest.approx(cv2(np.concatenate([mmd for _, mmd in of])), rel=1e-9)
    assert row["cv2_low"] < row["cv2"] < row["cv2_high"]
    assert row["disk_over_system"] == pytest.approx(1 / mean, rel=1e-9)
    ends = [row["disk_over_system_low"], row["disk_over_system_high"]]
    assert ends == pytest.approx([1 / high, 1 / low], rel=1e-4)


def spread(trace: sledsim.Trace, seed: int) -> sledsim.Trace:
    """Move the metadata requests to random times of the span.

    Their times between arrivals stay below 1 ms for 15 %, as in the text: these requests get a companion.
    """
    rng, metadata = np.random.default_rng(seed), trace.metadata
    many = int(metadata.sum())
    companions = round(0.15 * (many - 1))
    alone = rng.integers(trace.arrival_ns[0], trace.arrival_ns[-1] - 1_000_000, many - companions)
    late = rng.choice(alone, companions, replace=False) + rng.integers(1, 1_000_000, companions)
    arrival_ns = trace.arrival_ns.copy()
    arrival_ns[metadata] = np.sort(np.concatenate([alone, late]))
    by = np.argsort(arrival_ns, kind="stable")
    return sledsim.Trace(arrival_ns[by], trace.lbn[by], trace.blocks[by], trace.op[by], metadata=metadata[by])


@pytest.mark.parametrize("day", DAYS)
def test_what_mmd_gains_hangs_on_how_metadata_come(day: str) -> None:
    """The gain in 003-C2 needs bursts: with metadata spread over the day, less than half of it is left.

    The printed share of metadata within 1 ms (15 %) does not change, but the printed figures of all requests
    do, so the test only shows the direction.
    """
    for seed in range(1, 6):
        text = f"metadata:day={day},metadata_below_10_ms=1,count=2000,seed={seed}"
        drawn = sledsim.workload(text, sledsim.device(DISK))
        changed = spread(drawn, seed)
        for name in ("lbn", "blocks", "op", "metadata"):
            before, after = (np.sort(getattr(one, name)) for one in (drawn, changed))
            assert np.array_equal(before, after)
        for trace in (drawn, changed):
            assert within(trace, 1, trace.metadata) == pytest.approx(15, abs=1.5)
        assert within(changed, 10, changed.metadata) < 0.5 * within(drawn, 10, drawn.metadata)
        gains = [gain(trace) for trace in (drawn, changed)]
        # MMD still gains: metadata never wait, and the disk has less to do.
        assert gains[0] > 0.1 and 0 < gains[1] < gains[0] / 2, gains


def gain(trace: sledsim.Trace) -> float:
    """Return the excess of the mean response of DISK over that of MMD, whose devices serve separately."""
    disk, mmd, rest = responses("DISK", trace), responses("MMD", trace), ~trace.metadata
    others = sledsim.Trace(trace.arrival_ns[rest], trace.lbn[rest], trace.blocks[rest], trace.op[rest])
    assert np.array_equal(mmd[rest], responses("DISK", others))
    # Half of the metadata take at most one longest access: processing, seek, and two rows.
    longest_s = 200e-6 + float(HONG03.seek_x(-HONG03.stroke / 2, HONG03.stroke / 2)) + 2 * HONG03.row_time
    assert 200e-6 + HONG03.row_time < np.median(mmd[~rest]) * 1e-9 < longest_s
    return float(disk.mean() / mmd.mean()) - 1
