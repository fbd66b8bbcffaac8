"""Metadata of the package: one version, one URL, links that work without the files."""

import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.common.toml import tomllib

from .about import LINKS, MADE, PACKAGE, ROOT, URL, VERSION, made

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CRATES = [tomllib.loads(path.read_text())["package"] for path in sorted(ROOT.glob("crates/*/Cargo.toml"))]
#: Texts of an index, where the other files of the repository are missing.
READMES = [ROOT / "python/README.md", *sorted(ROOT.glob("crates/*/README.md"))]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def yaml_of(path: Path) -> dict[Any, Any]:
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with distributed")
    found = yaml.safe_load(path.read_text())
    assert isinstance(found, dict)
    return found


def test_what_says_version_or_url_is_made_from_cargo_toml() -> None:
    stale = [path.relative_to(ROOT).as_posix() for path, text, wanted in made() if text != wanted]
    assert stale == [], "not what Cargo.toml says: make about"


def test_a_stale_file_is_named() -> None:
    code = "import sys, tests.about as about; about.VERSION = '9.9.9'; sys.exit(about.main(['--check']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    stale = [line.partition(": not what Cargo.toml says: make about")[0] for line in done.stdout.splitlines()]
    bundled = "crates/sledsim/src/workload/generators/fitted/demo.toml"
    assert stale == ["Cargo.toml", "CITATION.cff", bundled]


def test_there_is_one_version() -> None:
    assert sledsim.__version__ == VERSION
    assert PROJECT["dynamic"] == ["version"] and "version" not in PROJECT
    assert all(crate["version"] == {"workspace": True} for crate in CRATES)
    heading = re.search(r"(?m)^## (\S+) - (unreleased|\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text())
    assert heading and heading[1] == VERSION, "the newest version of the change log"


def test_the_url_stands_in_one_place() -> None:
    """The URL of the project is written in Cargo.toml only, and copied from there."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    host = URL.partition("://")[2].partition("/")[0]
    texts = [ROOT / name for name in names.splitlines() if not name.startswith(("tests/", "crates/"))]
    found = {
        path.relative_to(ROOT).as_posix()
        for path in texts
        if path.suffix in {".md", ".toml", ".cff", ".yml", ""} and host in path.read_text(errors="replace")
    }
    assert found <= MADE.keys()


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.parent.name)
def test_a_readme_survives_an_index(path: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", path.read_text())
    assert all(link.startswith("https://") for link in links)
    for link in (link for link in links if link.startswith(URL)):
        place = re.fullmatch(rf"{URL}/(?:blob|raw)/v{VERSION}/([^#]+)(#.*)?", link)
        assert place and (ROOT / place[1]).is_file(), link
    assert "<img" not in path.read_text()


def test_the_metadata_names_authors_license_and_links() -> None:
    assert PROJECT["readme"] == "python/README.md"
    assert PROJECT["urls"] == LINKS
    assert [author["name"] for author in PROJECT["authors"]] == PACKAGE["authors"]
    assert PROJECT["license"] == PACKAGE["license"]
    assert len(PROJECT["keywords"]) >= 5
    assert not any("Windows" in classifier for classifier in PROJECT["classifiers"])


@pytest.mark.parametrize("crate", CRATES, ids=lambda crate: crate["name"])
def test_a_crate_says_what_crates_io_asks_for(crate: dict[str, Any]) -> None:
    folder = ROOT / "crates" / crate["name"]
    assert crate["description"] and (folder / crate["readme"]).is_file()
    inherited = ("license", "repository", "authors", "rust-version", "edition")
    assert all(crate[key] == {"workspace": True} for key in inherited)
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert (folder / name).read_text() == (ROOT / name).read_text()
    if crate.get("publish", True):
        assert 1 <= len(crate["keywords"]) <= 5 and 1 <= len(crate["categories"]) <= 5


def test_the_project_can_be_cited() -> None:
    cited = yaml_of(ROOT / "CITATION.cff")
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "type", "authors", "abstract"} <= cited.keys()
    assert (cited["version"], cited["repository-code"]) == (VERSION, URL)
    assert [author["name"] for author in cited["authors"]] == PACKAGE["authors"]
    assert cited["license"] == PACKAGE["license"].split(" OR ")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_is_one_and_says_that_it_is_untried(path: Path) -> None:
    workflow = yaml_of(path)
    # YAML reads the key `on` as true.
    assert {"name", True, "permissions", "jobs"} <= workflow.keys()
    assert "untried" in path.read_text().splitlines()[0]
    for job in workflow["jobs"].values():
        assert job["runs-on"] and all({"uses", "run"} & step.keys() for step in job["steps"])
        rows = job.get("strategy", {}).get("matrix", {}).get("include", [])
        assert all(row["may_fail"] is row["os"].startswith("windows") for row in rows)


def test_nothing_is_published_unless_somebody_says_so() -> None:
    assert [path.stem for path in WORKFLOWS] == ["nightly", "tests", "wheels"]
    publish = yaml_of(ROOT / ".github/workflows/wheels.yml")["jobs"]["publish"]
    assert "vars.PUBLISH == 'true'" in publish["if"]
    assert publish["permissions"] == {"id-token": "write"}
    assert "secrets." not in "".join(path.read_text() for path in WORKFLOWS)


def test_the_container_runs_the_command() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert 'ENTRYPOINT ["sledsim"]' in text and "untried" in text.splitlines()[0]
    assert f"FROM rust:{PACKAGE['rust-version']}-" in text, "the oldest Rust that the crates build with"


@pytest.mark.skipif(shutil.which("cargo") is None, reason="no Rust: see https://rustup.rs")
def test_the_extension_and_the_tests_share_one_build_of_the_core() -> None:
    """Dependencies of the core have the same features in both builds, with the features that tests need."""

    def features(*words: str) -> set[str]:
        asked = ["cargo", "tree", "--quiet", "--offline", "--prefix", "none", "--format", "{p}|{f}", *words]
        listed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return {line.removesuffix(" (*)") for line in listed.splitlines()}

    built = features("--package", "sledsim-py", "--features", "as-tested", "--edges", "normal,build")
    tested = features("--workspace", "--features", "sledsim-py/as-tested", "--edges", "normal,build,dev")
    assert len(built) > 50 and built - tested == set(), "give as-tested of sledsim-py what is missing"


def test_properties_draw_as_many_cases_as_their_blocks_say() -> None:
    """PROPTEST_CASES replaces every count, also the small counts of expensive cases."""
    texts = [(ROOT / name).read_text() for name in ("Makefile", ".ci/run")]
    texts += [path.read_text() for path in WORKFLOWS]
    found = [line.strip() for text in texts for line in text.splitlines() if "PROPTEST_CASES" in line]
    assert found and all("LONG_PROPTEST_CASES" in line for line in found), "make test-long alone sets it"


def test_the_installed_package_has_its_entry_points() -> None:
    """An installation older than `pyproject.toml` lacks entry points: `make` installs it again."""
    for group, points in PROJECT["entry-points"].items():
        found = {one.name: one for one in distribution("sledsim").entry_points.select(group=group)}
        assert {name: one.value for name, one in found.items()} == points
        assert all(one.load() for one in found.values())
