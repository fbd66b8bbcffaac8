"""Classes of devices by name: in commands, in volumes, in other processes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sledsim

pytestmark = pytest.mark.registers_seek_models

BELT = """
from dataclasses import dataclass

import sledsim


@dataclass
class NAME:
    '''A belt'''

    turn_ms: float = sledsim.extend.parameter(TURN, "Time of a turn", low=1, high=100)
    blocks: int = 1000

    def positioning_s(self, now_s, request):
        return self.turn_ms * 1e-3

    def serve(self, now_s, request):
        return {"positioning_s": self.turn_ms * 1e-3}

    def characteristics(self):
        return {"turns_a_second": 1e3 / self.turn_ms}
"""
TRACE = {"arrival_ns": [0, 10**9], "lbn": [0, 8], "blocks": [8, 8]}


def belt(folder: Path, name: str, turn_ms: float = 20.0, file: str = "belts.py") -> str:
    """Write a file with a class of that name, and return the name for sledsim."""
    folder.mkdir(exist_ok=True)
    (folder / file).write_text(BELT.replace("NAME", name).replace("TURN", str(turn_ms)))
    return f"{folder / file}:{name}"


def mean_ms(device: sledsim.Device | sledsim.Volume) -> float:
    """Return the mean response of requests that do not wait."""
    run = sledsim.simulate(device, sledsim.Trace.from_columns(TRACE), scheduler="fcfs")
    return 1e3 * float(run.summary()["mean_response_s"])


def said(*words: str, folder: Path) -> tuple[int, str, str]:
    """Return exit status, stdout and stderr of a command, in a process without registered classes."""
    done = subprocess.run(
        [sys.executable, "-m", "sledsim", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "COLUMNS": "160"},
    )
    return done.returncode, done.stdout, done.stderr


def test_a_class_is_named_by_its_file(tmp_path: Path) -> None:
    device = sledsim.device(belt(tmp_path, "NamedBelt"), turn_ms=30)
    assert (device.kind, device.parameters["turn_ms"]) == ("named-belt", 30)
    for text, what in (
        (f"{tmp_path}/belts.py:NamdeBelt", r"expected a class of .*; it has the dataclasses NamedBelt"),
        (f"{tmp_path}/belts.py", r"expected a class in the file, as .*belts\.py:Class"),
        (f"{tmp_path}/belts.py:", r"expected a class in the file, as .*belts\.py:Class"),
        ("no_such_module:Belt", "found no module no_such_module"),
        ("..belts:Belt", r"found no module \.\.belts"),
        (
            belt(tmp_path / "disk", "Disk"),
            "expected a class of another name: the name disk belongs to a built-in device",
        ),
    ):
        with pytest.raises(sledsim.ParameterError, match=what):
            sledsim.device(text)
    with pytest.raises(OSError, match="no such file"):
        sledsim.device(f"{tmp_path / 'none.py'}:Tape")


def test_a_file_may_be_called_as_a_module_is(tmp_path: Path) -> None:
    assert sledsim.device(belt(tmp_path, "JsonBelt", file="json.py")).kind == "json-belt"
    assert sys.modules["json"] is json, "a file takes the place of no module"


def test_a_class_is_named_by_its_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    belt(tmp_path, "ModuleBelt", file="belts_of_a_module.py")
    monkeypatch.syspath_prepend(tmp_path)
    assert sledsim.device("belts_of_a_module:ModuleBelt").kind == "module-belt"
    sys.modules.pop("belts_of_a_module")


def test_a_file_imports_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "turns_beside_it.py").write_text("TURN_MS = 40.0\n")
    text = belt(tmp_path, "BesideBelt")
    file = tmp_path / "belts.py"
    file.write_text("from turns_beside_it import TURN_MS\n" + file.read_text().replace("20.0", "TURN_MS"))
    assert sledsim.device(text).parameters["turn_ms"] == 40.0


def test_a_class_of_another_file_takes_no_place(tmp_path: Path) -> None:
    first = sledsim.device(belt(tmp_path / "one", "TwiceBelt", 20))
    with pytest.raises(
        sledsim.ParameterError, match=r"the name twice-belt belongs to .*belts\.py:TwiceBelt already"
    ):
        sledsim.device(belt(tmp_path / "other", "TwiceBelt", 60))
    assert mean_ms(sledsim.Device.from_parameters(first.parameters)) == pytest.approx(20)


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    assert sledsim.device(belt(tmp_path, "ChangedBelt", 20)).parameters["turn_ms"] == 20
    text = belt(tmp_path, "ChangedBelt", 60)
    os.utime(tmp_path / "belts.py", (2e9, 2e9))
    assert sledsim.device(text).parameters["turn_ms"] == 60


def test_members_of_volumes_are_classes(tmp_path: Path) -> None:
    text = belt(tmp_path, "MemberBelt")
    assert mean_ms(sledsim.volume("mirror", device=text)) == pytest.approx(20)
    assert mean_ms(sledsim.volume(f"raid0:devices=2,device={text}")) == pytest.approx(20)
    assert mean_ms(sledsim.volume("mirror", device=[text, {"device": text, "turn_ms": 40}])) >= 20
    inner = {"volume": "mirror", "device": text}
    assert mean_ms(sledsim.volume("stripe", devices=2, device=inner)) == pytest.approx(20)


@pytest.mark.dear("a device or policy in Python serves every request")
def test_commands_take_classes(tmp_path: Path) -> None:
    text = belt(tmp_path, "ShownBelt", file="a belt.py")
    status, shown, error = said("show", text, folder=tmp_path)
    assert (status, error) == (0, "")
    assert "Bytes on the device" in shown and "turns a second" in shown
    work = "random:rate=5,count=20"
    status, _, error = said("run", work, "-d", text, "-V", "mirror", folder=tmp_path)
    assert status == 0, error
    other = belt(tmp_path / "other", "ShownBelt")
    status, _, error = said("compare", work, "-d", text, "-d", other, folder=tmp_path)
    assert status == 2 and "expected a class of another name" in error


@pytest.mark.dear("a program is started", every_change=True)
@pytest.mark.parametrize(
    ("before", "begins", "ends"),
    [
        ("class (:\n", '  File "', "SyntaxError: "),
        ("import no_such_module\n", "Traceback (most recent call last):\n  File", "'no_such_module'"),
        ("1 / 0\n", "Traceback (most recent call last):\n  File", "ZeroDivisionError: division by zero"),
    ],
)
def test_errors_of_importing_are_shown_unchanged(before: str, begins: str, ends: str, tmp_path: Path) -> None:
    text = belt(tmp_path, "RaisingBelt")
    file = tmp_path / "belts.py"
    file.write_text(before + file.read_text())
    status, _, error = said("show", text, folder=tmp_path)
    assert status == 1 and error.startswith(begins) and ends in error.splitlines()[-1]
    assert "belts.py" in error.splitlines()[begins.count("\n")] and "program.py" not in error


@pytest.mark.dear("a device or policy in Python serves every request")
def test_what_a_method_raises_is_shown_from_there(tmp_path: Path) -> None:
    text = belt(tmp_path, "FailingBelt")
    file = tmp_path / "belts.py"
    file.write_text(file.read_text().replace("1e3 / self.turn_ms", "1e3 / 0"))
    status, _, error = said("show", text, folder=tmp_path)
    assert status == 1 and "in characteristics" in error.splitlines()[1]


@pytest.mark.dear("a device or policy in Python serves every request")
def test_a_study_names_the_kind_of_a_class(tmp_path: Path) -> None:
    text = belt(tmp_path, "StudiedBelt")
    for name in (text, "studied-belt"):
        (tmp_path / "asked.toml").write_text(
            f'workloads = ["random:rate=5,count=20"]\ndevices = ["{name}"]\n'
        )
        status, _, error = said("--register", text, "compare", "asked.toml", folder=tmp_path)
        assert (status == 0) == (name == "studied-belt"), error
        assert name != text or "register the class with sledsim --register" in " ".join(error.split())


@pytest.mark.dear("a device or policy in Python serves every request")
def test_results_and_files_know_a_kind_that_is_registered(tmp_path: Path) -> None:
    text = belt(tmp_path, "KnownBelt")
    (tmp_path / "mine.toml").write_text('extends = "known-belt"\nturn_ms = 50\n')
    status, _, error = said(
        *("--register", text, "run", "random:rate=5,count=20", "-d", "mine.toml", "--out", "run.parquet"),
        folder=tmp_path,
    )
    assert status == 0, error
    status, _, error = said("explain", "run.parquet", "3", folder=tmp_path)
    assert status == 1 and "'sledsim --register FILE.py:CLASS ...'" in error and "Traceback" not in error
    status, told, error = said("--register", text, "explain", "run.parquet", "3", folder=tmp_path)
    assert status == 0 and "positioning" in told, error
    status, _, error = said("--register", "belts.py", "devices", folder=tmp_path)
    assert status == 2 and "belts.py: expected module:Name or file.py:Name" in error
    run = sledsim.read_run(tmp_path / "run.parquet")
    assert run.device_name == "mine"
    with pytest.raises(
        sledsim.ParameterError,
        match=r"known-belt.*first register this kind by sledsim",
    ):
        run.again()


@pytest.mark.dear("a device or policy in Python serves every request")
def test_other_processes_load_classes(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    status, _, error = said(
        *("sweep", "random:rate=5,count=200", "-d", belt(tmp_path, "SweptBelt"), "--over", "turn_ms=20,40"),
        *("--out", "study", "--on", "local:1"),
        folder=tmp_path,
    )
    assert status == 0, error
