"""Faulty devices of users, each with one fault, and the error for each."""

import copy
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import sledsim
from sledsim.model.own_devices import Served

pytestmark = pytest.mark.registers_seek_models

#: More than a year, in each of several phases.
_YEAR_S = 3.1e7


@dataclass
class Whole:
    """A correct device."""

    blocks: int = sledsim.extend.parameter(1000, "Blocks", low=8, high=1 << 50)

    def positioning_s(self, now_s: float, request: sledsim.extend.DeviceRequest) -> float:
        return 1e-3

    def serve(self, now_s: float, request: sledsim.extend.DeviceRequest) -> Served:
        return {"positioning_s": 1e-3, "transfer_s": 1e-3}


@dataclass
class Overtakes(Whole):
    """A device that processes the command of a later request before that of an earlier one."""

    accepts: int = sledsim.extend.parameter(0, "Requests that came")

    def accept_s(self, now_s: float, request: sledsim.extend.DeviceRequest) -> float:
        self.accepts += 1
        return now_s + 0.5 / self.accepts


@dataclass
class Elsewhere(Whole):
    """A device that states that places do not matter, although they do."""

    depends_on_place: ClassVar = False

    def positioning_s(self, now_s: float, request: sledsim.extend.DeviceRequest) -> float:
        return 1e-6 * (1 + request.lbn)

    def serve(self, now_s: float, request: sledsim.extend.DeviceRequest) -> Served:
        return {"positioning_s": self.positioning_s(now_s, request), "transfer_s": 1e-3}


@dataclass
class Perhaps(Whole):
    """A device that does not state whether places matter."""

    depends_on_place: ClassVar = "perhaps"


@dataclass
class Large(Whole):
    """A device with more capacity than possible."""

    blocks: int = 1 << 50
    block_bytes: ClassVar = 1 << 20


@dataclass
class Slow(Whole):
    """A device on which requests take years."""

    def serve(self, now_s: float, request: sledsim.extend.DeviceRequest) -> Served:
        return {"wait_s": _YEAR_S, "positioning_s": _YEAR_S, "hold_s": _YEAR_S, "transfer_s": _YEAR_S}


@dataclass
class Numbered(Whole):
    """A device whose phases are named by numbers."""

    def serve(self, now_s: float, request: sledsim.extend.DeviceRequest) -> Any:
        return {1: 1e-3}


@dataclass
class Uncopied(Whole):
    """A device whose copy is None."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return None


def raised(model: type[Any], policy: str = "sptf", count: int = 60) -> str:
    """Return the error of a run of simultaneous requests."""
    sledsim.extend.register_device("own-broken", model)
    row = range(count)
    trace = sledsim.Trace.from_columns(
        {"arrival_ns": [at * 1000 for at in row], "lbn": [at * 8 for at in row], "blocks": [8 for _ in row]}
    )
    with pytest.raises(sledsim.ParameterError) as caught:
        sledsim.simulate(sledsim.device("own-broken"), trace, scheduler=policy)
    return str(caught.value)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (
            Overtakes,
            "accept_s: expected a time of at least 0.5 s, the time at which the previous command",
        ),
        (Perhaps, "depends_on_place: expected True or False, found 'perhaps'"),
        (
            Large,
            "expected at most 1152921504606846976 bytes, found blocks = 1125899906842624 of block_bytes =",
        ),
        (Slow, "serve: expected a run of at most 127 years, found a request at LBN"),
        (Numbered, "serve: expected names of phases, found 1"),
        (Uncopied, "copy.deepcopy: expected an object of Uncopied, found None"),
    ],
)
def test_a_run_ends_with_what_is_wrong(model: type[Any], said: str) -> None:
    assert f"device = own-broken: {said}" in raised(model)


def test_nothing_is_wrong_with_what_they_are_made_of() -> None:
    sledsim.extend.register_device("own-broken", Whole)
    device = sledsim.device("own-broken")
    run = sledsim.simulate(device, sledsim.random_workload(device, rate_per_s=100, count=50, seed=1))
    assert run.totals["requests"] == 50
    assert copy.deepcopy(Whole()) == Whole()


def failures(name: str) -> dict[str, str]:
    """Return the failures that the check finds in a class here, in a process without registered policies."""
    asked = [sys.executable, "-m", "sledsim", "check-device", f"{__file__}:{name}", "--json"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return {one["name"]: one["failure"] for one in json.loads(done.stdout)["checks"] if one["failure"]}


@pytest.mark.dear("a device or policy in Python serves every request")
def test_the_check_does_not_believe_that_places_do_not_matter() -> None:
    found = failures("Elsewhere")
    assert list(found) == ["looking"]
    assert found["looking"].startswith(
        "depends_on_place is false, so that positioning times should be equal, but the write of "
    )
    assert "takes 0.001 ms and the write of " in found["looking"]


def test_ranges_with_one_end_name_that_end() -> None:
    @dataclass
    class Ends(Whole):
        """Parameters with bounds at one end or without bounds."""

        least_ms: float = sledsim.extend.parameter(5.0, "a time", low=1)
        most_ms: float = sledsim.extend.parameter(5.0, "a time", high=9)
        count: int = sledsim.extend.parameter(5, "a count", low=2)

    sledsim.extend.register_device("own-ends", Ends)
    for given, said in [
        ({"least_ms": 0.5}, "least_ms = 0.5: must be a number of at least 1 ms"),
        ({"most_ms": 10}, "most_ms = 10: must be a number, at most 9 ms"),
        ({"count": 1}, "count = 1: must be a whole number of at least 2"),
    ]:
        with pytest.raises(sledsim.ParameterError) as caught:
            sledsim.device("own-ends", **given)
        assert said in str(caught.value)
