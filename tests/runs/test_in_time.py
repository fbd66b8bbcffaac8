"""The timeline of a run, as Perfetto reads it: every phase of every row, on its track, to the nanosecond."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import sledsim
from sledsim import ParameterError, Run

from .perfetto_reader import Slice, TraceFile

#: Column of each phase of a service.
PHASES = ("command", "wait", "positioning", "hold", "switch", "transfer")
#: Parts of positioning, by the axis that may decide it.
AXES = {"x": ("seek x", "settle"), "y": ("seek y", "turnaround")}


def simulated(target: str, policy: str, rate_per_s: float, count: int = 150, seed: int = 3) -> Run:
    device = sledsim.device(target)
    trace = sledsim.random_workload(device, rate_per_s=rate_per_s, count=count, seed=seed)
    return sledsim.simulate(device, trace, policy)


def written(run: Run, folder: Path, **window: float) -> TraceFile:
    return TraceFile(run.write_perfetto(folder / "run.pftrace", **window))


def check_service(run: Run, row: int, service: Slice) -> None:
    """Check that a slice has exactly the phases of its row, one after the other."""
    column = {name.removesuffix("_ns").replace("_", " "): int(run.columns[name][row]) for name in run.columns}
    phases = service.phases_ns()
    inside = {name: column[name] for name in PHASES if column[name]}
    assert {name: phases[name] for name in phases if name != "bus"} == inside
    ends_ns = [service.begin_ns, *(phase.end_ns for phase in service.inside)]
    assert [phase.begin_ns for phase in service.inside] == ends_ns[:-1]
    assert service.end_ns == ends_ns[-1], "phases add up"
    assert service.begin_ns == column["start"]
    for positioning in (phase for phase in service.inside if phase.name == "positioning"):
        parts = positioning.phases_ns()
        assert sum(parts.values()) <= positioning.lasts_ns
        if column["rotation"]:
            assert parts.get("rotation") == column["rotation"]
        elif not column["wait"]:
            took = {axis: column[first] + column[then] for axis, (first, then) in AXES.items()}
            longer, other = sorted(took, key=lambda axis: -took[axis])
            if any(took.values()):
                assert parts == {name: column[name] for name in AXES[longer] if column[name]}
                assert positioning.arguments == ({f"{other}_ns": took[other]} if took[other] else {})


def check_run(run: Run, file: TraceFile) -> None:
    """Check that a file has every row of a run on one device, and the waiting requests."""
    device = file.group("device")
    services = device.slices("requests")
    assert sorted(service.arguments["request"] for service in services) == list(range(len(run.requests)))
    for service in services:
        row = service.arguments["request"]
        op = "write" if run.columns["write"][row] else "read"
        sectors = int(run.columns["blocks"][row])
        assert service.name == f"{op} {f'{512 * sectors} B' if sectors % 2 else f'{sectors // 2} KiB'}"
        check_service(run, row, service)
    arrivals_ns, starts_ns = run.columns["arrival_ns"], run.columns["start_ns"]
    waited = [(int(a), int(s)) for a, s in zip(arrivals_ns, starts_ns, strict=True) if s > a]
    waiting = device.slices("waiting")
    assert sorted((one.begin_ns, one.end_ns) for one in waiting) == sorted(waited)
    values = device.values("requests waiting")
    for at_ns, number in dict(values).items():
        assert number == sum(begin <= at_ns < end for begin, end in waited)
    ends_ns = {service.end_ns: service.arguments["request"] for service in services}
    crosses = [(end, int(run.columns["completion_ns"][row])) for end, row in ends_ns.items()]
    found = [(bus.begin_ns, bus.end_ns) for bus in device.slices("bus")]
    assert found == sorted((end, until) for end, until in crosses if until > end), "phases add up"


def test_data_that_wait_for_the_bus_are_shown_as_long_as_they_do(tmp_path: Path) -> None:
    device = sledsim.device("osdi00", bus_mb_per_s=8.0)
    trace = sledsim.random_workload(device, rate_per_s=900, count=150, seed=3)
    run = sledsim.simulate(device, trace, "sptf")
    check_run(run, written(run, tmp_path))


@pytest.mark.dear("many requests are simulated and computed again", cases=("3000.0-disksim-g3",))
@pytest.mark.parametrize("name", sorted(sledsim.devices()))
@pytest.mark.parametrize("rate_per_s", [20.0, 3000.0])
def test_every_row_of_every_device_is_there(name: str, rate_per_s: float, tmp_path: Path) -> None:
    run = simulated(name, "sptf", rate_per_s)
    check_run(run, written(run, tmp_path))


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@settings(deadline=None, max_examples=15)
@given(
    policy=st.sampled_from(sorted(set(sledsim.schedulers()) - {"optimal"})),
    rate_per_s=st.floats(50, 5000),
    seed=st.integers(0, 2**32 - 1),
)
def test_phases_add_up_under_every_policy(
    policy: str, rate_per_s: float, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    run = simulated("mascots03", policy, rate_per_s, 60, seed)
    check_run(run, written(run, tmp_path_factory.mktemp("run")))


def in_bursts(subject: sledsim.Device | sledsim.Volume, count: int = 60, seed: int = 4) -> sledsim.Trace:
    """Return requests at whole milliseconds: most share a time, and some follow seconds without any."""
    drawn = np.random.default_rng(seed)
    gaps_ms = drawn.choice([0, 1, 5, 1000, 4000], count, p=[0.6, 0.2, 0.1, 0.08, 0.02])
    columns = sledsim.random_workload(subject, rate_per_s=100, count=count, seed=seed).columns()
    return sledsim.Trace.from_columns({**columns, "arrival_ns": np.cumsum(gaps_ms) * 1_000_000})


def energy_j(values: list[tuple[int, int]], end_ns: int) -> float:
    """Integrate a power in microwatts, whose last value holds until the end."""
    times_ns, powers_uw = np.array(values, np.int64).T
    return float(np.sum(powers_uw * np.diff([*times_ns, max(end_ns, int(times_ns[-1]))]))) * 1e-15


#: Devices, each with a parameter that decides its work between requests.
POWERED = [
    *(("osdi00-power", {"power_policy": policy}) for policy in ("always-on", "immediate", "timeout:ms=500")),
    ("osdi00-power", {"power_policy": "adaptive", "shutdown_energy_mj": 2.0, "startup_ms": 3.0}),
    ("osdi00-erase", {"erase_management": "log"}),
    ("osdi00-erase", {"erase_management": "in-place"}),
    ("cf-card", {"inactive_after_ms": 1000.0}),
]


def powered(name: str | None, device: str, parameters: dict[str, object]) -> sledsim.Device | sledsim.Volume:
    """Return a device, or a volume of a kind whose members are such devices."""
    if name is None:
        return sledsim.device(device, **parameters)
    roles = sledsim.listings.volume_roles(name)
    changed = {f"{role}.{key}": value for role in roles for key, value in parameters.items()}
    return sledsim.volume(name, **dict.fromkeys(roles, device), **changed)


@pytest.mark.dear("many requests are simulated and computed again", cases=("sleds-0", "raid5-3"))
@pytest.mark.parametrize("at", range(len(POWERED)))
@pytest.mark.parametrize("name", [*sorted(sledsim.volumes()), None])
def test_power_over_time_is_the_energy_of_every_device(name: str | None, at: int, tmp_path: Path) -> None:
    subject = powered(name, *POWERED[at])
    run = sledsim.simulate(subject, in_bursts(subject))
    file = written(run, tmp_path)
    end_ns = int(run.columns["completion_ns"].max())
    for one in run.devices:
        found_j = energy_j(file.group(one["device"]).values("power"), end_ns)
        assert found_j == pytest.approx(one["energy_j"], rel=1e-4), one["device"]


def at_time(values: list[tuple[int, int]], at_ns: int) -> int | None:
    """Return the value at a time, None before the first."""
    before = [value for when, value in values if when <= at_ns]
    return before[-1] if before else None


@pytest.mark.parametrize("to_s", [1.5, 2.5, 9.0])
def test_power_in_a_window_is_that_of_the_whole_run(to_s: float, tmp_path: Path) -> None:
    subject = powered("sleds", *POWERED[2])
    run = sledsim.simulate(subject, in_bursts(subject))
    whole, window = written(run, tmp_path), written(run, tmp_path, from_s=0.9, to_s=to_s)
    compared = 0
    for one in run.devices:
        expected, found = (file.group(one["device"]).values("power") for file in (whole, window))
        begins_ns = found[0][0] if found else int(to_s * 1e9)
        for at_ns in range(begins_ns, int(to_s * 1e9), 1_000_000):
            assert at_time(found, at_ns) == at_time(expected, at_ns)
            compared += 1
    assert compared > 100


def test_the_sled_is_where_requests_are(tmp_path: Path) -> None:
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=900, count=80, seed=5)
    run = sledsim.simulate(device, trace, "fcfs")
    file = written(run, tmp_path).group("device")
    parameters = device.parameters
    for axis in ("x", "y"):
        values = file.values(f"sled {axis}")
        assert all(0 <= value <= parameters[f"stroke_{axis}_nm"] for _, value in values)
        # The medium has 2,500 places in x, and 28 row boundaries in y, passed in either direction.
        assert len({value for _, value in values}) > (60 if axis == "x" else 20)
    ends = {service.end_ns: service.arguments["request"] for service in file.slices("requests")}
    found = dict(file.values("sled x"))
    bit_nm = parameters["bit_width_nm"]
    for end_ns, row in ends.items():
        if run.columns["switches"][row] == 0:
            cylinder = device.locate(int(run.columns["lbn"][row]))["cylinder"]
            assert found[end_ns] == pytest.approx(cylinder * bit_nm, abs=2 * bit_nm)


@pytest.mark.dear("many requests are simulated and computed again", cases=("virtual-disk",))
@pytest.mark.parametrize("name", sorted(sledsim.volumes()))
def test_parts_are_on_the_tracks_of_members(name: str, tmp_path: Path) -> None:
    volume = sledsim.volume(name)
    trace = sledsim.random_workload(volume, rate_per_s=300, count=200, seed=9)
    run = sledsim.simulate(volume, trace)
    file = written(run, tmp_path)
    assert file.groups == ["host", *(device["device"] for device in run.devices)]
    arrivals_ns, completions_ns = run.columns["arrival_ns"], run.columns["completion_ns"]
    of_host = {one.arguments["request"]: one for one in file.group("host").slices("requests")}
    for row in range(len(trace)):
        times = (int(arrivals_ns[row]), int(completions_ns[row]))
        assert times[0] == times[1] or (of_host[row].begin_ns, of_host[row].end_ns) == times
    for device in run.devices:
        parts = file.group(device["device"]).slices("requests")
        assert len(parts) == device["requests"] + device["background_requests"]
        for before, after in pairwise(parts):
            assert before.end_ns <= after.begin_ns
        for part in parts:
            assert sum(part.phases_ns().values()) == part.lasts_ns
            if (row := part.arguments.get("request")) is not None:
                assert arrivals_ns[row] <= part.begin_ns <= completions_ns[row]


def test_every_part_of_a_stripe_names_its_request(tmp_path: Path) -> None:
    volume = sledsim.volume("stripe")
    trace = sledsim.random_workload(volume, rate_per_s=300, count=200, seed=9)
    run = sledsim.simulate(volume, trace)
    file = written(run, tmp_path)
    parts = [part for device in run.devices for part in file.group(device["device"]).slices("requests")]
    counted = np.bincount([part.arguments["request"] for part in parts], minlength=len(trace))
    assert counted.tolist() == run.columns["parts"].tolist()


def test_a_window_has_the_services_that_reach_into_it(tmp_path: Path) -> None:
    run = simulated("osdi00", "sptf", 1500.0, 400)
    whole = written(run, tmp_path).group("device").slices("requests")
    starts_ns, completions_ns = run.columns["start_ns"], run.columns["completion_ns"]
    from_ns, to_ns = int(starts_ns[100]), int(completions_ns[180])
    file = written(run, tmp_path, from_s=from_ns * 1e-9, to_s=to_ns * 1e-9)
    expected = [
        one for one in whole if one.begin_ns <= to_ns and completions_ns[one.arguments["request"]] >= from_ns
    ]
    device = file.group("device")
    assert device.slices("requests") == expected
    assert 0 < len(expected) < len(whole)
    arrivals_ns = run.columns["arrival_ns"]
    values = device.values("requests waiting")
    assert all(from_ns <= at_ns <= to_ns for at_ns, _ in values)
    for at_ns, number in dict(values).items():
        assert number == np.sum((arrivals_ns <= at_ns) & (starts_ns > at_ns))


def test_a_request_takes_at_most_200_bytes(tmp_path: Path) -> None:
    """Most slices are written if all requests wait."""
    run = simulated("osdi00", "sptf", 2000.0, 20_000)
    assert np.mean(run.columns["start_ns"] > run.columns["arrival_ns"]) > 0.99
    file = run.write_perfetto(tmp_path / "run.pftrace")
    assert file.stat().st_size <= 200 * 20_000


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    run = simulated("osdi00", "sptf", 900.0)
    path = run.write(tmp_path / "run.parquet")
    first, second = run.write_perfetto(tmp_path / "1.pftrace"), tmp_path / "2.pftrace"
    sledsim.read_run(path).write_perfetto(second)
    assert first.read_bytes() == second.read_bytes()


def test_unwritable_results_are_reported(tmp_path: Path) -> None:
    run = simulated("osdi00", "sptf", 900.0)
    path = tmp_path / "run.pftrace"
    with pytest.raises(ParameterError, match=r"starts \(--until\), found 2 s to 1 s"):
        run.write_perfetto(path, from_s=2, to_s=1)
    with pytest.raises(ParameterError, match="found nan s"):
        run.write_perfetto(path, from_s=float("nan"))
    with pytest.raises(ParameterError, match="serves a request, found the window from 1000 s to 1001 s"):
        run.write_perfetto(path, from_s=1000, to_s=1001)
    with pytest.raises(ParameterError, match=r"run\.json: expected a name that ends in"):
        run.write_perfetto(tmp_path / "run.json")
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=900, count=10, seed=1)
    with pytest.raises(sledsim.errors.NotKeptError, match="lbn: a column that this run did not keep"):
        sledsim.simulate(device, trace, columns="times").write_perfetto(path)
    assert list(tmp_path.iterdir()) == []


def test_a_result_of_another_version_has_to_come_out_the_same(tmp_path: Path) -> None:
    run = simulated("osdi00", "sptf", 900, count=20)
    old = replace(run, settings=replace(run.settings, version="0.1.0"))
    assert written(old, tmp_path).group("device").slices("requests")
    late = {
        **run.columns,
        "completion_ns": run.columns["completion_ns"] + np.eye(1, 20, 7, dtype=np.int64)[0],
    }
    with pytest.raises(sledsim.TraceError, match=r"request 7: expected completion at \d+ ns, as in the"):
        replace(old, columns=late).write_perfetto(tmp_path / "late.pftrace")
    assert not (tmp_path / "late.pftrace").exists()


def test_a_run_that_changed_its_policy_is_not_run_again() -> None:
    device = sledsim.device("osdi00")
    simulation = sledsim.Simulation(device, "sptf")
    simulation.submit([0, 0], [1000, 9000], 8, False)
    run = simulation.copy("fcfs").finish()
    ways: list[Callable[[], object]] = [
        run.again,
        lambda: run.explain(0),
        lambda: run.write_perfetto("no.pftrace"),
    ]
    for again in ways:
        with pytest.raises(ParameterError, match=r"scheduler: the policy changed .*sptf, from 0 ns"):
            again()
