"""Shared fixtures: a device, a workload, and the command line as a user types it."""

import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import settings

import sledsim
from sledsim import papers
from sledsim.cli import program
from sledsim.model import own_classes

from . import tiers
from .browsing import browser, end_browser, opened, violations  # noqa: F401
from .costs import Meter, collects_whole_tests, read

# Modules that pytest loads, such as readline, may set a width of 80 in the environment of new processes.
os.unsetenv("COLUMNS")

Cli = Callable[..., subprocess.CompletedProcess[str]]

#: Profile of `make test-long`: fifty times the 100 examples of an ordinary run.
settings.register_profile("long", max_examples=5000, deadline=None)
#: All other runs try the same examples each time, however long a busy machine takes for an example.
settings.register_profile("every change", deadline=None, derandomize=True)
settings.load_profile("every change")


def often(usual: int) -> settings:
    """Set the number of examples of a slow property; a profile of more than 100 has proportionally more."""
    return settings(max_examples=usual * settings.default.max_examples // 100, deadline=None)


def is_long() -> bool:
    """True if `make test-long` is running; known when tests are collected."""
    return settings.default.max_examples > 100


def repeated(usual: int) -> int:
    """Return the number of repeats of a statistical experiment; 400 in a long run."""
    return 400 if is_long() else usual


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sledsim")
    group.addoption("--every-change", action="store_true", help="Leave out dear tests, as `make test` does.")
    group.addoption("--costs", type=Path, metavar="FILE", help="Keep the CPU time of each test in a file.")


def pytest_configure(config: pytest.Config) -> None:
    file = config.getoption("--costs")
    if file is not None:
        if not file.absolute().parent.is_dir():
            raise pytest.UsageError(f"--costs {file}: no folder {file.parent}")
        read(file)
        config.pluginmanager.register(Meter(file, writes=not hasattr(config, "workerinput")))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tiers.check(items, are_whole=collects_whole_tests(config))
    config.stash[tiers.COLLECTED] = list(items)
    if config.getoption("--every-change"):
        items[:], left = tiers.split(items)
        config.hook.pytest_deselected(items=left)
    items[:] = tiers.ordered(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """End the browser between two tests, so that neither is charged for it."""
    done = yield
    end_browser(nextitem)
    return done


#: Schedulers that tests register stay registered.
BUILT_IN_SCHEDULERS = list(sledsim.schedulers())

DISKSIM_LINES = """\
0.000000 0 1000 8 1
1.500000 0 5000000 8 0
1.500000 0 64 16 1
4.250000 0 1008 8 0
"""


@pytest.fixture(scope="session")
def device() -> sledsim.Device:
    return sledsim.device("osdi00")


@pytest.fixture(scope="session")
def workload(device: sledsim.Device) -> sledsim.Trace:
    return sledsim.random_workload(device, rate_per_s=900, count=2000, seed=7)


@pytest.fixture(scope="session")
def run(device: sledsim.Device, workload: sledsim.Trace) -> sledsim.Run:
    return sledsim.simulate(device, workload, scheduler="sptf")


@pytest.fixture(scope="session")
def quick_chapter() -> Callable[[str], papers.Chapter]:
    """Run an experiment in its quick form, once."""
    return functools.cache(lambda name: papers.run(name, quick=True))


@pytest.fixture(scope="session")
def chapters(quick_chapter: Callable[[str], papers.Chapter]) -> list[papers.Chapter]:
    """Run every experiment in its quick form, which takes minutes."""
    return [quick_chapter(row.id) for row in papers.EXPERIMENTS]


@pytest.fixture
def trace_file(tmp_path: Path) -> Path:
    path = tmp_path / "small.trace"
    path.write_text(DISKSIM_LINES)
    return path


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Change to an empty folder for commands."""
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


@pytest.fixture
def cli(here: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run ``sledsim`` with these words in an empty folder, and capture its output as text.

    The command runs in the process of the test. It differs from a separate program only in the start, which
    takes longer than most commands.
    """

    def call(*words: str | Path) -> subprocess.CompletedProcess[str]:
        with monkeypatch.context() as patch:
            patch.chdir(here)
            patch.setattr(sys, "argv", ["sledsim", *map(str, words)])
            patch.setattr(own_classes, "_LOADED", {})
            status, *said = caught(program.run)
        return subprocess.CompletedProcess(sys.argv, status, *said)

    return call


def caught(run: Callable[[], int]) -> tuple[int, str, str]:
    """Return status, output and errors of a command; output that bypasses Python is captured, too."""
    sys.stdout.flush()
    sys.stderr.flush()
    outer = [os.dup(number) for number in range(3)]
    names = ("stdin", "stdout", "stderr")
    streams = [getattr(sys, name) for name in names]
    with Path(os.devnull).open() as nothing, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            for number, file in enumerate((nothing, out, err)):
                os.dup2(file.fileno(), number)
                opened = os.fdopen(os.dup(number), "w" if number else "r", encoding="utf-8", newline="\n")
                setattr(sys, names[number], opened)
            try:
                status = run() or 0
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else int(end.code is not None)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            for number, (name, stream) in enumerate(zip(names, streams, strict=True)):
                getattr(sys, name).close()
                setattr(sys, name, stream)
                os.dup2(outer[number], number)
                os.close(outer[number])
        out.seek(0)
        err.seek(0)
        return status, out.read().decode(), err.read().decode()


@pytest.fixture
def spawned(here: Path) -> Cli:
    """Run ``sledsim`` as `cli` does, in a process of its own."""
    command = Path(sys.executable).with_name("sledsim")

    def call(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [command, *words], cwd=here, capture_output=True, text=True, timeout=900, check=False
        )

    return call


@pytest.fixture
def complete(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return the shell's completions of a line."""

    def offered(line: str) -> str:
        monkeypatch.setenv("_SLEDSIM_COMPLETE", "complete_fish")
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
        return cli().stdout

    return offered


def leftovers(folder: Path) -> list[str]:
    """Return the names of all files below a folder, hidden files included."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file())
