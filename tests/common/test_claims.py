"""The register of a command's files: its costs (``cli/test_paths.py`` tries its refusals)."""

import sys
from pathlib import Path
from statistics import median

from sledsim.common.command_files import Claim, Register


def test_a_file_costs_as_much_among_many_as_among_few(tmp_path: Path) -> None:
    """A folder of traces has thousands of files, and a report may write a file for each."""
    register, calls, costs = Register(), 0, []

    def count(_frame: object, event: str, _about: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    for folder in ("members", "tables"):
        register.claim(Claim(f"--{folder}", tmp_path / folder, True, has_files=folder == "members"))
    for at in range(60):
        before = calls
        sys.setprofile(count)
        register.read(tmp_path / f"{at:03}.csv")
        register.claim(Claim("--out", tmp_path / f"{at:03}.html", True))
        register.check_written(tmp_path / "tables" / f"{at:03}.csv")
        sys.setprofile(None)
        costs.append(calls - before)
    assert median(costs[30:]) == median(costs[:30])
