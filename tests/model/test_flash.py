"""The flash card: the claims of its file, its words on the command line, and its place in volumes."""

import json
import re

import numpy as np
import pytest

import sledsim
from sledsim.studies import run as run_study

from ..conftest import Cli

MS = 1e-3
CARD = "cf-card"
#: Words for parts that a card lacks; they come before "ms" or stand alone in tables.
OF_OTHERS = re.compile(
    r"\b(sleds?|tips?|seek|stroke|settle|cylinders?|revolution|position(ing)?)\b", re.IGNORECASE
)


def sector_s(probes: int, sector_bytes: int) -> float:
    """Seconds of a sector over N probes: data, an eighth of ECC, 3 bits; 40 kb/s (004-F2, F3)."""
    bits = sector_bytes * 8
    return ((bits + -(-bits // 8)) / probes + 3) / 40e3


def test_the_latency_is_what_the_paper_leaves() -> None:
    """M-20-BP responds 13 % slower than the card on the ext3-4K trace (004-C12)."""
    # Figures 3 and 4, the same trace: 83 ms with 64 probes, 24 ms with 256; sectors of 512 bytes.
    sectors = (83 * MS - 24 * MS) / (sector_s(64, 512) - sector_s(256, 512))
    seek_s = 24 * MS - sectors * sector_s(256, 512)
    assert (sectors, seek_s / MS) == (pytest.approx(43.7, abs=0.05), pytest.approx(1.056, abs=5e-4))
    row_s = sector_s(4096, 4096)
    # Whole sectors of 4 KB, or one more that is covered in part.
    card_s = [(rows * row_s + seek_s) / 1.13 for rows in (sectors / 8, sectors / 8 + 1)]
    card = sledsim.device(CARD)
    transfer_s = sectors * 512 / card.characteristics()["read_bytes_per_s"]
    least_s, most_s = (response_s - transfer_s for response_s in card_s)
    assert (least_s / MS, most_s / MS) == (pytest.approx(0.15, abs=5e-3), pytest.approx(0.41, abs=5e-3))
    p = card.parameters
    for latency_ms in (p["read_latency_ms"], p["write_latency_ms"]):
        assert least_s / MS < latency_ms < latency_ms + p["wake_ms"] < most_s / MS


def test_a_run_takes_the_times_of_the_data_sheet() -> None:
    card = sledsim.device(CARD, erase_block_kib=128)
    c = card.characteristics()
    assert c["erase_blocks"] == 16384
    for write, apart, expected in ((False, 1, "mean_access_4k_s"), (True, 1024, "mean_write_4k_s")):
        lbn = np.arange(50) * 8 * apart
        trace = sledsim.Trace(np.zeros(50, np.int64), lbn, np.full(50, 8, np.int32), op=np.full(50, write))
        columns = sledsim.simulate(card, trace, "fcfs").columns
        took_s = (columns["completion_ns"] - columns["start_ns"])[10:] * 1e-9
        assert took_s == pytest.approx(c[expected], abs=2e-9)
    in_order = sledsim.Trace(
        np.zeros(512, np.int64), np.arange(512) * 64, np.full(512, 64, np.int32), op=np.ones(512, bool)
    )
    columns = sledsim.simulate(card, in_order, "fcfs").columns
    latency_s = 512 * card.parameters["write_latency_ms"] * MS
    rate = 512 * 64 * 512 / (columns["completion_ns"].max() * 1e-9 - latency_s)
    assert rate == pytest.approx(c["write_bytes_per_s"], rel=1e-6)


def test_blocks_lie_in_erase_blocks() -> None:
    places = sledsim.device(CARD, erase_block_kib=128).locate([[0, 255], [256, 1000]])
    assert places["erase_block"].tolist() == [[0, 0], [1, 3]]
    assert places["slot"].tolist() == [[0, 255], [0, 232]]
    with pytest.raises(sledsim.ParameterError, match="erase_block_kib = 0"):
        sledsim.device(CARD).locate(0)
    with pytest.raises(sledsim.ParameterError, match="LBN 4194304: expected a number from 0 to 4194303"):
        sledsim.device(CARD, erase_block_kib=128).locate(4194304)


def test_a_card_has_no_sled() -> None:
    card = sledsim.device(CARD)
    assert card.kind == "flash" and sledsim.devices("flash").keys() == {CARD}
    with pytest.raises(sledsim.ParameterError, match=r"seek_x_s needs a device of the kind mems.*kind flash"):
        card.seek_x_s(0.0, 1e-6)
    with pytest.raises(sledsim.ParameterError, match=r"study of a sled.*found cf-card of the kind flash"):
        run_study("data-sheet", card)
    with pytest.raises(sledsim.ParameterError, match="inactive_after_ms = -1: must be a number from 0"):
        card.with_parameters(inactive_after_ms=-1)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_output_describes_a_card(cli: Cli) -> None:
    shown = cli("show", CARD).stdout
    assert all(word in shown for word in ("from the paper: ", "calibrated: ", "assumed: ", "read rate"))
    ran = cli("run", "demo", "--device", CARD)
    assert ran.returncode == 0
    for text in (re.sub(r"MEMS devices?", "", shown), ran.stdout):
        assert not OF_OTHERS.findall(text)
    assert "mean positioning" in cli("run", "demo").stdout
    summary = json.loads(cli("run", "demo", "--device", CARD, "--json").stdout)
    assert summary["mean_positioning_s"] == 0 < summary["mean_service_s"]


@pytest.mark.parametrize("name", [CARD, "osdi00"])
def test_a_comparison_has_a_column_for_what_moves(name: str) -> None:
    printed = sledsim.compare(sledsim.device(name), sledsim.demo_trace(), "fcfs")._repr_html_()
    assert "Service ms" in printed and ("Position ms" in printed) == (name != CARD)


@pytest.mark.parametrize("settings", [{"disk": CARD, "mems.sleds": 1}, {"mems": CARD}])
@pytest.mark.parametrize("name", ["mmd", "mcd", "mmcd"])
def test_a_card_replaces_either_device_of_a_volume(name: str, settings: dict[str, object]) -> None:
    trace = sledsim.demo_trace()
    run = sledsim.simulate(sledsim.volume(name, **settings), trace, "sptf")
    assert {row["device"] for row in run.devices} == {"disk", "mems"}
    assert np.all(run.transfers.response_ns > 0)
    again = run.again()
    assert all(np.array_equal(again.columns[key], column) for key, column in run.columns.items())
