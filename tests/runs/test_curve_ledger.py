"""Curves with a ledger: points equal those of curves without one, and no point is run twice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.exploration import climbing

from ..conftest import Cli

ASKED: dict[str, Any] = {"count": 1000, "replications": 3}
RATES = [300, 900, 1500]


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return the policies of the runs in this process."""
    found: list[str] = []
    simulate = sledsim.simulate

    def counted(device: Any, trace: Any, name: str, *more: Any, **options: Any) -> Any:
        found.append(name)
        return simulate(device, trace, name, *more, **options)

    monkeypatch.setattr(climbing, "simulate", counted)
    yield found


def equal(one: sledsim.results.Curves, other: sledsim.results.Curves) -> bool:
    assert one.origin == other.origin
    assert one.table().equals(other.table()) and one.samples().equals(other.samples())
    return all(
        a.estimates.keys() == b.estimates.keys() and a.samples.keys() == b.samples.keys()
        for a, b in zip(one.points, other.points, strict=True)
    )


@pytest.mark.dear("programs are started and killed", every_change="None")
@pytest.mark.parametrize("precision", [None, 0.2])
def test_kept_points_are_those_that_were_run(
    device: sledsim.Device, tmp_path: Path, simulated: list[str], precision: float | None
) -> None:
    asked = {**ASKED, "precision": precision}
    alone = sledsim.response_curves(device, ["fcfs", "sptf"], RATES, **asked)
    first = sledsim.response_curves(device, ["fcfs", "sptf"], RATES, folder=tmp_path, **asked)
    simulated.clear()
    done: list[int] = []
    again = sledsim.response_curves(
        device, ["fcfs", "sptf"], RATES, folder=tmp_path, progress=done.append, **asked
    )
    assert simulated == [] and done[-1] == len(RATES) * 2 * climbing.most_replications(3, precision)
    assert equal(first, alone) and equal(again, alone)


def test_what_is_new_is_run_alone(device: sledsim.Device, tmp_path: Path, simulated: list[str]) -> None:
    sledsim.response_curves(device, ["fcfs"], [300, 600], folder=tmp_path, **ASKED)
    simulated.clear()
    both = sledsim.response_curves(device, ["fcfs", "sptf"], [300, 600], folder=tmp_path, **ASKED)
    assert set(simulated) == {"sptf"}
    assert equal(both, sledsim.response_curves(device, ["fcfs", "sptf"], [300, 600], **ASKED))
    for changes in ({"seed": 2}, {"count": 1001}, {"replications": 2}, {"confidence": 0.9}):
        simulated.clear()
        sledsim.response_curves(device, ["fcfs"], [300], folder=tmp_path, **{**ASKED, **changes})
        assert simulated, f"{changes} makes another point"
    simulated.clear()
    sledsim.response_curves(device.with_parameters(settle_ms=0.3), ["fcfs"], [300], folder=tmp_path, **ASKED)
    assert simulated


@pytest.mark.dear("programs are started and killed", every_change=True)
def test_a_precision_depends_on_which_policies_go_on_together(
    device: sledsim.Device, tmp_path: Path, simulated: list[str]
) -> None:
    asked = {**ASKED, "precision": 0.1}
    sledsim.response_curves(device, ["sptf"], [600], folder=tmp_path, **asked)
    simulated.clear()
    both = sledsim.response_curves(device, ["fcfs", "sptf"], [600], folder=tmp_path, **asked)
    assert {"fcfs", "sptf"} == set(simulated)
    assert equal(both, sledsim.response_curves(device, ["fcfs", "sptf"], [600], **asked))


def test_a_workload_of_ones_own_says_what_it_draws(device: sledsim.Device, tmp_path: Path) -> None:
    def mine(target: sledsim.Device, rate_per_s: float, seed: int) -> sledsim.Trace:
        return sledsim.random_workload(target, rate_per_s=rate_per_s, count=500, seed=seed)

    with pytest.raises(sledsim.ParameterError, match="expected draw to have an attribute 'content'"):
        sledsim.response_curves(device, "fcfs", [300], draw=mine, folder=tmp_path)
    vars(mine)["content"] = "500 requests"
    found = sledsim.response_curves(device, "fcfs", [300], draw=mine, folder=tmp_path)
    again = sledsim.response_curves(device, "fcfs", [300], draw=mine, folder=tmp_path)
    assert equal(found, again)
    assert np.isfinite(found.points[0].estimates["mean_response_s"].half_width)


@pytest.mark.dear("programs are started and killed")
def test_the_command_goes_on(cli: Cli, tmp_path: Path) -> None:
    words = ("compare", "zipf:", "--schedulers", "fcfs,sptf", "--count", "1000", "--out", tmp_path)
    first = cli(*words, "--rates", "300,600")
    assert first.returncode == 0, first.stderr
    more = cli(*words, "--rates", "300,600,900")
    assert more.returncode == 0, more.stderr
    size = (tmp_path / "curves.ledger").stat().st_size
    again = cli(*words, "--rates", "300,600,900")
    assert again.stdout == more.stdout
    assert (tmp_path / "curves.ledger").stat().st_size == size
