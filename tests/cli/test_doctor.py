"""``sledsim doctor``: present parts, missing parts, and how to add them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.cli import doctor_findings
from sledsim.cli.commands import doctor
from sledsim.cli.doctor_findings import Finding
from sledsim.common.toml import tomllib

from ..conftest import Cli

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


def names(requirements: list[str]) -> set[str]:
    return {one.partition(">")[0] for one in requirements if "python_version" not in one}


def test_all_is_well_here(cli: Cli) -> None:
    done = cli("doctor")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert lines[:2] == ["sledsim", f"  ✓ sledsim: {sledsim.__version__}"]
    assert any(line.startswith("  ✓ self-check (the demo trace gives the known result)") for line in lines)
    assert not any(line.startswith("  ✗") for line in lines)


def test_as_json_each_thing_says_what_it_is_for_and_what_to_do(cli: Cli) -> None:
    said = json.loads(cli("doctor", "--json").stdout)
    assert said["is_ok"] is True and said["terminal"]["is_terminal"] is False
    rows = {row["name"]: row for row in said["findings"]}
    for packages, _ in doctor_findings.EXTRAS.values():
        assert rows.keys() >= set(packages)
    assert all((row["found"] is None) == bool(row["remedy"]) for row in rows.values())


def test_the_packages_are_those_of_the_project() -> None:
    extras = {name: set(packages) for name, (packages, _) in doctor_findings.EXTRAS.items()}
    asked = {name: names(given) for name, given in PROJECT["optional-dependencies"].items()}
    assert extras == {name: given for name, given in asked.items() if name in extras}
    assert asked["all"] == {f"sledsim[{','.join(extras)}]"}
    assert set(doctor_findings.BASE) == names(PROJECT["dependencies"])


@pytest.mark.dear("commands simulate and draw")
def test_what_is_not_there_is_no_error_and_says_how_to_have_it() -> None:
    code = (
        "from sledsim.cli import findings, main; findings.EXTRAS = {'plot': (('no-such',), 'plots')}; main()"
    )
    environment = {**os.environ, "PATH": "/nowhere", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-c", code, "doctor"], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "  o no-such (plots): missing: pip install 'sledsim[plot]'\n" in done.stdout
    if hasattr(sledsim._native, "DeviceServer"):
        assert "  o fio (load for a served device): missing: apt install fio" in done.stdout


def _raise() -> str:
    raise RuntimeError("of a kind")


@pytest.mark.parametrize(
    ("simulate", "said"),
    [
        (lambda: "0" * 16, "expected the digest 5f3c"),
        (_raise, "the demo failed with RuntimeError: of a kind"),
    ],
)
def test_a_result_that_is_not_the_known_one_is_an_error(
    simulate: Any, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor_findings, "_demo", simulate)
    with pytest.raises(doctor.typer.Exit) as ended:
        doctor.doctor()
    assert ended.value.exit_code == 1
    assert f"  ✗ self-check (the demo trace gives the known result): wrong: {said}" in capsys.readouterr().out


def test_a_missing_package_that_all_needs_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_findings, "BASE", ("no-such",))
    (broken,) = [one for one in doctor_findings.findings() if one.is_broken]
    assert (broken.name, broken.remedy) == ("no-such", "pip install --force-reinstall no-such")


def test_the_module_of_the_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> Finding:
        return doctor_findings._module(tmp_path, tmp_path / "loaded")

    monkeypatch.setattr(doctor_findings.platform, "release", lambda: "6.1")
    assert "this kernel has no module nbd" in found().remedy
    (tmp_path / "6.1").mkdir()
    (tmp_path / "6.1" / "modules.dep").write_text("kernel/drivers/block/nbd.ko.xz:\n")
    assert (found().found, found().remedy) == (None, "modprobe nbd, as root")
    (tmp_path / "loaded").mkdir()
    assert found().found == "loaded"


@pytest.mark.skipif(not hasattr(sledsim._native, "DeviceServer"), reason="it is of Linux")
def test_the_priority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, 0))
    status = tmp_path / "status"
    status.write_text("CapEff:\t0000000000800000\n")
    assert doctor_findings._priority(status).found == "CAP_SYS_NICE"
    status.write_text("CapEff:\t0000000000000000\n")
    assert doctor_findings._priority(status).found is None
    monkeypatch.setattr(resource, "getrlimit", lambda _: (50, 50))
    assert doctor_findings._priority(status).found == "up to 50"
