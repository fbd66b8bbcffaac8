"""The certificate of records whose contents are known."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.emulator import lateness, served as rows_of
from sledsim.emulator.certificate import certificate, to_text
from sledsim.emulator.reproduction import difference
from sledsim.emulator.served import Served, open_served, read_served
from sledsim.runs import result_files

from .synthetic import LATE_NS, altered, lying, synthetic

US = 1000


@pytest.fixture(scope="module")
def found() -> Served:
    return synthetic()


@pytest.fixture
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several batches of few rows."""
    for module in (rows_of, result_files):
        monkeypatch.setattr(module, "BATCH_ROWS", 64)


def test_all_is_well(found: Served) -> None:
    made = certificate(found)
    assert made["certified"] and made["identical"] and made["reason"] is None
    assert made["requests"] == 1000 and made["unanswered"] == 0
    assert {*made["lateness_us"].values()} == {LATE_NS / US}
    assert sum(kind["requests"] for kind in made["lateness_us_by_kind"].values()) == 1000
    assert len(made["worst"]) == 10 and [row["row"] for row in made["worst"]] == list(range(10))
    assert made["floor_us"] is None and made["probe"] is None


@pytest.mark.usefixtures("_small_batches")
def test_batches_change_nothing(found: Served, tmp_path: Path) -> None:
    """The figures equal those of NumPy over all rows."""
    draw = np.random.default_rng(2)
    sent = found.rows["due_ns"] + draw.integers(-40 * US, 3000 * US, 1000)
    sent[draw.random(1000) < 0.05] = -1
    some = altered(
        found, sent_ns=sent, how={"floor_us": {when: {"p50": 1.5, "p99": 2.0} for when in ("start", "end")}}
    )
    made = certificate(some)
    is_sent = sent >= 0
    late_us = (sent - found.rows["due_ns"])[is_sent] / US
    response_us = (found.run.columns["completion_ns"] - found.run.columns["arrival_ns"])[is_sent] / US
    for name, part in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999), ("max", 1.0)):
        assert made["lateness_us"][name] == np.quantile(late_us, part, method="inverted_cdf")
    assert made["unanswered"] == (~is_sent).sum()
    within = np.abs(late_us) <= np.maximum(0.02 * response_us, 50)
    assert made["share_in_time"] == within.mean()
    assert made["share_within_5_percent"] == (np.abs(late_us) <= 0.05 * response_us).mean()
    _, late = np.unique(found.rows["due_ns"][is_sent][~within] // 10**9, return_counts=True)
    assert made["seconds_with_several_late"] == (late > 1).sum()
    worst = np.flatnonzero(is_sent)[np.argsort(-np.abs(late_us), kind="stable")[:10]]
    assert [row["row"] for row in made["worst"]] == worst.tolist()
    write, blocks = found.run.columns["write"], found.run.columns["blocks"]
    large = is_sent & ~write & (blocks > 128)
    of_large = made["lateness_us_by_kind"]["read, longer"]
    assert of_large["requests"] == large.sum()
    assert of_large["max"] == (sent - found.rows["due_ns"])[large].max() / US
    # Certificates of a file are equal to the byte, in batches of any size.
    path = some.write(tmp_path / "run.parquet")
    assert to_text(certificate(open_served(path))) == to_text(made) == to_text(certificate(read_served(path)))


@pytest.mark.parametrize(
    ("late_us", "many", "reason"),
    [
        (60, 10, None),
        (60, 11, "98.90% of the replies were in time, expected at least 99%"),
        (-60, 11, "98.90% of the replies were in time, expected at least 99%"),
        (1001, 1, None),
        (1001, 2, "1 of 1,000 replies was 1,001 us late or more, expected at most 1,000 us"),
        (-1001, 2, None),
    ],
)
def test_planted_answers_are_found(found: Served, late_us: int, many: int, reason: str | None) -> None:
    """Late replies are among the shortest requests, for which 2 % are less than 50 us."""
    response_ns = found.run.columns["completion_ns"] - found.run.columns["arrival_ns"]
    shortest = np.argsort(response_ns, kind="stable")[:many]
    assert response_ns[shortest].max() < 50 * US / lateness.TOLERANCE
    sent = found.rows["sent_ns"].copy()
    sent[shortest] = found.rows["due_ns"][shortest] + late_us * US
    made = certificate(altered(found, sent_ns=sent))
    assert made["reason"] == reason and made["certified"] == (reason is None)
    assert {row["row"] for row in made["worst"][:many]} <= {*shortest.tolist()}


def test_a_lead_is_no_excuse(found: Served) -> None:
    """An early reply is judged by the time from its due time to its sending."""
    early = altered(found, sent_ns=found.rows["due_ns"] - 60 * US, how={"lead_us": 60.0})
    made = certificate(early)
    assert made["lateness_us"]["p50"] == -60.0
    assert not made["certified"] and "of the replies were in time" in made["reason"]


@pytest.mark.usefixtures("_small_batches")
@pytest.mark.parametrize("scheduler", ["fcfs", "sptf"])
@pytest.mark.parametrize(
    ("column", "row"), [("completion_ns", 999), ("positioning_ns", 0), ("energy_j", 500)]
)
def test_a_value_that_the_simulator_does_not_give_is_found(
    scheduler: str, column: str, row: int, tmp_path: Path
) -> None:
    found = synthetic(scheduler=scheduler)
    assert difference(found) is None
    assert difference(lying(found, column, row)) == column
    path = lying(found, column, row).write(tmp_path / "run.parquet")
    reason = f"the simulator gives other values of {column} for the same requests"
    assert certificate(open_served(path))["reason"] == reason


def test_a_probe_is_compared_with_the_simulator(found: Served) -> None:
    own = found.rows["connection"] == 2
    said_ns = (found.run.columns["completion_ns"] - found.run.columns["arrival_ns"])[own]
    seen_ns = said_ns + 30 * US
    seen_ns[:5] = said_ns[:5] * 11 // 10
    # The client did not wait for the last reply.
    probe: dict[str, Any] = {"connection": 2, "latency_ns": seen_ns[:-1].tolist()}
    made = certificate(altered(found, how={"probe": probe}))["probe"]
    assert made["requests"] == own.sum() - 1
    off_us, said_us = np.abs(seen_ns - said_ns)[:-1] / US, said_ns[:-1] / US
    assert made["share_in_time"] == (off_us <= np.maximum(0.02 * said_us, 50)).mean()
    assert made["share_within_2_percent"] == (off_us <= 0.02 * said_us).mean()
    assert made["share_within_5_percent"] == (off_us <= 0.05 * said_us).mean()
    assert made["difference_us"]["p50"] == 30.0
    probe["latency_ns"] = [1] * (len(said_ns) + 1)
    with pytest.raises(sledsim.TraceError, match=f"probe has .* replies, but only {len(said_ns)} of"):
        certificate(altered(found, how={"probe": probe}))


def test_damage_is_reported(found: Served, tmp_path: Path) -> None:
    path = altered(found, how={"floor_us": {"start": 1}}).write(tmp_path / "run.parquet")
    with pytest.raises(sledsim.TraceError, match=r"floor_us\.start: expected a table, found 1"):
        open_served(path)
    whole = found.write(tmp_path / "whole.parquet").read_bytes()
    path.write_bytes(whole[:4] + bytes(len(whole) // 2) + whole[len(whole) // 2 + 4 :])
    with pytest.raises(sledsim.TraceError, match="expected a whole result written by sledsim"):
        certificate(open_served(path))
