"""Ledgers of an earlier version: ``python -m tests.ledger.before`` writes them anew.

Write them again only after a change of the model or of a device's parameters, which changes all points.
"""

import shutil
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import sledsim

FOLDER = Path(__file__).with_name("before")
_CURVES: dict[str, Any] = {"count": 300, "replications": 2, "workers": 2}


def curves(folder: Path) -> Any:
    """Curves of policies that saturate, one of them within the rates."""
    return sledsim.response_curves("osdi00", ["sptf", "fcfs"], [400, 1300, 4000], folder=folder, **_CURVES)


def precise(folder: Path) -> Any:
    """Curves with a precision: the points depend on the policies that go on together."""
    return sledsim.response_curves(
        "osdi00", ["sptf", "fcfs"], [400, 1300], precision=0.5, folder=folder, **_CURVES
    )


def designs(folder: Path) -> Any:
    """Formats of which some are impossible."""
    requests = sledsim.workload("random", sledsim.device("emsoft08"), rate=200, count=20, seed=3)
    axes: dict[str, Any] = {"probes": [512, 1024], "sectors": [8], "sector_bytes": [128, 512]}
    return sledsim.format_space(requests, None, "sptf", **axes, folder=folder, workers=2)


def comparison(folder: Path) -> Any:
    """A comparison of devices and a volume, with requests drawn for each."""
    work = "random:rate=60,count=100,seed=5"
    return sledsim.compare(["osdi00", "cf-card"], work, ["fcfs", "sptf"], folder=folder, volumes="mirror")


def study(folder: Path) -> Any:
    """A sweep."""
    over = {"settle_ms": "0.1:0.2:0.1"}
    return sledsim.sweep("random:rate=200", folder=folder, over=over, count=300, replications=2)


LEDGERS: Mapping[str, Callable[[Path], Any]] = {
    one.__name__: one for one in (curves, precise, designs, comparison, study)
}

if __name__ == "__main__":
    socket.gethostname = lambda: "there"
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name, write in LEDGERS.items():
        write(FOLDER / name)
        for path in (FOLDER / name).iterdir():
            if path.suffix != ".ledger":
                path.unlink()
