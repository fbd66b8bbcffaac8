"""The energy of requests: Eq 6 of 004 by hand for random requests, beside the ledger of a run.

Requests come one at a time, so far apart that none waits, and in the order of arrival. The energies of
sledsim follow from phases in whole nanoseconds: half of one, at the power of that phase, is the tolerance.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import sledsim

from ..recomputed import OSDI00, SECTOR, Access, Ints, Sled, mobile

COUNT = 300
APART_NS = 2_000_000_000


@dataclasses.dataclass(frozen=True)
class Powers:
    """Powers in watts."""

    seek: float
    tip: float
    hold: float
    """Of the actuators at full force."""
    exponent: int
    electronics: float


MOBILE = Powers(seek=0.120, tip=0.25e-3, hold=0.120, exponent=2, electronics=5e-3)
"""004 Table 1; electronics and the exponent as `sledsim show emsoft08` names them (004-D5, D7)."""
ASSUMED = Powers(seek=0.050, tip=1e-3, hold=0.050, exponent=0, electronics=0.050)
"""What `sledsim show osdi00` says it assumes."""


def drawn(sled: Sled, most: int, seed: int) -> tuple[Ints, Ints]:
    """First sectors of 512 bytes and numbers of sectors, anywhere on the device."""
    rng = np.random.default_rng(seed)
    sectors = rng.integers(1, most + 1, COUNT)
    return rng.integers(0, sled.blocks * sled.block_bytes // SECTOR - most, COUNT), sectors


def accesses(sled: Sled, lbn: Ints, sectors: Ints) -> list[Access]:
    """Accesses one after the other, each from the end of the last one."""
    unit = sled.block_bytes // SECTOR
    at, found = sled.park, []
    for first, count in zip(lbn.tolist(), sectors.tolist(), strict=True):
        block = first // unit
        found.append(sled.access(at, block, (first + count - 1) // unit - block + 1))
        at = found[-1].after
    return found


def holding(sled: Sled, powers: Powers, access: Access) -> float:
    """Joules to hold the sled against its springs while rows pass: Eq 6, with the force of 004-F10."""
    force = [
        sled.spring_factor * abs(float(sled.x_of(cylinder))) / (sled.stroke / 2)
        for cylinder, _, _ in access.pieces
    ]
    rows = [high - low + 1 for _, low, high in access.pieces]
    return powers.hold * sum(f**powers.exponent * n for f, n in zip(force, rows, strict=True)) * sled.row_time


def compare(sled: Sled, powers: Powers, device: sledsim.Device, most: int, all_tips: bool, seed: int) -> None:
    lbn, sectors = drawn(sled, most, seed)
    own = accesses(sled, lbn, sectors)
    arrival = np.arange(COUNT, dtype=np.int64) * APART_NS
    run = sledsim.simulate(device, sledsim.Trace(arrival, lbn, sectors.astype(np.int32)), "fcfs")
    ledger = run.columns
    unit = sled.block_bytes // SECTOR
    blocks = (lbn + sectors - 1) // unit - lbn // unit + 1
    rows = np.array([access.rows for access in own])
    np.testing.assert_array_equal(ledger["rows"], rows)

    # Eqs 5 and 6: time without reading or writing is seeking; only waiting for the sled to settle is not.
    positioning = np.array([access.positioning for access in own])
    switches = np.array([access.switches for access in own])
    settling = np.array([access.settling_only for access in own])
    transfer = rows * sled.row_time
    on = rows * sled.active if all_tips else blocks * sled.block_tips
    force = np.array([sled.spring_factor * abs(access.after.x) / (sled.stroke / 2) for access in own])
    within = np.array([access.pieces[0][0] == access.pieces[-1][0] for access in own])
    assert within.sum() > 0.9 * COUNT

    # Joules, watts, and the number of rounded phases.
    between = np.array([len(access.between) for access in own])
    hold = powers.hold * force**powers.exponent
    phases_of: dict[str, tuple[Any, Any, Any]] = {
        "seek_j": (powers.seek * (positioning - settling + switches), powers.seek, 2 + between),
        "settle_j": (hold * settling, hold, 2),
        "actuation_j": (np.array([holding(sled, powers, access) for access in own]), hold, 1),
        "tips_j": (powers.tip * on * sled.row_time, 0.0, 0),
        "electronics_j": (
            powers.electronics * (positioning + switches + transfer),
            powers.electronics,
            2 + between,
        ),
    }
    for use, (joules, watts, phases) in phases_of.items():
        off = np.abs(ledger[use] - joules)
        allowed = 1e-12 * joules + 0.5e-9 * watts * phases
        assert np.all((off <= allowed)[within]), (use, float(off[within].max()))
    uses = np.sum([ledger[use] for use in phases_of], axis=0)
    np.testing.assert_allclose(ledger["energy_j"], uses, rtol=1e-12)


FORMATS = [(4096, 1, 4096), (2048, 16, 2048), (256, 8, 512), (64, 1, 512)]


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize("form", FORMATS, ids=lambda form: "x".join(map(str, form)))
def test_requests_to_four_formats_take_what_eq_6_says(form: tuple[int, int, int]) -> None:
    """004-F6, Eq 6, with all active probes on (004-F12); requests that stay on one cylinder."""
    device = sledsim.device("emsoft08", format="x".join(map(str, form)), power_policy="always-on")
    compare(mobile(*form), MOBILE, device, 64, True, 1)


def test_requests_to_osdi00_take_the_tips_that_they_want() -> None:
    """001-F4: tips of unwanted blocks are off; the sled settles at the power of holding it."""
    compare(OSDI00, ASSUMED, sledsim.device("osdi00", bus_mb_per_s=0.0), 128, False, 2)


@pytest.mark.parametrize("name", ["emsoft08", "osdi00"])
def test_waiting_takes_electronics_and_holding_the_sled(name: str) -> None:
    """004-F15, D7 and D5: the sled is held at the end of the last access, by the force of the springs.

    The first arrival begins the account; each idle time begins and ends on a whole nanosecond.
    """
    if name == "emsoft08":
        sled, powers, device = mobile(4096, 1, 4096), MOBILE, sledsim.device(name, power_policy="always-on")
    else:
        sled, powers = OSDI00, dataclasses.replace(ASSUMED, exponent=2)
        device = sledsim.device(name, bus_mb_per_s=0.0, actuation_exponent=2.0)
    lbn, sectors = drawn(sled, 20, 5)
    arrival = np.cumsum(np.random.default_rng(5).integers(50_000_000, 500_000_000, COUNT))
    run = sledsim.simulate(device, sledsim.Trace(arrival, lbn, sectors.astype(np.int32)), "fcfs")
    force = [0.0] + [
        sled.spring_factor * abs(access.after.x) / (sled.stroke / 2)
        for access in accesses(sled, lbn, sectors)
    ]
    watts = powers.hold * np.array(force[:-1]) ** powers.exponent + powers.electronics
    since = np.concatenate([arrival[:1], run.columns["completion_ns"][:-1]])
    own = float(np.sum(watts * (run.columns["start_ns"] - since))) * 1e-9
    assert run.energy_by_use_j["idle"] == pytest.approx(own, rel=1e-12)
    assert run.summary()["energy_j"] == pytest.approx(sum(run.energy_by_use_j.values()), rel=1e-12)


def test_a_request_over_cylinders_is_held_on_each_of_them() -> None:
    """004-F10, Eq 6: holding the sled takes the power at the place of the passing rows."""
    sled = mobile(4096, 1, 4096)
    device = sledsim.device("emsoft08", power_policy="always-on")
    cylinders, per_cylinder = 125, sled.rows * sled.block_bytes // SECTOR
    trace = sledsim.Trace(
        np.zeros(1, dtype=np.int64),
        np.array([sled.cylinders // 2 * per_cylinder]),
        np.array([cylinders * per_cylinder], dtype=np.int32),
    )
    found = float(sledsim.simulate(device, trace, "fcfs").columns["actuation_j"][0])
    force = (
        sled.spring_factor * np.abs(sled.x_of(sled.cylinders // 2 + np.arange(cylinders))) / (sled.stroke / 2)
    )
    own = MOBILE.hold * float(np.sum(force**MOBILE.exponent)) * sled.rows * sled.row_time
    assert found == pytest.approx(own, rel=1e-9)
