"""Results of earlier versions: each is read, or the error says what to do."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet
import pytest

import sledsim
from sledsim.studies.tables import origin

from .. import earlier
from ..conftest import Cli

VERSIONS = sorted(path.name for path in earlier.FOLDER.iterdir())


@pytest.fixture(params=[*VERSIONS, "this one"])
def there(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Copy the results of a version or of this one, because a reader of a ledger may append to it."""
    if request.param == "this one":
        earlier.write(tmp_path / sledsim.__version__)
        return tmp_path / sledsim.__version__
    return Path(shutil.copytree(earlier.FOLDER / request.param, tmp_path / request.param))


def test_versions_are_earlier_or_this_one() -> None:
    def numbers(version: str) -> list[int]:
        return [int(part) for part in version.split(".")]

    assert VERSIONS and all(numbers(version) <= numbers(sledsim.__version__) for version in VERSIONS)


@pytest.mark.dear("commands and results of every kind are made", every_change=True)
@pytest.mark.parametrize("name", ["run", "volume"])
def test_a_run_says_what_it_said_and_can_be_run_again(cli: Cli, there: Path, name: str) -> None:
    path = there / f"{name}.parquet"
    earlier.join(path, path)
    run = sledsim.read_run(path)
    assert earlier.figures(run) == json.loads((there / f"{name}.figures").read_text())
    assert run.settings.version == there.name
    assert run.again().settings.version == sledsim.__version__
    explained = run.explain(run.slowest(1)[0], what_if=())
    assert sum(explained.due_ns.values()) == explained.response_ns
    done = cli("run", str(path), "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["requests"] == run.summary()["requests"], (
        done.stderr
    )


def test_what_else_is_in_files_is_read(there: Path) -> None:
    bounds = sledsim.read_bounds(there / "bounds.json")
    bounds.verify()
    assert bounds.version == there.name
    fitted = sledsim.results.FittedWorkload.read(there / "fitted.toml")
    assert fitted.requests == 100 and len(fitted.draw(sledsim.device("osdi00"), count=10)) == 10
    path = there / "start-up.parquet"
    earlier.join(path, path)
    about = origin(pyarrow.parquet.read_table(path))
    assert (about["study"], about["version"]) == ("start-up", there.name)


def test_a_sweep_that_is_done_is_read_and_says_whose_it_is(cli: Cli, there: Path) -> None:
    before = (there / "sweep" / "study.ledger").read_bytes()
    for found in (sledsim.read_sweep(there / "sweep"), earlier.sweep(there / "sweep")):
        assert len(found) == found.done == 2
        assert set(found.table()["version"].to_pylist()) == {there.name}
        is_other = there.name != sledsim.__version__
        assert [f"2 of sledsim {there.name}" in note for note in found.notes] == [True] * is_other
    assert (there / "sweep" / "study.ledger").read_bytes() == before
    for words in (["status"], ["table"]):
        done = cli("sweep", *words, str(there / "sweep"))
        assert done.returncode == 0, done.stderr


def lose_a_row(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))


@pytest.mark.parametrize("kind", ["sweep", "space"])
def test_another_version_does_not_go_on_with_a_ledger_and_says_what_to_do(there: Path, kind: str) -> None:
    folder = there / kind
    (path,) = folder.glob("*.ledger")
    lose_a_row(path)
    before = path.read_bytes()
    go_on = getattr(earlier, kind)
    if there.name == sledsim.__version__:
        assert go_on(folder)
        return
    said = (
        rf"{kind}: expected rows of sledsim {sledsim.__version__}, this version, found 1 of sledsim"
        rf" {there.name}: continue with that version, or give another folder"
    )
    with pytest.raises(sledsim.ParameterError, match=said):
        go_on(folder)
    assert path.read_bytes() == before


@pytest.mark.dear("commands and results of every kind are made", every_change=True)
def test_points_of_curves_of_another_version_run_again(there: Path, tmp_path: Path) -> None:
    """The keys of points name the version that made them."""
    path = there / "curves" / "curves.ledger"
    before = path.read_bytes()
    found = earlier.curves(there / "curves")
    assert found.table().equals(earlier.curves(tmp_path / "new").table())
    added = path.read_bytes().removeprefix(before).count(b'"version":"' + sledsim.__version__.encode())
    assert added == (0 if there.name == sledsim.__version__ else 2)
