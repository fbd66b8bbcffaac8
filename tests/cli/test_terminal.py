"""Names with control characters: output shows them, and the terminal obeys none of them."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import sledsim
from sledsim.cli.terminal import seen

from ..conftest import Cli

#: Sequences that clear the screen, set the title of the window or reverse the text; also in C1.
HOSTILE = "a\x1b[2Jb\x1b]0;mine\x07c\x9b31md\u202ee"
SHOWN = r"a\x1b[2Jb\x1b]0;mine\x07c\x9b31md\u202ee"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write a device and a trace with hostile names."""
    (tmp_path / "device.toml").write_text(f'extends = "osdi00"\nname = {json.dumps(HOSTILE)}\n')
    (tmp_path / f"{HOSTILE}.trace").write_text("0.0 0 0 8 1\n1.0 0 64 8 0\n")
    (tmp_path / "wrong.trace").write_text(f"0.0 0 0 8 1\n{HOSTILE} 0 64 8 0\n")
    (tmp_path / "wrong.toml").write_text(f'extends = "osdi00"\n"{json.dumps(HOSTILE)[1:-1]}" = 1\n')
    return tmp_path


COMMANDS = {
    "show device.toml": 0,
    "run random:rate=100,count=50 -d device.toml": 0,
    f"run {HOSTILE}.trace": 0,
    "study data-sheet -d device.toml": 0,
    "run wrong.trace --format disksim": 1,
    "show wrong.toml": 2,
    f"show osdi00 --set {HOSTILE}=1": 2,
    f"run demo -s {HOSTILE}": 2,
    f"run {HOSTILE}:rate=1": 1,
    f"{HOSTILE} demo": 2,
    f"run demo --{HOSTILE}": 2,
    f"show {HOSTILE}.toml": 1,
    f"trace info {HOSTILE}.trace": 0,
    # The names appear in the charts.
    f"compare {HOSTILE}.trace -d device.toml --schedulers fcfs --out compared": 0,
}
#: Name of the case that draws.
DRAWS = "compare NAME.trace -d device.toml --schedulers fcfs --out compared"


def words(command: str, files: Path) -> list[str]:
    return [str(files / word) if (files / word).is_file() else word for word in command.split(" ")]


@pytest.mark.dear("commands simulate and draw", cases=DRAWS)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.replace(HOSTILE, "NAME"))
def test_nothing_that_is_printed_is_a_command(cli: Cli, files: Path, command: str) -> None:
    done = cli(*words(command, files))
    assert done.returncode == COMMANDS[command], done.stderr
    printed = done.stdout + done.stderr
    assert not [c for c in printed if (c in HOSTILE and not c.isascii()) or (c < " " and c != "\n")]
    assert r"\x1b" in printed.replace(r"\u{1b}", r"\x1b")


def test_nothing_is_left_out(cli: Cli, files: Path) -> None:
    """A bell or a carriage return is part of a name like any other character."""
    name = "a\x07b\rc\x08d"
    (files / "bell.toml").write_text(f'extends = "osdi00"\nname = {json.dumps(name)}\n')
    shown = cli("show", files / "bell.toml").stdout
    error = cli("run", f"{name}.trace").stderr
    assert r"a\x07b\rc\x08d" in shown and r"a\x07b\rc\x08d.trace: No such file" in error


@pytest.mark.dear("commands simulate and draw")
def test_a_terminal_gets_colours_and_no_other_commands(files: Path) -> None:
    """If stderr is a terminal, it gets a progress bar and red errors."""
    controller, terminal = pty.openpty()
    program = Path(sys.executable).with_name("sledsim")
    command = [program, "run", "wrong.trace", "--format", "disksim"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    subprocess.run(command, cwd=files, stderr=terminal, stdout=terminal, check=False, env=environment)
    os.close(terminal)
    printed = b""
    while chunk := _read(controller):
        printed += chunk
    os.close(controller)
    assert b"\x1b[1;31merror:" in printed
    for wrong in (b"\x1b[2J", b"\x1b]0;", b"\x07", b"\xc2\x9b"):
        assert wrong not in printed
    assert rb"\x1b[2Jb" in printed


def _read(controller: int) -> bytes:
    try:
        return os.read(controller, 1 << 16)
    except OSError:  # The terminal closes.
        return b""


def test_a_name_out_of_a_result_is_shown(files: Path, cli: Cli) -> None:
    device = sledsim.device(files / "device.toml")
    trace = sledsim.random_workload(device, rate_per_s=10, count=10)
    run = sledsim.simulate(device, trace)
    run.write(files / "run.parquet")
    again = sledsim.read_run(files / "run.parquet").settings.parameters
    assert again["name"] == HOSTILE, "a name is kept unchanged; only the printed form differs"
    assert SHOWN in cli("show", files / "device.toml").stdout


def test_control_characters_are_escaped_and_others_shown() -> None:
    assert seen(HOSTILE) == SHOWN
    assert seen("Zürich\t中文 \U0001f6f7\n") == "Zürich\t中文 \U0001f6f7\n"
    assert seen("\r\x00\x7f\udc80\u2028") == r"\r\x00\x7f\udc80\u2028"
