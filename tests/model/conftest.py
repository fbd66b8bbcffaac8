"""Shared fixtures of the tests of models."""

from collections.abc import Callable
from pathlib import Path

import pytest

import sledsim

from ..disksim_files import write_drive


@pytest.fixture(scope="session")
def osdi00() -> sledsim.Device:
    return sledsim.device("osdi00")


@pytest.fixture
def drive(tmp_path: Path) -> Callable[..., sledsim.results.ImportedDisk]:
    def imported(name: str | None = None, **changes: object) -> sledsim.results.ImportedDisk:
        return sledsim.import_disksim(write_drive(tmp_path, **changes), name)  # type: ignore[arg-type]

    return imported
