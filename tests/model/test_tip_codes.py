"""Codes over tips against an independent Reed-Solomon code, and the places of tips (001-F21, F22)."""

import itertools
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim import studies
from sledsim.model.tip_codes import most_hits

from ..conftest import often

reedsolo = pytest.importorskip("reedsolo")


def block(code: sledsim.tips.TipCode, seed: int) -> bytes:
    return np.random.default_rng(seed).bytes(code.block_bytes)


@pytest.mark.parametrize(("data_tips", "check_tips", "sector_bytes"), [(64, 4, 8), (64, 0, 8), (200, 55, 3)])
def test_the_checks_are_those_of_reedsolo(data_tips: int, check_tips: int, sector_bytes: int) -> None:
    code = sledsim.tips.tip_code(data_tips, check_tips, sector_bytes, "none", "none")
    sectors = code.encode(block(code, 1))
    assert sectors.shape == (data_tips + check_tips, sector_bytes)
    oracle = reedsolo.RSCodec(check_tips)
    for byte in range(sector_bytes):
        expected = oracle.encode(bytes(sectors[:data_tips, byte])) if check_tips else sectors[:, byte]
        assert bytes(sectors[:, byte]) == bytes(expected)


@pytest.mark.dear("many losses of data are simulated", every_change=True)
@given(damage=st.data(), check_tips=st.integers(1, 8), seed=st.integers(0, 2**32))
@often(150)
def test_what_reedsolo_corrects_is_corrected_and_nothing_else(
    damage: Any, check_tips: int, seed: int
) -> None:
    """Errors and erasures up to one tip beyond the power of the code."""
    code = sledsim.tips.tip_code(20, check_tips, 1, "none", "none")
    data = block(code, seed)
    missing = damage.draw(st.sets(st.integers(0, code.tips - 1), max_size=check_tips))
    others = sorted(set(range(code.tips)) - missing)
    most = (check_tips - len(missing)) // 2
    wrong = damage.draw(st.sets(st.sampled_from(others), max_size=most + 1))
    sectors = code.encode(data)
    for tip in wrong:
        sectors[tip] ^= damage.draw(st.integers(1, 255))
    found = code.decode(sectors, missing)
    sectors[sorted(missing)] = 0
    try:
        decoded, _, _ = reedsolo.RSCodec(check_tips).decode(bytes(sectors[:, 0]), erase_pos=sorted(missing))
        # Beyond the power of the code the library may return another codeword; sledsim reports a loss.
        assert found.data == bytes(decoded) or (found.lost and len(wrong) > most)
    except reedsolo.ReedSolomonError:
        assert found.lost
    if len(wrong) <= most:
        assert found.data == data
        assert set(found.wrong) == wrong


@pytest.mark.dear("many losses of data are simulated", every_change=True)
def test_every_one_and_two_tips_of_a_block_of_osdi00() -> None:
    code = sledsim.tips.tip_code(64, 2, 8, "crc16")
    data = block(code, 3)
    whole = code.encode(data)
    for tips in itertools.combinations(range(code.tips), 2):
        dead = whole.copy()
        dead[list(tips)] = 0
        # A dead tip need not be reported: zeroes have a wrong check.
        assert code.decode(dead) == sledsim.results.DecodedBlock(data, tips, ())
        assert code.decode(whole, tips[:1]).data == data


@pytest.mark.dear("many losses of data are simulated")
def test_damage_beyond_the_code_is_reported() -> None:
    code = sledsim.tips.tip_code(64, 2, 8, "crc16")
    assert code.correctable == [(0, 1), (1, 0), (2, 0)]
    trial = code.trial(missing=3, patterns=500)
    assert trial == {"patterns": 500, "recovered": 0, "lost": 500, "silent": 0}
    # A check of 8 bits accepts 1 of 256; then two tips are wrong, and only one is known.
    weak = sledsim.tips.tip_code(64, 2, 8, "crc8").trial(wrong=2, patterns=20_000)
    assert weak["recovered"] + weak["lost"] + weak["silent"] == 20_000
    assert weak["lost"] / 20_000 == pytest.approx(2 / 256, rel=0.3)
    assert weak["silent"] == 0


def test_the_check_of_a_block_is_crc32c_in_a_tip_of_its_own() -> None:
    code = sledsim.tips.tip_code(16, 2, 8, "none")
    assert (code.tips, code.block_bytes) == (19, 128)
    # 32 zeroes, as iSCSI gives them (RFC 3720).
    sectors = sledsim.tips.tip_code(4, 2, 8, "none").encode(bytes(32))
    assert bytes(sectors[4]) == bytes([0xAA, 0x36, 0x91, 0x8A, 0, 0, 0, 0])
    sectors = code.encode(block(code, 5))
    sectors[16] ^= 1
    found = code.decode(sectors)
    assert found.data == block(code, 5) and found.wrong == (16,), "the check itself is protected, too"
    assert sledsim.tips.tip_code(4, 2, 3, "none").tips == 4 + 2 + 2, "4 bytes need two tip sectors of 3"
    assert set(sledsim.listings.block_checks()) == {"none", "crc32c"}


@given(missing=st.integers(0, 4), seed=st.integers(0, 2**32))
@often(40)
def test_beyond_its_power_no_loss_is_silent(missing: int, seed: int) -> None:
    """An error in one tip more than the number of checks is detected, without vertical checks."""
    patterns = 100
    without = sledsim.tips.tip_code(20, 4, 4, "none", "none").trial(missing, 5 - missing, patterns, seed)
    code = sledsim.tips.tip_code(20, 4, 4, "none")
    assert code.trial(missing, 5 - missing, patterns, seed)["silent"] == 0
    # If the horizontal code has no check tip left, its result is trusted.
    assert without["silent"] == (patterns if missing == 4 else 0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"data_tips": 252}, "check_tips = 4 with data_tips = 252"),
        (
            {"data_tips": 251},
            "data_tips = 251 and 1 tips of block_check: a Reed-Solomon code of bytes covers at most 255 tips",
        ),
        ({"block_check": "crc32"}, 'unknown block_check "crc32": did you mean "crc32c"'),
        ({"detection": "crc61"}, 'unknown detection "crc61": did you mean "crc16"'),
        ({"sector_bytes": 0}, "expected at least 1 for both values"),
    ],
)
def test_codes_that_cannot_be(options: dict[str, Any], words: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=re.escape(words)):
        sledsim.tips.tip_code(**options)


def test_impossible_blocks_are_refused() -> None:
    code = sledsim.tips.tip_code(block_check="none")
    with pytest.raises(sledsim.ParameterError, match="expected 512 bytes, the size of a block, found 3"):
        code.encode(b"abc")
    sectors = code.encode(bytes(512))
    with pytest.raises(sledsim.ParameterError, match="erased: expected tips from 0 to 67, found 68"):
        code.decode(sectors, [68])
    with pytest.raises(sledsim.ParameterError, match="expected 68 tip sectors"):
        code.decode(sectors[:60])


@pytest.mark.parametrize(("blocks", "tips_per_block"), [(100, 64), (100, 68), (50, 64), (12, 10)])
def test_a_spread_block_is_hit_once_by_a_defect(blocks: int, tips_per_block: int) -> None:
    placement = sledsim.tips.tip_placement(blocks, tips_per_block)
    assert sorted(placement.tips.ravel()) == list(range(blocks * tips_per_block))
    rows, columns = np.divmod(placement.tips.astype(int), placement.columns)
    apart = np.hypot(rows[:, :, None] - rows[:, None, :], columns[:, :, None] - columns[:, None, :])
    apart[:, np.arange(tips_per_block), np.arange(tips_per_block)] = np.inf
    assert apart.min() == pytest.approx(placement.distance)
    assert placement.distance <= placement.distance_bound
    reach = placement.harmless_defect_tips
    lines = [range(tip, tip + reach) for tip in range(0, placement.tips.size - reach, 7)]
    inside = [line for line in lines if line[0] // placement.columns == line[-1] // placement.columns]
    assert max(most_hits(placement, inside)) <= 1


def test_defects_of_four_tips_are_harmless_on_osdi00() -> None:
    for tips_per_block in (64, 65, 66, 68):
        assert sledsim.tips.tip_placement(100, tips_per_block).harmless_defect_tips >= 4
    assert sledsim.tips.tip_placement(100, 68, spread=False).harmless_defect_tips == 1


def test_the_study_of_codes_keeps_its_promise() -> None:
    checked = {"detection": "crc16", "block_check": "crc32c"}
    table = studies.run(
        "error-correction", sledsim.device("osdi00"), check_tips=2, count=300, **checked
    ).table
    for row in table.to_pylist():
        assert row["silent"] == 0
        assert row["correctable"] != "yes" or row["recovered"] == row["patterns"] == 300
        assert row["correctable"] != "no" or row["lost"] == 300
    assert {row["correctable"] for row in table.to_pylist()} == {"yes", "no", "if detected"}


@pytest.mark.dear("many losses of data are simulated", every_change=True)
def test_the_study_of_codes_shows_what_a_block_check_costs_and_finds() -> None:
    device = sledsim.device("osdi00")
    options = {"check_tips": 2, "count": 300, "detection": "none"}
    found = {
        check: studies.run("error-correction", device, block_check=check, **options).table.to_pylist()
        for check in ("none", "crc32c")
    }
    assert [rows[0]["block_tips"] for rows in found.values()] == [66, 67]
    assert [rows[0]["overhead"] for rows in found.values()] == pytest.approx([2 / 64, 3 / 64])
    # Two missing, one overwritten: no check tip is left.
    silent = {check: sum(row["silent"] for row in rows) for check, rows in found.items()}
    assert silent == {"none": 300, "crc32c": 0}


def test_the_study_of_placement() -> None:
    rows = studies.run("tip-spread", sledsim.device("osdi00"), count=300).table.to_pylist()
    adjacent, spread = rows[:6], rows[6:]
    assert all(row["hits_max"] == 1 and row["share_twice"] == 0 for row in spread[:4])
    assert adjacent[3]["hits_max"] > 1 and adjacent[3]["share_twice"] > 0.5
    # Two neighbours stand in one row, and so nearly always under one block, as often as in one column.
    assert adjacent[1]["share_twice"] == pytest.approx(0.5 * 67 / 68, abs=0.1)
