"""Devices written in Python: served like the built-in ones, with errors for their faults."""

import json
import pickle
import runpy
import subprocess
import sys
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import sledsim
from sledsim.model.own_devices import Served

pytestmark = pytest.mark.registers_seek_models

EXAMPLE = Path(__file__).parents[2] / "examples" / "linear_tape.py"
ACTUATORS = EXAMPLE.with_name("dual_actuator_disk.py")
TAPE: Any = runpy.run_path(str(EXAMPLE))
#: Two wraps of 1,000 blocks of 64 KiB: seconds from end to end.
SHORT = {"wraps": 2, "wrap_mb": 65.536, "length_m": 100.0}


@dataclass
class Fixed:
    """A device on which every request takes equally long."""

    service_ms: float = sledsim.extend.parameter(2.0, "Time of a request", low=0.5, high=10)
    blocks: int = sledsim.extend.parameter(1000, "Blocks", low=8, high=10_000)
    label: str = sledsim.extend.parameter("plain", "What is written on it")
    idle_power_w: float = 0.5
    served: int = field(default=0, init=False)

    def positioning_s(self, now_s: float, request: sledsim.extend.DeviceRequest) -> float:
        return self.service_ms * 0.5e-3

    def serve(self, now_s: float, request: sledsim.extend.DeviceRequest) -> Served:
        self.served += 1
        half_s = self.service_ms * 0.5e-3
        return {"positioning_s": half_s, "transfer_s": half_s, "electronics_j": 0.25}

    def counts(self) -> dict[str, float]:
        return {"served": self.served}


@pytest.fixture(scope="module", autouse=True)
def _registered() -> None:
    sledsim.extend.register_device("linear-tape", TAPE["LinearTape"])
    sledsim.extend.register_device("fixed", Fixed)


def test_it_is_listed_set_and_described_like_others(tmp_path: Path) -> None:
    assert sledsim.devices()["fixed"] == "A device on which every request takes equally long"
    assert "fixed" in sledsim.listings.device_kinds()
    device = sledsim.device("fixed", service_ms=4)
    assert device.kind == "fixed" and device.parameters["service_ms"] == 4.0
    assert device.sources["service_ms"] == "set by the user"
    assert device.characteristics() == {"capacity_bytes": 512_000}
    file = tmp_path / "mine.toml"
    file.write_text('extends = "fixed"\nlabel = "blue"\nservice_ms = 1\n[source]\nlabel = "seen"\n')
    mine = sledsim.device(file)
    assert (mine.name, mine.parameters["label"], mine.parameters["service_ms"]) == ("mine", "blue", 1.0)
    assert mine.sources["label"] == "seen"
    assert pickle.loads(pickle.dumps(mine)) == mine


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("service_ms = 11", "service_ms = 11: must be a number from 0.5 to 10 ms"),
        ('service_ms = "long"', ':2:14: invalid type: string "long", expected a number'),
        ("blocks = 1.5", ":2:10: invalid type: floating point `1.5`, expected a whole number of at least 0"),
        ("servce_ms = 1", ":2:1: unknown key `servce_ms`: did you mean `service_ms`?"),
        ('label = "a"\nlabel = "b"', ":3:1: duplicate key"),
    ],
)
def test_files_are_read_strictly(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'extends = "fixed"\n{text}\n')
    with pytest.raises(sledsim.ParameterError) as caught:
        sledsim.device(file)
    assert said in str(caught.value)


def test_a_run_adds_up() -> None:
    device = sledsim.device("fixed")
    trace = sledsim.Trace.from_columns({"arrival_ns": [0, 1_000_000], "lbn": [0, 8], "blocks": [8, 8]})
    run = sledsim.simulate(device, trace, scheduler="fcfs")
    assert run.columns["completion_ns"].tolist() == [2_000_000, 4_000_000]
    assert run.columns["positioning_ns"].tolist() == [1_000_000, 1_000_000]
    assert run.energy_by_use_j["electronics"] == 0.5
    assert run.device_counts["device"]["served"] == 2
    again = run.again()
    assert again.columns["completion_ns"].tolist() == run.columns["completion_ns"].tolist()


def test_idle_time_takes_its_power() -> None:
    trace = sledsim.Trace.from_columns({"arrival_ns": [0, 1_002_000_000], "lbn": [0, 8], "blocks": [8, 8]})
    run = sledsim.simulate(sledsim.device("fixed"), trace, scheduler="fcfs")
    assert run.energy_by_use_j["idle"] == pytest.approx(0.5)


def checked(name: str) -> tuple[int, set[str]]:
    """Return the exit status of the check, and the failures; in a process without registered policies."""
    done = subprocess.run(
        [sys.executable, "-m", "sledsim", "check-device", name, "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    return done.returncode, {one["name"] for one in found["checks"] if one["failure"]}


@pytest.mark.dear("a device or policy in Python serves every request", every_change="cf-card")
@pytest.mark.parametrize(
    "name",
    [
        f"{EXAMPLE}:LinearTape",
        f"{ACTUATORS}:ActuatorDisk",
        f"{__file__}:Fixed",
        "osdi00",
        "atlas10k",
        "cf-card",
    ],
)
def test_devices_in_python_pass_the_check(name: str) -> None:
    assert checked(name) == (0, set())


@dataclass
class Looks(Fixed):
    """A device whose positioning moves when it is queried."""

    def positioning_s(self, now_s: float, request: sledsim.extend.DeviceRequest) -> float:
        self.served += 1
        return 1e-3 if self.served < 50 else 2e-3


@dataclass
class Chance(Fixed):
    """A device whose service time depends on the number of earlier services."""

    seen: ClassVar = [0]

    def serve(self, now_s: float, request: sledsim.extend.DeviceRequest) -> Served:
        self.seen[0] += 1
        return {"positioning_s": 1e-3, "transfer_s": 1e-6 * self.seen[0]}


@dataclass
class Announces(Fixed):
    """A device that announces another access than it performs."""

    def access_s(self, now_s: float, request: sledsim.extend.DeviceRequest) -> float:
        return 3e-3


@pytest.mark.dear("a device or policy in Python serves every request", every_change="Looks-looking")
@pytest.mark.parametrize(
    ("broken", "check"), [("Looks", "looking"), ("Chance", "copies"), ("Announces", "access")]
)
def test_the_check_finds_what_is_wrong(broken: str, check: str) -> None:
    status, failed = checked(f"{__file__}:{broken}")
    assert status == 1 and check in failed


def answers(**given: Any) -> Any:
    """Return a class whose methods return the given values."""

    @dataclass
    class Answers(Fixed):
        """A device that returns the given values."""

        def positioning_s(self, now_s: float, request: sledsim.extend.DeviceRequest) -> float:
            found: float = given.get("positioning_s", 0.0)
            return found

        def serve(self, now_s: float, request: sledsim.extend.DeviceRequest) -> Served:
            found: Served = given.get("serve", {"transfer_s": 1e-3})
            return found

        def place(self, lbn: int) -> Any:
            return given.get("place", (0, 0, 0))

    return Answers


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"positioning_s": -1.0}, "positioning_s: expected a number from 0 to 31557600, found -1.0"),
        ({"positioning_s": float("nan")}, "positioning_s: expected a number from 0 to 31557600, found nan"),
        ({"positioning_s": "soon"}, "positioning_s: expected a number from 0 to 31557600, found 'soon'"),
        ({"serve": 1.0}, "serve: expected a dictionary of phases, found 1.0"),
        ({"serve": {"transfer": 1.0}}, 'serve: unknown phase "transfer"; known: command_s, wait_s'),
        ({"serve": {}}, "serve: expected phases of more than 0 s in total, found 0 s"),
        (
            {"serve": {"positioning_s": 1, "seek_x_s": 2}},
            "serve: seek_x_s = 2 s: expected at most positioning_s = 1 s",
        ),
        (
            {"place": (1, 0, 0)},
            "place: expected (cylinder, track, y), whole numbers with cylinder < cylinders (1)",
        ),
    ],
)
def test_impossible_answers_are_reported(given: dict[str, Any], said: str) -> None:
    sledsim.extend.register_device("own-answers", answers(**given))
    trace = sledsim.Trace.from_columns({"arrival_ns": [0, 0, 0], "lbn": [0, 8, 16], "blocks": [8, 8, 8]})
    with pytest.raises(sledsim.ParameterError) as caught:
        for policy in ("sptf", "look_cyl"):
            sledsim.simulate(sledsim.device("own-answers"), trace, scheduler=policy)
    assert f"device = own-answers: {said}" in str(caught.value)


@pytest.mark.dear("a device or policy in Python serves every request", every_change=True)
def test_the_check_takes_a_device_by_its_file_and_no_volume(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('extends = "cf-card"\n')
    # A failure of the user's policy is no failure of the device.
    sledsim.extend.register_scheduler("breaks-check", lambda now_s, waiting: 1 << 40)
    found = sledsim.extend.check_device(file)
    assert found.device == "mine" and found.passed
    with pytest.raises(
        sledsim.ParameterError, match="expected a Device or the name of a device, found Volume"
    ):
        sledsim.extend.check_device(sledsim.volume("mirror"))  # type: ignore[arg-type]


def test_the_check_asks_for_the_data_sheet() -> None:
    namespace = {"characteristics": lambda self: {"turns": None}}
    sledsim.extend.register_device(
        "own-sheet", make_dataclass("Sheet", [], bases=(Fixed,), namespace=namespace)
    )
    with pytest.raises(
        sledsim.ParameterError, match="own-sheet: turns: expected a number of at least 0, found N"
    ):
        sledsim.extend.check_device("own-sheet")


def test_what_it_raises_is_raised() -> None:
    @dataclass
    class Raises(Fixed):
        """A device that raises."""

        def serve(self, now_s: float, request: sledsim.extend.DeviceRequest) -> Served:
            raise ZeroDivisionError("by myself")

    sledsim.extend.register_device("own-raises", Raises)
    trace = sledsim.Trace.from_columns({"arrival_ns": [0], "lbn": [0], "blocks": [8]})
    with pytest.raises(ZeroDivisionError, match="by myself"):
        sledsim.simulate(sledsim.device("own-raises"), trace)


def test_classes_that_cannot_be_are_refused() -> None:
    class Plain:
        """A class that is no dataclass."""

    @dataclass
    class Without:
        """A class with a parameter without default."""

        blocks: int

    with pytest.raises(sledsim.ParameterError, match="expected a class that is a dataclass"):
        sledsim.extend.register_device("own-plain", Plain)  # type: ignore[type-abstract]
    with pytest.raises(sledsim.ParameterError, match="blocks: expected a default"):
        sledsim.extend.register_device("own-without", Without)  # type: ignore[type-abstract]
    with pytest.raises(
        sledsim.ParameterError, match="osdi00: expected a new name, but a built-in device has this name"
    ):
        sledsim.extend.register_device("osdi00", Fixed)
    with pytest.raises(sledsim.ParameterError, match="mems: expected a new name, found a built-in name"):
        sledsim.extend.register_device("mems", Fixed)
    with pytest.raises(sledsim.ParameterError, match="expected a name of letters and digits"):
        sledsim.extend.register_device("a b", Fixed)


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        (sledsim.extend.parameter(float("nan"), "x"), "x: expected a number as default, found nan"),
        (sledsim.extend.parameter(1.0, "x", low="1"), "x: expected a number as low, found '1'"),  # type: ignore[arg-type]
        (sledsim.extend.parameter(1.0, "x", high=float("inf")), "x: expected a number as high, found inf"),
        (sledsim.extend.parameter(1.0, 3), "x: expected meaning to be a text, found 3"),  # type: ignore[arg-type]
    ],
)
def test_parameters_that_cannot_be_are_refused(parameter: Any, said: str) -> None:
    made = make_dataclass("Made", [("x", float, parameter)], bases=(Fixed,))
    with pytest.raises(sledsim.ParameterError) as caught:
        sledsim.extend.register_device("own-made", made)
    assert f"device = own-made: {said}" in str(caught.value)


def test_names_under_which_results_keep_something_else_are_taken() -> None:
    made = make_dataclass("Made", [("faults", str, "none")], bases=(Fixed,))
    with pytest.raises(sledsim.ParameterError, match="parameter `faults`: results need this name"):
        sledsim.extend.register_device("own-made", made)


def test_meanings_are_texts() -> None:
    made = make_dataclass("Made", [], bases=(Fixed,), namespace={"meanings": ["a time"]})
    with pytest.raises(sledsim.ParameterError, match=r"meanings: expected a dictionary of texts, found \['a"):
        sledsim.extend.register_device("own-made", made)


def batch_of(rng: np.random.Generator, tape: Any, count: int) -> tuple[list[int], list[int]]:
    blocks = rng.integers(1, 20, count)
    return [int(rng.integers(0, tape.blocks - size)) for size in blocks], blocks.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_the_best_order_of_a_batch_is_that_of_trying_all(seed: int) -> None:
    tape = TAPE["LinearTape"](**SHORT)
    lbn, blocks = batch_of(np.random.default_rng(seed), tape, 6)
    sectors = tape.block_bytes // 512
    batch = {"lbn": np.array(lbn) * sectors, "blocks": np.array(blocks) * sectors}
    found = sledsim.schedule_bounds(sledsim.device("linear-tape", **SHORT), batch, "sptf")
    assert found.exact
    # Each locate is rounded to a nanosecond.
    assert found.best.total_s == pytest.approx(TAPE["best_by_hand"](tape, lbn, blocks), abs=6e-9)


def test_a_device_that_remembers_more_has_no_bounds() -> None:
    @dataclass
    class Tires(Fixed):
        """A device that becomes slower."""

        def positioning_s(self, now_s: float, request: sledsim.extend.DeviceRequest) -> float:
            return 1e-3 * (1 + self.served)

    sledsim.extend.register_device("own-tires", Tires)
    batch = {"lbn": np.array([0, 8, 16]), "blocks": np.array([8, 8, 8])}
    with pytest.raises(
        sledsim.ParameterError, match=r"whose positioning depends only on the previous and the next"
    ):
        sledsim.schedule_bounds(sledsim.device("own-tires"), batch)
