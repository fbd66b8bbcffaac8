"""Measure the timing of ``sledsim serve`` with fio (reads of 4 KiB), beside a flat delay by nbdkit.

The table has, for each setting, the lateness of the server's replies and, with one request at a time, their
distance from the simulated response time at the client. ``--hogs N`` runs N busy programs beside it. The
script needs root or CAP_SYS_NICE for real-time priority, and fio with its engine nbd; nbdkit is optional.
"""

import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sledsim

#: Scheduler, requests at a time, and further options of ``sledsim serve``.
SETTINGS: Sequence[tuple[str, int, tuple[str, ...]]] = (
    ("fcfs", 1, ()),
    ("fcfs", 1, ("--lead", "auto")),
    ("fcfs", 4, ()),
    ("fcfs", 16, ()),
    ("sptf", 1, ()),
    ("sptf", 4, ()),
    ("sptf", 16, ()),
    ("sptf", 4, ("--time-scale", "10")),
)
#: Delay of nbdkit's filter.
DELAY_US = 1000.0


def fio(folder: Path, depth: int, seconds: int) -> str:
    """Return a shell command that reads at the address $uri and logs the latency of each read."""
    return (
        f'cd {folder} && fio --name=reads --ioengine=nbd --uri="$uri" --rw=randread --bs=4k --size=1G'
        f" --iodepth={depth} --time_based --runtime={seconds} --write_lat_log=reads > fio.txt"
    )


def seen_us(folder: Path) -> NDArray[np.float64]:
    """Return the latency of each read at the client in microseconds, in the order of completion."""
    lines = (folder / "reads_clat.1.log").read_text().splitlines()
    return np.array([int(line.split(",")[1]) for line in lines]) / 1e3


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """Run busy programs."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()


def served(policy: str, depth: int, options: Sequence[str], seconds: int) -> str:
    """Return a row with the certificate and the client's measurements."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record, certificate = folder / "run.parquet", folder / "certificate.json"
        command = [
            str(Path(sys.executable).with_name("sledsim")),
            "serve",
            "osdi00",
            "--size",
            "1G",
            "-s",
            policy,
            *options,
        ]
        command += ["--record", str(record), "--certificate", str(certificate)]
        command += ["--", "sh", "-c", fio(folder, depth, seconds)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        made = json.loads(certificate.read_text())
        late = made["lateness_us"]
        figures = [f"{late[key]:.1f}" for key in ("p50", "p99", "p999")]
        figures += [f"{made['share_in_time']:.2%}", "yes" if made["certified"] else "no"]
        scale = float(options[options.index("--time-scale") + 1]) if "--time-scale" in options else 1.0
        figures += client(folder, record, scale) if depth == 1 else ["", ""]
    return " | ".join([policy, str(depth), " ".join(options) or " ", *figures])


def client(folder: Path, record: Path, scale: float) -> list[str]:
    """Return the shares of reads that fio saw within 2 % and 5 % of the simulated time."""
    run = sledsim.read_run(record)
    response_us = (run.columns["completion_ns"] - run.columns["arrival_ns"]) * scale / 1e3
    seen = seen_us(folder)
    rows = min(len(seen), len(response_us))
    off = np.abs(seen[:rows] - response_us[:rows]) / response_us[:rows]
    return [f"{(off <= part).mean():.1%}" for part in (0.02, 0.05)]


def delayed(depth: int, seconds: int) -> str:
    """Return a row with the lateness of nbdkit's replies, relative to a flat delay."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = ["nbdkit", "-U", "-", "--filter=delay", "memory", "1G", f"rdelay={DELAY_US / 1e3:g}ms"]
        command += ["--run", fio(folder, depth, seconds)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        late = seen_us(folder) - DELAY_US
    figures = [f"{value:.1f}" for value in np.quantile(late, (0.5, 0.99, 0.999))]
    off = [f"{(np.abs(late) <= part * DELAY_US).mean():.1%}" for part in (0.02, 0.05)]
    return " | ".join([f"nbdkit, {DELAY_US:g} us", str(depth), "at the client", *figures, "", "", *off])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=10, help="seconds per setting [default: 10]")
    parser.add_argument(
        "--hogs", type=int, default=0, help="number of busy programs to run beside it [default: 0]"
    )
    options = parser.parse_args()
    if shutil.which("fio") is None:
        raise SystemExit("error: expected fio with its engine nbd, found no fio")
    print("scheduler | depth | options | late p50 us | p99 | p99.9 | in time | certified | client 2 % | 5 %")
    with busy(options.hogs):
        for policy, depth, more in SETTINGS:
            print(served(policy, depth, more, options.seconds), flush=True)
        if shutil.which("nbdkit") is not None:
            for depth in (1, 16):
                print(delayed(depth, options.seconds), flush=True)


if __name__ == "__main__":
    main()
