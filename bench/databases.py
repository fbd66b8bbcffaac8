"""Measure commits of databases on served devices: SQLite, PostgreSQL, and PostgreSQL's test of fsync.

`python bench/databases.py [DEVICE...]` prints the median and the 99th percentile of the time of a commit. It
needs root, nbdfuse, loop devices, ext4 and, for PostgreSQL, its programs. A served device runs ten times as
slow as simulated, so that the programs, the kernel and the link count a tenth.
"""

import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

DEVICES = ("osdi00", "emsoft08", "cf-card", "cheetah4lp", "atlas10k")
SLOWER = 10
COMMITS = 100
SERVED = ["--size", "1G", "--time-scale", str(SLOWER), "--realtime", "off", "--once"]
#: Makes ext4 on the served device by way of FUSE and a loop device, and runs a program in the mounted folder.
MOUNTED = """
set -eu
mkdir -p fuse mounted
nbdfuse fuse "$1" &
while ! [ -e fuse/nbd ]; do sleep 0.1; done
device=$(losetup -f --show fuse/nbd)
trap 'umount mounted; losetup -d $device; umount fuse; wait' EXIT
mkfs.ext4 -q "$device"
mount "$device" mounted
chmod 777 mounted
"$2" "$3" inside "$4" mounted
"""
#: Starts a PostgreSQL server in a folder, and clients that commit one small update at a time.
POSTGRESQL = """
set -eu
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr " " :)
initdb -N -D "$1/data" -A trust > /dev/null
pg_ctl -D "$1/data" -o "-k /tmp -p 5999 -c listen_addresses=" -l "$1/log" -w -t 600 start > /dev/null
trap 'pg_ctl -D "$1/data" -m immediate stop > /dev/null' EXIT
pgbench -h /tmp -p 5999 -i -q postgres > /dev/null 2>&1
cd "$2"
pgbench -h /tmp -p 5999 -N -c "$3" -j "$3" -t "$4" -l postgres > /dev/null 2>&1
"""


def percentiles(seconds: list[float]) -> str:
    """Write the median and the 99th percentile in ms of the device's time."""
    ordered = sorted(1e3 * second / SLOWER for second in seconds)
    return f"p50 {ordered[len(ordered) // 2]:8.3f}  p99 {ordered[len(ordered) * 99 // 100]:8.3f}"


def sqlite(folder: Path) -> str:
    """Commit one row at a time, with a write-ahead log and full synchronisation."""
    database = sqlite3.connect(folder / "test.db", isolation_level=None)
    for line in ("journal_mode=WAL", "synchronous=FULL"):
        database.execute(f"pragma {line}")
    database.execute("create table rows (value text)")
    seconds = []
    for _ in range(COMMITS):
        before = time.perf_counter()
        database.execute("insert into rows values (?)", ("x" * 100,))
        seconds.append(time.perf_counter() - before)
    database.close()
    return percentiles(seconds)


def postgresql(folder: Path, clients: int) -> str:
    """Run pgbench, in which each transaction commits."""
    logs = Path(tempfile.mkdtemp(dir="/tmp"))
    logs.chmod(0o777)
    script = [POSTGRESQL, "sh", str(folder.resolve()), str(logs), str(clients), str(COMMITS)]
    subprocess.run(["runuser", "-u", "postgres", "--", "sh", "-c", *script], check=True)
    lines = [line.split() for path in logs.iterdir() for line in path.read_text().splitlines()]
    shutil.rmtree(logs)
    rate = clients / (sum(int(line[2]) for line in lines) / len(lines) * 1e-6 / SLOWER)
    return f"{percentiles([int(line[2]) * 1e-6 for line in lines])}  {rate:8.1f} commits/s"


def fsync(folder: Path) -> str:
    """Run PostgreSQL's test of a write of 8 KiB and fdatasync."""
    program = max(Path("/usr/lib/postgresql").glob("*/bin/pg_test_fsync"), default=None) or "pg_test_fsync"
    done = subprocess.run(
        [program, "-s", "3", "-f", folder / "test"], check=True, capture_output=True, text=True
    )
    found = re.search(r"fdatasync +([\d.]+) ops/sec", done.stdout)
    assert found is not None, done.stdout
    return f"mean {1e3 / (float(found[1]) * SLOWER):7.3f}"


PROGRAMS: dict[str, Callable[[Path], str]] = {
    "sqlite": sqlite,
    "fdatasync": fsync,
    "postgresql": lambda folder: postgresql(folder, 1),
    "postgresql, 8 clients": lambda folder: postgresql(folder, 8),
}


def main() -> None:
    if sys.argv[1:2] == ["inside"]:
        name, folder = sys.argv[2:]
        print(PROGRAMS[name](Path(folder)), flush=True)
        return
    sledsim = Path(sys.executable).with_name("sledsim")
    for device in sys.argv[1:] or DEVICES:
        for name in PROGRAMS:
            with tempfile.TemporaryDirectory() as folder:
                Path(folder).chmod(0o755)
                command = [
                    "bash",
                    "-c",
                    MOUNTED,
                    "bash",
                    "$uri",
                    sys.executable,
                    str(Path(__file__).resolve()),
                    name,
                ]
                done = subprocess.run(
                    [sledsim, "serve", device, *SERVED, "--", *command],
                    cwd=folder,
                    capture_output=True,
                    text=True,
                    check=False,
                )
            figures = [line for line in done.stdout.splitlines() if line.startswith(("p50", "mean"))]
            said = figures[0] if figures else f"failed:\n{done.stderr}"
            print(f"{device:12}{name:24}{said}", flush=True)


if __name__ == "__main__":
    main()
