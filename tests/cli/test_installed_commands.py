"""Commands of installed packages that do more than print."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..common.test_packages import write

POOL = """
import multiprocessing
from pathlib import Path

Path("begun").open("a").write("x")

def square(number):
    return number * number

def squares(count: int) -> None:
    '''Square numbers in processes.'''
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(*pool.map(square, range(count)))
"""


@pytest.mark.dear("a program and its processes are started", every_change=True)
@pytest.mark.parametrize("program", [["-m", "sledsim"], [Path(sys.executable).with_name("sledsim")]])
def test_a_command_may_start_processes(tmp_path: Path, program: list[str | Path]) -> None:
    """Each process imports the command once, and no process starts the program again."""
    write(tmp_path, "added-pool", {"commands": {"squares": "added_pool:squares"}}, added_pool=POOL)
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, *program, "squares", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=env)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 1 4 9\n", "")
    assert len((tmp_path / "begun").read_text()) <= 3
