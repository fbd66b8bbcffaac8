"""Ledgers of an earlier version are continued: keys of points are unchanged, and no point runs again."""

import shutil
from pathlib import Path

import pytest

from sledsim import _native
from sledsim.ledger import Contents

from . import before


@pytest.mark.parametrize("name", before.LEDGERS)
def test_points_have_the_keys_that_they_had(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    kept = Contents.of([before.FOLDER / name])
    (version,) = {row["version"] for row in kept.rows()}
    monkeypatch.setattr(_native, "__version__", version)
    before.LEDGERS[name](tmp_path)
    found = Contents.of([tmp_path])
    assert found.places.keys() == kept.places.keys()
    assert found.numbers == kept.numbers and found.studies == kept.studies


@pytest.mark.parametrize("name", [name for name in before.LEDGERS if name != "comparison"])
def test_what_is_there_is_not_run_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    """Comparisons are left out, as their points have files of requests besides."""
    there = Path(shutil.copytree(before.FOLDER / name, tmp_path / name))
    (version,) = {row["version"] for row in Contents.of([there]).rows()}
    monkeypatch.setattr(_native, "__version__", version)
    before.LEDGERS[name](there)
    for path in there.glob("*.ledger"):
        assert path.read_bytes() == (before.FOLDER / name / path.name).read_bytes()
