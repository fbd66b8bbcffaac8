"""Measure the cost of each case in instructions and CPU time, against the figures in ``baseline.json``.

Valgrind, if installed, counts the instructions, which are the same in every run. CPU time is the minimum of
several runs and differs between machines. ``--write`` makes the new figures the baseline.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BASELINE = Path(__file__).with_suffix(".json")
#: Number of requests in a counted run, and in a timed run.
COUNTED, TIMED = 20_000, 300_000
#: Number of timed runs, of which the fastest counts.
RUNS = 5
#: Ratio to the baseline from which a case is marked.
WORSE = 1.03


def built() -> str:
    """Build the program that runs one case, in release mode, and return its path."""
    command = ["cargo", "bench", "--quiet", "--bench", "cases", "--no-run", "--message-format=json"]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        said = json.loads(line)
        if said.get("target", {}).get("name") == "cases":
            return str(said["executable"])
    raise SystemExit("error: expected the path of the cases from cargo, found none")


def printed(*command: str) -> str:
    """Return the output of a command."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def instructions(program: str, case: str) -> float | None:
    """Return the instructions per request, without the set-up of the case; None without valgrind."""
    if shutil.which("valgrind") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        options = ["--tool=callgrind", "--toggle-collect=cases::measured*", f"--callgrind-out-file={out}"]
        printed("valgrind", "-q", *options, program, case, str(COUNTED))
        total = next(line for line in out.read_text().splitlines() if line.startswith("totals:"))
    return round(int(total.split()[1]) / COUNTED, 1)


def measure(program: str, case: str) -> dict[str, float | None]:
    """Return the figures of one case."""
    cpu_ns = min(float(printed(program, case, str(TIMED))) for _ in range(RUNS))
    return {"instructions": instructions(program, case), "cpu_ns": cpu_ns}


def columns(now: dict[str, float | None], before: dict[str, Any]) -> str:
    """Format the figures of a case beside those of the baseline, with ratios."""
    cells = []
    for name in ("instructions", "cpu_ns"):
        figure, old = now[name], before.get(name)
        ratio = figure / old if figure and old else None
        shown = [f"{one:9,.0f}" if one else f"{'-':>9}" for one in (figure, old)]
        mark = "!" if name == "instructions" and ratio and ratio > WORSE else " "
        cells.append(f"{shown[0]} {shown[1]} {f'{ratio:5.2f}' if ratio else '    -'}{mark}")
    return "  ".join(cells)


def main() -> None:
    """Print the table; with ``--write``, keep its figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="make the new figures the baseline")
    parser.add_argument("cases", nargs="*", help="prefixes of names of cases [default: all]")
    given = parser.parse_args()
    program = built()
    kept = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    print(f"per request, against {kept.get('of', 'no baseline')}")
    print(f"{'':28}{'instructions':>12}{'then':>8}{'ratio':>7}  {'CPU ns':>9}{'then':>10}{'ratio':>7}")
    found = {}
    for case in printed(program).splitlines():
        if not given.cases or case.startswith(tuple(given.cases)):
            found[case] = measure(program, case)
            print(f"{case:28}{columns(found[case], kept.get('cases', {}).get(case, {}))}", flush=True)
    if given.write:
        commit = printed("git", "-C", str(ROOT), "log", "-1", "--format=%cs %s").strip()
        cases = {**kept.get("cases", {}), **found}
        about = {"of": commit, "compiler": printed("rustc", "--version").strip()}
        BASELINE.write_text(json.dumps({**about, "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main()
