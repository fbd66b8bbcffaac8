"""The same blocks twice: read-modify-write, alone and in sequence."""

import pytest

import sledsim
from sledsim import studies

from .test_device_studies import MS, rows


def test_read_modify_write(device: sledsim.Device) -> None:
    table = studies.read_modify_write(device)
    for operation in ("read-modify-write", "verify-after-write"):
        small, large = rows(table, operation=operation, device="osdi00")
        parts = ("first_s", "reposition_s", "second_s", "total_s")
        assert [small[key] / MS for key in parts] == pytest.approx([0.13, 0.07, 0.13, 0.33], abs=0.005)
        # 001-C15: the printed total is the sum of rounded parts.
        assert [large[key] / MS for key in parts[:3]] == pytest.approx([2.19, 0.07, 2.19], abs=0.005)
        assert large["total_s"] / MS == pytest.approx(4.45, abs=0.015)


def test_the_disk_beside_it_waits_for_a_rotation(device: sledsim.Device) -> None:
    turn_s = sledsim.device("atlas10k").characteristics()["revolution_s"]
    small, large = rows(studies.read_modify_write(device), operation="read-modify-write", device="atlas10k")
    for row, blocks in ((small, 8), (large, 334)):
        # From the start of the read to that of the write the disk turns once (001-C16).
        assert row["first_s"] + row["reposition_s"] == pytest.approx(turn_s)
        assert row["second_s"] == row["first_s"] == pytest.approx(turn_s * blocks / 334)
    # At random places tracks are as long, or shorter.
    assert 0.9 * small["reposition_s"] < small["mean_reposition_s"] <= small["reposition_s"]
    longer = studies.read_modify_write(device, blocks=[335])
    assert set(longer["device"].to_pylist()) == {"osdi00"}, "no track of the disk holds as much"


def test_a_fixed_direction_has_to_go_back(device: sledsim.Device) -> None:
    table = studies.read_modify_write(device.with_parameters(access_mode="parity"), blocks=[8])
    back_s = table["reposition_s"][0].as_py()
    bits_m = 45 * 40e-9
    assert back_s == pytest.approx(device.seek_y_s(bits_m, 1, -bits_m, 1))
    assert back_s > 2 * device.turnaround_s(0, 1)


@pytest.mark.dear("every study of the device runs", every_change="parity")
@pytest.mark.parametrize("mode", ["bidirectional", "parity"])
def test_a_write_of_a_part_of_a_block_takes_its_read_in_the_study(mode: str) -> None:
    """A row of emsoft08 is one block of 8 sectors: by hand, each pass over it and each way back."""
    device = sledsim.device("emsoft08", access_mode=mode)
    shape = device.characteristics()
    row_s = float(shape["row_s"])
    half_m = 0.5 * row_s * device.parameters["access_velocity_mm_per_s"] * 1e-3
    back_s = device.turnaround_s(0, 1) if mode == "bidirectional" else device.seek_y_s(half_m, 1, -half_m, 1)
    table = studies.read_modify_write(device, blocks=[1, 8], count=2)
    for row in rows(table, device="emsoft08"):
        is_part = row["blocks"] < 8
        reads_first = row["operation"] == "read-modify-write"
        once_s, twice_s = row_s, 2 * row_s + back_s if is_part else row_s
        expected = (once_s, back_s, twice_s) if reads_first else (twice_s, back_s, once_s)
        found = [row[key] for key in ("first_s", "reposition_s", "second_s")]
        # Rows end half a row from the centre, where turning round takes a little less or more.
        assert found == pytest.approx(expected, rel=0.01), row
        assert row["total_s"] == pytest.approx(sum(found))
    # The simulation of pairs one after the other agrees: it counts the same passes.
    (pairs,) = rows(
        studies.read_modify_write_sequence(device, blocks=[1], access_modes=[mode], count=50),
        device="emsoft08",
        operation="read-modify-write",
        order="each pair before the next",
    )
    (alone, _) = rows(table, device="emsoft08", blocks=1)
    assert alone["total_s"] <= pairs["operation_s"] <= alone["total_s"] + 3 * back_s + row_s


def test_read_modify_write_in_sequence(device: sledsim.Device) -> None:
    table = studies.read_modify_write_sequence(device, blocks=[20, 540])
    turn_s, row_s = device.turnaround_s(0, 1), float(device.characteristics()["row_s"])
    for operation in ("read-modify-write", "verify-after-write"):
        for size in (20, 540):
            for drive in ("bidirectional", "serpentine"):
                found = rows(table, operation=operation, blocks=size, drive=drive)
                once, pairs, twice = (row["operation_s"] for row in found)
                assert [row["factor"] for row in found] == pytest.approx([1, pairs / once, twice / once])
                # Between the two passes there is only one seek back: 1 ms over 500 requests.
                assert twice == pytest.approx(2 * once, rel=2e-3)
                if size == 20:
                    # A row that was passed twice has to be passed once more to reach the next one.
                    assert pairs / once == pytest.approx(3.785, abs=5e-4), "3.8 in docs/reference/studies.md"
                elif drive == "bidirectional":
                    # A sled that has written a whole track backwards is at the beginning of the next one.
                    assert pairs == pytest.approx(twice, rel=0.01)
                else:
                    # Tracks are crossed in turn, up and down: the sled returns to the beginning of the track.
                    assert 1.05 * twice < pairs < 1.1 * twice
                assert pairs > 2 * (size // 20) * row_s + turn_s
    _, pairs, _ = rows(table, operation="read-modify-write", blocks=20, drive="without cache")
    revolution_s = sledsim.device("atlas10k").characteristics()["revolution_s"]
    # A disk waits for the blocks that it read; the blocks that it reads next follow directly (001-C16).
    assert pairs["operation_s"] == pytest.approx(revolution_s * (1 + 20 / 334), rel=0.05)
    assert pairs["reposition_share"] > 0.85
    cached = rows(table, operation="read-modify-write", blocks=20, drive="with cache")
    assert [row["reposition_share"] for row in cached] == [None] * 3 and cached[1]["factor"] > 4


def test_in_sequence_there_is_a_place_for_all(device: sledsim.Device) -> None:
    with pytest.raises(sledsim.ParameterError, match="expected requests that fit on osdi00"):
        studies.read_modify_write_sequence(device, blocks=[500], count=20_000)
    with pytest.raises(sledsim.ParameterError, match="access_mode"):
        studies.read_modify_write_sequence(device, access_modes=["sideways"])
