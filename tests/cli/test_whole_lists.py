"""Lists of many items: a text says how many it leaves out, and JSON has all."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.common.grids import some
from sledsim.traces.tools import select_devices
from tests.conftest import Cli

DEVICES = 17


@pytest.fixture
def name(tmp_path: Path) -> str:
    """Name of a trace of 17 devices, of which device n has n + 1 requests, and of 26 devices."""
    for devices in (DEVICES, 26):
        lines = [
            f"{at * 1000 + device},{device},{'RW'[at % 2]},{at * 4096},4096\n"
            for device in range(devices)
            for at in range(device + 1)
        ]
        path = tmp_path / "here" / f"of{devices}.csv"
        path.write_text("time_us,device,op,offset,size\n" + "".join(lines))
    return f"of{DEVICES}.csv"


def test_a_text_says_how_many_it_leaves_out() -> None:
    assert some(["a", "b"], 2) == ["a", "b"]
    assert some([*"abcdefg"], 2) == ["a", "b", "and 5 more"]


@pytest.mark.dear("commands are run")
def test_a_run_sums_up_the_devices_that_it_leaves_out(cli: Cli, name: str) -> None:
    text = cli("run", name).stdout
    rows = re.findall(r"^\W*(device \d+|and 5 more) +([\d,]+) ", text, re.MULTILINE)
    assert [row[0] for row in rows] == [*(f"device {at}" for at in range(5, DEVICES)), "and 5 more"]
    assert sum(int(count) for _, count in rows) == DEVICES * (DEVICES + 1) // 2
    parts = json.loads(cli("run", name, "--json").stdout)["parts"]
    counts = [part["requests"] for part in parts if part["by"] == "device"]
    assert counts == [*range(1, DEVICES + 1)]


@pytest.mark.dear("commands are run")
def test_the_statistics_sum_up_the_devices_that_they_leave_out(cli: Cli, name: str) -> None:
    text = cli("trace", "info", name).stdout.split("Devices, the busiest first")[1]
    assert "more" not in text and len(re.findall(r"^\W*\d+ +\d+ ", text, re.MULTILINE)) == DEVICES
    text = cli("trace", "info", "of26.csv").stdout.split("Devices, the busiest first")[1]
    (left,) = re.findall(r"and 6 more +(\d+) ", text)
    assert int(left) == sum(range(1, 7))
    assert len(json.loads(cli("trace", "info", "of26.csv", "--json").stdout)["devices"]) == 26


def test_an_error_says_how_many_devices_it_does_not_name() -> None:
    devices = np.arange(60, dtype=np.int32)
    trace = sledsim.Trace(devices * 10, devices * 8, np.full(60, 8), device=devices)
    with pytest.raises(sledsim.ParameterError, match=r"which has 0, 1, .*, and \d+ more"):
        select_devices(trace, "99")


def test_a_notebook_says_how_many_notes_it_leaves_out() -> None:
    notes = tuple(f"note {at}" for at in range(20))
    trace = sledsim.Trace([0], [0], [8], notes=notes)
    assert "and 12 more" in trace._repr_html_()
