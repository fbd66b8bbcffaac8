"""Results as a version of sledsim writes them: ``python -m tests.earlier`` keeps the results of this version.

Each version has a folder in `FOLDER`, which is written at its release and never again; the tests read all of
them. A Parquet file is kept as two texts: its columns and its metadata.
"""

import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.csv
import pyarrow.parquet

import sledsim
from sledsim import studies
from sledsim.runs.result_writer import METADATA_KEY

FOLDER = Path(__file__).with_name("earlier")
#: Facts that every version reads from a result.
FIGURES = ("requests", "mean_response_s", "p99_response_s", "cv2_response", "energy_j")
#: Types of Arrow whose names differ in text.
_TYPES = {"double": pyarrow.float64(), "bool": pyarrow.bool_()}
#: Settings of the ledgers.
SWEEP: dict[str, Any] = {"over": {"settle_ms": "0.1:0.2:0.1"}, "count": 300, "replications": 2}
CURVES: dict[str, Any] = {"rates": [200, 400], "count": 300, "replications": 2}
DESIGN: dict[str, Any] = {"probes": [1024], "sectors": [8], "sector_bytes": [128, 512]}


def requests(target: Any, count: int = 12) -> sledsim.Trace:
    return sledsim.workload("random", target, rate=200, count=count, seed=3)


def curves(folder: Path) -> sledsim.results.Curves:
    return sledsim.response_curves(sledsim.device("osdi00"), "sptf", folder=folder, **CURVES)


def space(folder: Path) -> sledsim.results.FormatSpace:
    return sledsim.format_space(requests(sledsim.device("emsoft08")), folder=folder, **DESIGN)


def sweep(folder: Path, **more: Any) -> sledsim.results.Sweep:
    return sledsim.sweep("random:rate=200", "osdi00", "sptf", folder=folder, **SWEEP, **more)


def part(path: Path) -> None:
    """Replace a Parquet file by two texts."""
    table = pyarrow.parquet.read_table(path)
    pyarrow.csv.write_csv(table, path.with_suffix(".csv"))
    types = {field.name: str(field.type) for field in table.schema}
    about = json.loads(table.schema.metadata[METADATA_KEY])
    path.with_suffix(".json").write_text(json.dumps({"columns": types, "about": about}) + "\n")
    path.unlink()


def join(texts: Path, path: Path) -> None:
    """Write the Parquet file that `part` took apart."""
    said = json.loads(texts.with_suffix(".json").read_text())
    types = {name: _TYPES.get(kind, kind) for name, kind in said["columns"].items()}
    options = pyarrow.csv.ConvertOptions(column_types=types)
    table = pyarrow.csv.read_csv(texts.with_suffix(".csv"), convert_options=options)
    about = {METADATA_KEY: json.dumps(said["about"]).encode()}
    pyarrow.parquet.write_table(table.replace_schema_metadata(about), path)


def figures(run: sledsim.Run) -> Mapping[str, float]:
    summary = run.summary()
    return {name: summary[name] for name in FIGURES}


def write(folder: Path) -> None:
    """Write a small result of each kind that can be read again."""
    folder.mkdir(parents=True)
    for name, target in (("run", sledsim.device("osdi00")), ("volume", sledsim.volume("mirror"))):
        run = sledsim.simulate(target, requests(target), scheduler="sptf")
        part(run.write(folder / f"{name}.parquet"))
        (folder / f"{name}.figures").write_text(json.dumps(figures(run), indent=1) + "\n")
    device = sledsim.device("osdi00")
    sledsim.schedule_bounds(device, requests(device, 5)).write(folder / "bounds.json")
    sledsim.fit_workload(requests(device, 100)).write(folder / "fitted.toml")
    for ledger in (sweep, curves, space):
        ledger(folder / ledger.__name__)
    part(studies.run("start-up", device).write_table(folder)[0])


if __name__ == "__main__":
    socket.gethostname = lambda: "there"  # Rows of a ledger name the machine that made them.
    write(FOLDER / sledsim.__version__)
