"""Test the prices of 003-E-10, and the powers of 003-C14."""

import dataclasses

import numpy as np
import pyarrow
import pytest

import sledsim
from sledsim.papers import Verdict
from sledsim.papers.p001 import e12_power
from sledsim.papers.p003 import e10_costs as costs, power
from sledsim.papers.p003.systems import Interval

#: Devices with a variant that has a power for each use.
BASES = ("osdi00", "hong03", "mascots03", "sigmetrics00")


def test_costs_by_hand() -> None:
    made = {one.name: one for one in costs.hierarchies(9.0, 5.0)}
    prices = costs.Prices(nvram=1000, mems=4)
    # Two sleds hold as much as the disk.
    assert [one.cost(prices) for one in made.values()] == pytest.approx([9, 137, 29, 9.512, 40])
    at = costs.sled_as_nvram(prices, 5.0)
    as_dear = costs.Prices(nvram=1000, mems=at)
    sled, nvram = made["MMD, MCD or MMCD: disk and a sled"], made["disk and 128 MB of NVRAM"]
    assert sled.cost(as_dear) == pytest.approx(nvram.cost(as_dear))
    # A speed-up of three is worth three times the cost.
    worth = costs.worth(Interval(3.0, 2.0, 0.5), 9.0, 5.0)
    assert sled.cost(costs.Prices(mems=worth.value)) == pytest.approx(3 * 9)
    assert sled.cost(costs.Prices(mems=worth.low)) == pytest.approx(2 * 9)
    assert worth.high == 0


def test_the_powers_have_the_same_ranges_in_all_devices() -> None:
    devices = [sledsim.device(f"{base}-power") for base in BASES]
    for key in power.POWERS:
        said = [device.certainty[key] for device in devices]
        assert said[0]["low"] is not None and said == [said[0]] * len(devices), key


@pytest.mark.parametrize("base", BASES)
def test_powers_of_their_own_change_energies_alone(base: str) -> None:
    flat, own = sledsim.device(base), sledsim.device(f"{base}-power")
    changed = {key for key, value in own.parameters.items() if flat.parameters[key] != value}
    assert changed <= {*power.POWERS, "actuation_exponent", "name", "description"}
    assert (
        len({own.parameters[key] for key in ("electronics_power_mw", "seek_power_mw", "inactive_power_mw")})
        == 3
    )
    trace = sledsim.random_workload(flat, rate_per_s=300, count=500, seed=3)
    runs = [sledsim.simulate(one, trace, "sptf") for one in (flat, own)]
    columns = [run.columns for run in runs]
    for name in ("start_ns", "completion_ns", "seek_x_ns", "tip_sectors"):
        np.testing.assert_array_equal(columns[0][name], columns[1][name])
    assert runs[0].summary()["energy_j"] != runs[1].summary()["energy_j"]


@pytest.mark.dear("experiments of a paper are simulated")
def test_the_least_and_the_most_that_powers_let_strategies_save() -> None:
    """All powers at their ends bracket the result of each power at its end."""
    rows = {row["changed"]: row["saved"] for row in power.over_ranges()}
    least, most = rows.pop("all, so that least is saved"), rows.pop("all, so that most is saved")
    assert len(rows) == 1 + 2 * len(power.POWERS)
    assert least < min(rows.values()) and max(rows.values()) < most


@pytest.mark.parametrize(("startup_ms", "verdict"), [(0.0, Verdict.REPRODUCED), (0.6, Verdict.CONTRADICTS)])
def test_a_restart_that_takes_longer_is_noticed(startup_ms: float, verdict: Verdict) -> None:
    """Check 001-C19, also if the mean response falls because rest is in the centre."""
    model = sledsim.device("osdi00-power", startup_ms=startup_ms)
    assert e12_power._delay(model, 100).verdict is verdict


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
def test_strategies_that_cost_time_or_save_nothing_are_not_borne_out() -> None:
    made, ranges = power.study(), [{"saved": 0.4}, {"saved": 0.7}]
    # The saving of all three is cited: no range of assumed powers can confirm it.
    found = power.decide(made, ranges)
    assert (found.verdict, found.elsewhere) == (Verdict.UNPUBLISHED, Verdict.SHAPE)
    for column, wrong in (("saved", 0.0), ("response_ratio", 1.2)):
        rows = [{**row, column: wrong} for row in made.table.to_pylist()]
        worse = dataclasses.replace(made, table=pyarrow.Table.from_pylist(rows))
        assert power.decide(worse, ranges).elsewhere is Verdict.NOT_BORNE_OUT
