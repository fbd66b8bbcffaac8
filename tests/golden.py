"""Foreign reference data, kept beside a checkout and never in it; without the data, tests skip."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[2] / "shared" / "golden" / "disksim"

needs_golden = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="DiskSim's reference results are not beside this checkout"
)

#: The Atlas 10K of DiskSim's arrays: no caches, and the blocks of a track pass in order.
UNCACHED_ATLAS_10K: dict[str, int | str | bool] = {
    "cache_segments": 0,
    "read_ahead": "none",
    "whole_track_reads": False,
    "write_back": False,
    "zero_latency_reads": False,
    "zero_latency_writes": False,
}

Columns = dict[str, NDArray[np.str_]]


def read(name: str) -> Columns:
    """Return the columns of a CSV file, as text."""
    path = FOLDER / name
    with gzip.open(path, "rt") if name.endswith(".gz") else path.open() as file:
        rows = list(csv.reader(file))
    return {header: np.array(column) for header, *column in zip(*rows, strict=True)}


def numbers(columns: Columns, name: str) -> NDArray[np.float64]:
    return columns[name].astype(np.float64)
