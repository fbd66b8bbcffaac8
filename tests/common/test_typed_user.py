"""Types that a user's type checker sees in strict mode."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sledsim

PACKAGE = Path(sledsim.__file__).parent
EXAMPLE = Path(__file__).parents[2] / "examples" / "typed_user.py"
#: Expressions, and the types that mypy reports.
REVEALED = {
    "sledsim.device('osdi00')": "sledsim.model.devices.Device",
    "sledsim.volume('mirror')": "sledsim.model.volumes.Volume",
    "sledsim.demo_trace()": "sledsim.traces.trace.Trace",
    "sledsim.open_trace('a.csv')": "sledsim.traces.streams.TraceStream",
    "sledsim.simulate(device, trace)": "sledsim.runs.run.Run",
    "sledsim.simulate(device, trace, progress=True)": "sledsim.runs.run.Run",
    "sledsim.simulate(device, trace).summary()": "dict[str, float | int]",
    "sledsim.compare(device, trace, 'sptf').points[0].saturated": "bool",
    "sledsim.response_curves(device, 'sptf', [200.0])": "sledsim.runs.curves.Curves",
    "sledsim.sweep(trace, folder='f')": "sledsim.exploration.sweeping.Sweep",
    "sledsim.holds('mean < 1', trace).share.value": "float",
    "sledsim.optimise(trace).best.values": "typing.Mapping[str, Any]",
    "sledsim.studies.run('seek-map', device)": "sledsim.studies.sheet.Study",
    "sledsim.schedule_bounds(device, trace).optimum_s": "float | None",
}
#: Wrong uses, and the errors of mypy.
REFUSED = {
    "sledsim.simulate(trace, device)": "arg-type",
    "sledsim.simulate(device, trace, progress='yes')": "arg-type",
    "sledsim.simulate(device, trace, sheduler='sptf')": "call-arg",
    "sledsim.simulate(device, trace).sumary()": "attr-defined",
    "sledsim.no_such_name": "attr-defined",
}


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").exists()


@pytest.mark.dear("mypy reads the whole package")
def test_a_strict_users_script_is_understood(tmp_path: Path) -> None:
    """Mypy runs once, which takes long, over the example and over expressions of a known type."""
    lines = ["import sledsim", "device, trace = sledsim.device('osdi00'), sledsim.demo_trace()"]
    lines += [f"reveal_type({expression})" for expression in REVEALED]
    lines += REFUSED
    asked = tmp_path / "asked.py"
    asked.write_text("\n".join(lines) + "\n")
    # A user gets the package from an index, so errors within it do not count.
    options = [
        "--strict",
        "--follow-imports=silent",
        "--config-file=",
        "--no-error-summary",
        "--show-error-codes",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir", tmp_path / "cache", EXAMPLE, asked],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = dict[int, str]()
    for line in done.stdout.splitlines():
        file, number, what = line.split(":", 2)
        assert Path(file).name == asked.name, line
        said.setdefault(int(number), what.strip())  # The lines of an error; a note on it follows.
    first = len(lines) - len(REVEALED) - len(REFUSED) + 1
    revealed = [said.pop(first + at, "") for at in range(len(REVEALED))]
    types = [re.sub(r'^note: Revealed type is "(.*)"$', r"\1", what) for what in revealed]
    plain = [kind.replace("builtins.", "") for kind in types]
    assert plain == list(REVEALED.values())
    refused = [said.pop(first + len(REVEALED) + at, "") for at in range(len(REFUSED))]
    assert [re.sub(r".*\[(.*)\]$", r"\1", what) for what in refused] == list(REFUSED.values())
    assert said == {}


@pytest.mark.dear("mypy reads the whole package")
def test_the_script_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLE], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "Best: settle_ms" in done.stdout
