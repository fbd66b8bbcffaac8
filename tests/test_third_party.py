"""The template of a package in examples/third-party, installed into a clean environment."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_path

import pytest

import sledsim

EXAMPLE = Path(__file__).parents[1] / "examples" / "third-party"
Said = Callable[..., str]


def install_words(prefix: Path) -> list[str]:
    """Return the Python command that installs the package in the current folder, without any network."""
    try:
        before_wheels = int(version("setuptools").partition(".")[0]) < 71
    except PackageNotFoundError:
        pytest.skip("setuptools, which the template names as its build system, is not installed")
    if find_spec("pip") and (find_spec("wheel") or not before_wheels):
        words = "-m pip install --quiet --no-deps --no-index --no-build-isolation --ignore-installed ."
        return [*words.split(), "--prefix", str(prefix)]
    # The build backend has the entry points of pyproject.toml, too, and needs no tool to make a wheel.
    setup = "from setuptools import setup; setup()"
    words = "-q install --single-version-externally-managed --record installed.txt"
    return ["-c", setup, *words.split(), "--prefix", str(prefix)]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Said:
    """Run sledsim in an environment that has it and the template, and assert success."""
    folder = tmp_path_factory.mktemp("third")
    clean, source = folder / "clean", folder / "source"
    shutil.copytree(EXAMPLE, source)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clean], check=True)
    subprocess.run([sys.executable, *install_words(clean)], cwd=source, check=True, capture_output=True)
    python = clean / "bin" / "python"
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    assert list(Path(site).glob("sledsim_example*")), "the template is in the clean environment"
    # Sledsim and its dependencies come from the environment of this test.
    places = [get_path("purelib"), get_path("platlib"), str(Path(sledsim.__file__).parents[1])]
    lines = [f"import site; site.addsitedir({place!r})" for place in dict.fromkeys(places)]
    (Path(site) / "above.pth").write_text("\n".join(lines) + "\n")

    def run(*words: str) -> str:
        done = subprocess.run(
            [python, "-m", "sledsim", *words], capture_output=True, text=True, check=False, cwd=folder
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.dear("a package is installed, and commands start", every_change=True)
def test_the_listings_have_all_of_it(said: Said) -> None:
    devices, schedulers, formats = (
        json.loads(said("list", kind, "--json")) for kind in ("devices", "schedulers", "formats")
    )
    studies = {row["name"]: row for row in json.loads(said("list", "studies", "--json"))}
    for found in (
        devices["belt"]["description"],
        schedulers["oldest-near"]["description"],
        formats["lines"],
        studies["stroke-times"]["description"],
    ):
        assert found.endswith("(from sledsim-example)")
    assert schedulers["oldest-near"]["options"]["depth"]["default"] == "8"
    words = " ".join(said("--help").replace("│", " ").split())
    assert "longest Print the requests with the longest response times (from sledsim-example)" in words


@pytest.mark.dear("a package is installed, and commands start")
def test_all_of_it_does_what_is_asked_of_its_kind(said: Said) -> None:
    assert json.loads(said("check-device", "belt", "--json"))["passed"]
    work = "random:rate=20,count=100"
    run = said("run", work, "--device", "belt", "--scheduler", "oldest-near:depth=4+deadline", "--json")
    assert json.loads(run)["requests"] == 100
    said("trace", "convert", work, "-o", "drawn.lines.gz")
    said("trace", "convert", "drawn.lines.gz", "-o", "back.parquet")
    read, drawn = (
        json.loads(said("trace", "info", text, "--json"))["overall"] for text in ("back.parquet", work)
    )
    assert read["arrivals"]["all"]["seconds"]["count"] == 99
    assert read["transfers"] == drawn["transfers"]
    assert len(json.loads(said("study", "stroke-times", "-O", "points=3", "--json"))["rows"]) == 3
    assert said("longest", "demo", "--count", "2").count("ms") == 2
    assert json.loads(said("list", "turns", "quick", "--json")) == {"quick": "A turn in 10 ms"}


@pytest.mark.dear("a package is installed, and commands start")
def test_names_are_completed(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SLEDSIM_COMPLETE", "complete_bash")
    for typed, name in (
        ("run -d bel", "belt"),
        ("run -s oldest", "oldest-near"),
        ("longes", "longest"),
        ("list tur", "turns"),
    ):
        monkeypatch.setenv("COMP_WORDS", f"sledsim {typed}")
        monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
        assert said().split() == [name]
