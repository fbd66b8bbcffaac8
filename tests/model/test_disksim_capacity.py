"""Drives of DiskSim whose stated capacity is less than that of their zones, or more."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.model.disksim.layout import SPARINGS

from ..conftest import Cli
from ..disksim_files import Parameters, write_drive


@pytest.mark.parametrize("sparing", SPARINGS)
def test_a_capacity_below_that_of_the_zones_is_noted(
    drive: Callable[..., sledsim.results.ImportedDisk], tmp_path: Path, sparing: int
) -> None:
    """The stated number is the largest capacity that such a drive can have, with any sparing."""
    whole_tracks: Parameters = {"slips": "[]", "defects": "[]"}
    layout: dict[str, Any] = {"layout": {"Sparing scheme used": sparing}, "zones": (whole_tracks,) * 2}
    found = drive(changes={"Block count": 20_000}, **layout)
    (note,) = found.notes
    assert note.startswith("made-up.model:4: the drive has 20,000 sectors (Block count), but its zones hold")
    assert "--capacity zones" in note
    assert found.parameters["block_count"] == 20_000
    whole = sledsim.import_disksim(tmp_path / "made-up.parv", capacity="zones")
    held = whole.parameters["block_count"]
    assert f"its zones hold {held:,}:" in note and not whole.notes
    assert whole.sources["block_count"] == "made-up.model:4: total of the zones; Block count is 20000"
    assert whole.kinds["block_count"] == "derived"
    with pytest.raises(sledsim.ParameterError, match=f"the zones hold {held}"):
        whole.device().with_parameters(block_count=held + 1)
    # A drive with that capacity has no note.
    assert not drive(changes={"Block count": held}, **layout).notes


def test_a_capacity_above_that_of_the_zones_is_refused_or_theirs(
    drive: Callable[..., sledsim.results.ImportedDisk], tmp_path: Path
) -> None:
    with pytest.raises(sledsim.ParameterError, match=r"block_count = 30000: the zones hold 27585"):
        drive(changes={"Block count": 30_000})
    whole = sledsim.import_disksim(tmp_path / "made-up.parv", capacity="zones")
    assert whole.parameters["block_count"] == 27585
    with pytest.raises(sledsim.ParameterError, match="capacity = 'all': expected one of file, zones"):
        sledsim.import_disksim(tmp_path / "made-up.parv", capacity="all")


def test_the_command_says_what_the_zones_hold_and_takes_it(cli: Cli, tmp_path: Path) -> None:
    drive = write_drive(tmp_path, changes={"Block count": 20_000})
    done = cli("import", "disksim", drive, "--json")
    assert "but its zones hold 27,585" in done.stderr and "--capacity zones" in done.stderr
    assert json.loads(done.stdout)["parameters"]["block_count"] == 20_000
    done = cli("import", "disksim", drive, "--out", "whole.toml", "--capacity", "zones")
    assert done.returncode == 0 and "zones hold" not in done.stderr
    assert "block_count = 27585\n" in (tmp_path / "here" / "whole.toml").read_text()
