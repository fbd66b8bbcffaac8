"""Wrong calls of public functions: each argument in turn has another type or is out of range."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim

from ..public import public_names

WORK = "random:rate=300,count=20"
DEVICE = sledsim.device("osdi00")
TRACE = sledsim.random_workload(DEVICE, rate_per_s=300, count=12)
MEASURED = sledsim.demo_trace().rows(slice(0, 30))
RUN = sledsim.simulate(DEVICE, TRACE, "sptf")
CONDITION = "mean(sptf) < mean(fcfs)"


def first(*_given: Any) -> int:
    """Choose the first request: registered policies stay, and other tests try all of them."""
    return 0


def called(*given: Any, **named: Any) -> None:
    """Accept any arguments, as a function of the user's."""


#: Values that are invalid for most arguments.
WRONG: tuple[Any, ...] = (
    *(None, True, 5, -1, 1.5, float("nan"), 2**63, 2**70, 1j, "", "no such", b"x"),
    *([], [5], {}, {"a": 1}, {5: 1}, object(), int, called, Path("nowhere"), DEVICE, TRACE),
    *(np.timedelta64(1, "s"), np.float32(2), np.array([1, 2]), np.ma.array([1, 2], mask=[0, 1])),
)
#: A valid and short call of each public function with arguments.
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "breakdown": ((RUN, TRACE), {}),
    "bundled_trace": (("demo",), {}),
    "check_device": (("cf-card",), {}),
    "compare": ((DEVICE, TRACE, ["fcfs"]), {}),
    "device": (("osdi00",), {"settle_ms": 0.2, "layout": "simple"}),
    "devices": (("mems",), {}),
    "fit": ((DEVICE, TRACE), {}),
    "fit_workload": ((TRACE,), {}),
    "format_characteristics": ((sledsim.device("emsoft08"), 64, 8, 512), {}),
    "format_space": ((TRACE,), {}),
    "holds": ((CONDITION, WORK), {"samples": 4}),
    "import_disksim": (("t.csv",), {}),
    "open_trace": (("t.csv",), {}),
    "open_workload": (("random", DEVICE), {"rate": 300.0, "count": 20}),
    "optimise": ((WORK, DEVICE), {}),
    "overview": ((TRACE, DEVICE), {}),
    "parameter": ((1.0, "a meaning"), {}),
    "random_workload": ((DEVICE,), {"rate_per_s": 300.0, "count": 20}),
    "read_bounds": (("t.csv",), {}),
    "read_run": (("t.csv",), {}),
    "read_sweep": ((".",), {}),
    "read_trace": (("t.csv",), {}),
    "register_device": (("wrong-calls", int), {}),
    "register_scheduler": (("wrong-calls", first), {}),
    "register_seek_model": (("wrong-calls", called), {}),
    "replay_extremes": ((DEVICE, MEASURED, RUN), {}),
    "replay_options": (("closed",), {}),
    "report_runs": (([RUN], "page.html"), {}),
    "response_curves": ((DEVICE, "fcfs", [100.0]), {"count": 100, "replications": 2}),
    "schedule_bounds": ((DEVICE, TRACE.rows(slice(0, 5))), {}),
    "scheduler_options": (("asptf",), {}),
    "sensitivity": ((WORK, DEVICE), {"samples": 4}),
    "simulate": ((DEVICE, TRACE, "sptf"), {}),
    "sweep": ((WORK, DEVICE), {"folder": "kept"}),
    "tip_code": ((), {}),
    "tip_placement": ((10, 8), {}),
    "trace_curves": ((DEVICE, TRACE, "fcfs", [1.0]), {}),
    "trace_statistics": ((TRACE,), {}),
    "validate": ((DEVICE, TRACE), {"replay": "timed"}),
    "volume": (("mirror",), {"devices": 2, "device": "osdi00"}),
    "volume_options": (("mirror",), {}),
    "volume_roles": (("mirror",), {}),
    "with_episodes": ((DEVICE, ["stall:at=1,ms=5"]), {}),
    "with_faults": ((DEVICE, {"seed": 1}), {}),
    "workload": (("random", DEVICE), {"rate": 300.0, "count": 20}),
    "workload_options": (("random",), {}),
    "write_trace": ((TRACE, "out.parquet"), {}),
    "Simulation": ((DEVICE, "sptf"), {}),
    "Slow": ((1.0, 5.0, 2.0), {}),
    "Stall": ((1.0, 5.0), {}),
    "Trace": (([0], [0], [8]), {"op": [0]}),
}
#: Calls of methods with arguments, by class.
METHODS: dict[str, tuple[Callable[[], Any], tuple[Any, ...], dict[str, Any]]] = {
    "Device.with_parameters": (lambda: DEVICE.with_parameters, (), {"settle_ms": 0.1}),
    "Device.locate": (lambda: DEVICE.locate, (5,), {}),
    "Device.seek_profile": (lambda: DEVICE.seek_profile, ((0.0, 0.0), (1e-5, 1e-5)), {}),
    "Run.again": (lambda: RUN.again, (), {}),
    "Run.explain": (lambda: RUN.explain, (3,), {"what_if": ()}),
    "Run.write": (lambda: RUN.write, ("x.parquet",), {}),
    "Run.write_perfetto": (lambda: RUN.write_perfetto, ("x.pftrace",), {}),
    "Simulation.submit": (lambda: sledsim.Simulation(DEVICE).submit, (0, 0, 8, False), {}),
    "Simulation.advance": (lambda: sledsim.Simulation(DEVICE).advance, (5,), {}),
    "Trace.from_columns": (lambda: sledsim.Trace.from_columns, (TRACE.columns(),), {}),
    "Trace.rows": (lambda: TRACE.rows, (slice(0, 3),), {}),
}
#: Functions that take long with some of the values.
LONG = {
    "holds",
    "optimise",
    "sensitivity",
    "sweep",
    "format_space",
    "check_device",
    "compare",
    "response_curves",
}


PUBLIC = public_names()


def public_functions() -> dict[str, Callable[..., Any]]:
    return {name: one for name, one in PUBLIC.items() if inspect.isfunction(one)}


def each_wrong_call(
    call: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
) -> Iterator[tuple[str, Any, tuple[Any, ...], dict[str, Any]]]:
    """Yield the call with each value in the place of each argument: the name, the value, the call."""
    parameters = list(inspect.signature(call).parameters.values())
    taken = {one.name for one in parameters[: len(given)]}
    others = [one.name for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    for wrong in WRONG:
        for at in range(len(given)):
            yield parameters[at].name, wrong, (*given[:at], wrong, *given[at + 1 :]), named
        for name in dict.fromkeys([*named, *(name for name in others if name not in taken)]):
            yield name, wrong, given, {**named, name: wrong}


def check(call: Callable[[], Callable[..., Any]], given: tuple[Any, ...], named: dict[str, Any]) -> int:
    """Make all wrong calls, and check that each error names the expected value."""
    refused = 0
    for name, wrong, arguments, by_name in each_wrong_call(call(), given, named):
        try:
            call()(*arguments, **by_name)
        except (sledsim.ParameterError, sledsim.TraceError) as error:
            assert str(error)
            refused += 1
        except OSError:
            assert isinstance(wrong, str | Path), f"{name}={wrong!r}"
    return refused


@pytest.fixture(autouse=True)
def small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("time,lbn,size,op\n0,0,8,R\n")


def test_every_public_function_that_takes_something_is_called() -> None:
    assert {name for name, one in public_functions().items() if inspect.signature(one).parameters} <= set(
        CALLS
    )
    for name in set(CALLS) - set(public_functions()):
        assert inspect.isclass(PUBLIC[name])


def test_every_public_function_and_method_checks_its_arguments() -> None:
    for name, one in public_functions().items():
        assert hasattr(one, "__wrapped__"), name
    for name in PUBLIC:
        of = PUBLIC[name]
        if (
            not inspect.isclass(of)
            or not of.__module__.startswith("sledsim.")
            or of.__module__ == "sledsim._native"
        ):
            continue
        for key, method in inspect.getmembers(of, inspect.isroutine):
            ours = (getattr(method, "__module__", None) or "").startswith("sledsim.")
            if ours and not key.startswith("_") and len(inspect.signature(method).parameters) > 1:
                assert hasattr(method, "__wrapped__"), f"{name}.{key}"


@pytest.mark.dear(
    "thousands of wrong calls are made", every_change=("simulate", "Simulation", "Trace", "device")
)
@pytest.mark.parametrize("name", sorted(set(CALLS) - LONG))
def test_wrong_arguments_of_functions_are_refused(name: str) -> None:
    given, named = CALLS[name]
    assert check(lambda: PUBLIC[name], given, named) > 0


@pytest.mark.dear(
    "thousands of wrong calls are made", every_change=("Simulation.submit", "Trace.from_columns")
)
@pytest.mark.parametrize("name", METHODS)
def test_wrong_arguments_of_methods_are_refused(name: str) -> None:
    call, given, named = METHODS[name]
    assert check(call, given, named) > 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sledsim.Simulation(5), "device: expected a Device, a Volume, a text or a path, found 5"),
        (lambda: sledsim.Simulation(DEVICE, copies=2**64), "copies: expected a whole number of 64 bits"),
        (lambda: sledsim.simulate(DEVICE, TRACE, past_end=5), "past_end: expected a text, found 5"),
        (lambda: sledsim.simulate(DEVICE, TRACE, replay=5), "replay: expected a text or None, found 5"),
        (
            lambda: sledsim.Simulation(DEVICE).advance(np.timedelta64(1, "s")),
            "until_ns: expected a whole number of 64 bits, found a timedelta64",
        ),
        (lambda: sledsim.report_runs([RUN, 5], "page.html"), r"runs\[1\]: expected a Run, found 5"),
        (
            lambda: sledsim.compare(TRACE, DEVICE),
            "device: expected",
        ),
    ],
)
def test_errors_name_the_expected_value(call: Callable[[], object], said: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=said):
        call()


@pytest.mark.parametrize(
    "take", [lambda rows: sledsim.Trace(rows, rows, rows + 8), lambda rows: DEVICE.locate(rows)]
)
def test_masked_arrays_are_refused(take: Callable[[Any], object]) -> None:
    take(np.ma.array([1, 2]))
    with pytest.raises(sledsim.ParameterError, match="expected numbers without a mask"):
        take(np.ma.array([1, 2], mask=[False, True]))


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    asked = {"count": np.int64(200), "seed": np.uint8(3), "replications": np.int16(2)}
    curves = sledsim.response_curves("osdi00", "fcfs", [np.float32(100)], **asked, folder=tmp_path)
    same = sledsim.response_curves(
        "osdi00", "fcfs", [100.0], count=200, seed=3, replications=2, folder=tmp_path
    )
    assert curves.rows() == same.rows()
    found = sledsim.sweep("random:rate=100", count=np.int64(200), seed=np.int64(3), folder=tmp_path / "sweep")
    assert found.done == 1
    with pytest.raises(sledsim.ParameterError, match="found a timedelta64"):
        sledsim.random_workload(DEVICE, rate_per_s=100, count=np.timedelta64(3, "s"))


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: sledsim.simulate(DEVICE, TRACE, shceduler="fcfs"), "scheduler"),  # type: ignore[call-arg]
        (lambda: sledsim.simulate(DEVICE, TRACE, colums="times"), "columns"),  # type: ignore[call-arg]
        (lambda: sledsim.sweep("demo", folder="x", sede=1), "seed"),  # type: ignore[call-arg]
        (lambda: sledsim.holds("mean < 1", "demo", treshold=1), "threshold"),  # type: ignore[call-arg]
    ],
)
def test_an_unknown_argument_names_the_one_that_was_meant(call: Callable[[], object], meant: str) -> None:
    with pytest.raises(TypeError, match=f"unexpected keyword argument .*: did you mean '{meant}'"):
        call()
