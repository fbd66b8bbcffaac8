"""Every command in a block of the documentation runs, or a row names the reason and the replacement."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import sledsim

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]
#: Pages whose commands have tests of their own, line by line.
OF_THEIR_OWN = {
    "README.md": "test_docs_first_steps.py",
    "docs/how-to/faults.md": "test_docs_faults.py",
    "docs/how-to/perfetto.md": "test_docs_perfetto.py",
    "docs/how-to/reports.md": "test_docs_reports.py",
    "docs/how-to/sweeps.md": "test_docs_studies.py",
    "docs/how-to/uncertainty.md": "test_docs_studies.py",
    "docs/reference/volumes.md": "test_docs_volumes.py",
    "docs/tutorials/exercises.md": "test_docs_exercises.py",
    "docs/tutorials/first-hour.md": "test_docs_first_steps.py",
    "docs/tutorials/studies.md": "test_docs_studies.py",
}


class Smaller(NamedTuple):
    """A smaller command in the place of a documented one, which would take long.

    Attributes:
        part: Regular expression of the replaced part.
        instead: The replacement.
        reason: Reason of the replacement.
    """

    part: str
    instead: str
    reason: str


SMALLER = [
    Smaller(r"count=1000000", "count=20000", "a run longer than memory takes a minute"),
    Smaller(
        r"--schedulers all --rates \S+", "--schedulers fcfs,sptf --rates 900:1000:100 --count 500", "hours"
    ),
    Smaller(r"--rates 50:300:50", "--rates 100:150:50 --count 500", "minutes"),
    Smaller(r"--budget \d+", "--budget 4", "minutes"),
    Smaller(r"^(sledsim paper run) 002-E-1", r"\1 002-E-1 --quick", "an experiment in full takes a minute"),
    Smaller(r"^(sledsim paper run) 002-C5 003", r"\1 002-C5 003-E-4 --quick", "a paper takes minutes"),
    Smaller(r"-- fio .*", "-- true", "fio is seldom there: tests/emulator/test_programs.py runs it"),
    Smaller(r"^(sledsim serve (?!.* -- ).*)$", r"\1 -- true", "it serves until it is ended"),
]
_LONG = "it takes long; a test runs a part: "
_PROGRAMS = "it needs programs that are seldom there; a test that skips without them runs it: "
#: Beginnings of commands that are not run here, and the reasons.
NOT_RUN = {
    "make parameters": "it writes pages of the checkout: tests/docs/test_docs_reference.py compares this one",
    "make live": "tests/live/conftest.py builds the module and the page",
    "rustup target add ": "the machine's own Rust is changed",
    "docker ": "a container has to be built; CONTRIBUTING.md says that it has not been",
    "pip install ": ".ci/release-check installs the wheel",
    "python -m sledsim.papers.record ": "it needs traces that are not in the repository",
    "sledsim certify ": "it needs a record of real requests: tests/emulator/test_programs.py",
    "sledsim crash ": f"{_PROGRAMS}tests/emulator/test_crash.py",
    "sledsim import ": "it needs a parameter file of a drive: tests/cli/test_cli_import.py writes some",
    "sledsim paper perturb ": f"{_LONG}tests/cli/test_cli_paper.py",
    "sledsim paper robustness": f"{_LONG}tests/papers/test_robustness.py",
    "sledsim paper run all": f"{_LONG}tests/papers/test_papers.py runs every experiment",
    "sledsim paper run 000-E-5 --traces ": "it needs traces that are not in the repository",
    "sledsim paper run 003-E-3 --traces ": "it needs traces that are not in the repository",
    "sledsim serve osdi00 --size 1M --cache volatile": f"{_PROGRAMS}tests/emulator/test_programs.py",
    "sledsim serve osdi00 --size 32M": f"{_PROGRAMS}tests/emulator/test_crash.py",
    "sledsim show drive.toml": "the file comes from 'sledsim import'",
    "sledsim study validate ": "it needs a measured trace of the drive: tests/runs/test_validation.py",
    "mkfs.ext4 ": f"{_PROGRAMS}tests/emulator/test_crash.py",
    "sledsim view ": "the page has to be built: tests/live/test_view.py",
    "truncate ": f"{_PROGRAMS}tests/emulator/test_crash.py",
    "tr ": f"{_PROGRAMS}tests/emulator/test_crash.py",
}


def blocks(page: str, language: str) -> Iterator[str]:
    """Yield the contents of blocks of a language; in lists they are indented."""
    found = re.findall(rf"```(?:{language})\n(.*?)\n *```", (ROOT / page).read_text(), re.DOTALL)
    yield from (re.sub(r"(?m)^   (?=\S)", "", block) for block in found)


def commands(page: str) -> list[str]:
    """Yield the commands of a page in their order, without comments."""
    lines = [
        re.sub(r"\s+# .*", "", line).strip()
        for block in blocks(page, "sh|shell")
        for line in block.replace("\\\n", " ").splitlines()
    ]
    return [line for line in lines if line]


def not_run(command: str) -> bool:
    return any(command.startswith(begin) for begin in NOT_RUN)


def is_run(page: str) -> bool:
    return page not in OF_THEIR_OWN and any(not not_run(command) for command in commands(page))


def prepare(page: str, folder: Path) -> None:
    """Write the files that the commands of a page use: those that the page shows, and a reader's own."""
    for content in blocks(page, "toml"):
        name = re.match(r"# (\S+\.toml)\b", content)
        (folder / (name[1] if name else "space.toml")).write_text(f"{content}\n")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "mine.toml").write_text('extends = "osdi00"\n')
    sledsim.write_trace(sledsim.demo_trace().rows(slice(0, 300)), folder / "my.trace", "spc")


@pytest.mark.dear("commands of a page run as its reader types them", every_change="docs/how-to/install.md")
@pytest.mark.parametrize("page", [page for page in PAGES if is_run(page)])
def test_the_commands_of_a_page_run_in_their_order(page: str, tmp_path: Path) -> None:
    prepare(page, tmp_path)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in (one for one in commands(page) if not not_run(one)):
        typed = command
        for one in SMALLER:
            typed = re.sub(one.part, one.instead, typed)
        done = subprocess.run(
            typed,
            shell=True,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": path},
        )
        assert done.returncode == 0, (typed, done.stderr)


def test_a_page_of_its_own_test_is_named_there() -> None:
    for page, test in OF_THEIR_OWN.items():
        text = (Path(__file__).parent / test).read_text()
        assert Path(page).name in text, (page, test)
        assert commands(page), page


def test_every_exception_is_of_a_command_and_says_what_runs_instead() -> None:
    every = [command for page in PAGES for command in commands(page)]
    for begin, reason in NOT_RUN.items():
        assert any(command.startswith(begin) for command in every), begin
        for name in re.findall(r"tests/[\w/]+\.py", reason):
            assert (ROOT / name).is_file(), name
    for one in SMALLER:
        assert any(re.search(one.part, command) for command in every), one
