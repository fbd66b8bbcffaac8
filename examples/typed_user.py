"""Use sledsim in strictly typed code, in which ``mypy --strict examples/typed_user.py`` finds no error.

``python examples/typed_user.py`` runs the example.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

import sledsim
from sledsim.model.scheduling import Waiting


def nearest(now_s: float, waiting: Waiting) -> np.intp:
    """Return the index of the waiting request with the shortest positioning time: a custom policy."""
    return np.argmin(waiting["positioning_s"])


def devices() -> list[sledsim.Device | sledsim.Volume]:
    """Return the compared systems: a device, the same device with two sleds, and a mirror."""
    base = sledsim.device("osdi00", settle_ms=0.2)
    return [base, base.with_parameters(sleds=2), sledsim.volume("mirror")]


def responses(run: sledsim.Run) -> NDArray[np.float64]:
    """Return the response times of a run in milliseconds."""
    return run.response_ns.astype(np.float64) / 1e6


def once(trace: sledsim.Trace) -> dict[str, float]:
    """Return the mean response time in ms to a trace, by name of the device or volume."""
    return {target.name: float(responses(sledsim.simulate(target, trace)).mean()) for target in devices()}


def several(trace: sledsim.Trace, folder: Path) -> list[str]:
    """Run one study of each kind on a trace, and return sentences about the results."""
    device = sledsim.device("osdi00")
    over = {"settle_ms": [0.1, 0.2, 0.3], "overhead_ms": [0.1, 0.2]}
    compared: sledsim.results.Comparison = sledsim.compare(device, trace, ["fcfs", "sptf"], scales=[1, 2])
    curves: sledsim.results.Curves = sledsim.response_curves(
        device, "sptf", [200.0], count=500, progress=False
    )
    swept: sledsim.results.Sweep = sledsim.sweep(trace, device, over=over, folder=folder)
    held: sledsim.results.Holding = sledsim.holds("mean < 0.001", trace, device, over, samples=16)
    found: sledsim.results.Sensitivity = sledsim.sensitivity(trace, device, over, samples=64)
    best: sledsim.results.Optimum = sledsim.optimise(trace, device, over, minimise="mean", budget=6)
    bounds: sledsim.results.Bounds = sledsim.schedule_bounds(device, trace.rows(slice(0, 12)))
    statistics: sledsim.results.TraceStatistics = sledsim.trace_statistics(trace)
    study: sledsim.studies.Study = sledsim.studies.run("data-sheet", device)
    fewest = min(compared.rows(), key=lambda row: float(row["mean_response_s"]))
    saturation = curves.saturation("sptf").sustained
    return [
        f"The fastest policy is {fewest['scheduler']}; {swept.done} points were run.",
        f"Sustained: {saturation} requests/s." if saturation is not None else "No rate is sustained.",
        held.sentence(),
        best.sentence(),
        *found.in_words(),
        f"No order takes less than {bounds.lower_bound_s * 1e3:.2f} ms.",
        f"{len(statistics):,} requests; the data sheet has {study.table.num_rows} rows.",
    ]


def by_steps(requests: int) -> int:
    """Submit requests to a simulation, advance it by a second, and return the number completed."""
    simulation = sledsim.Simulation(sledsim.device("osdi00"), "sptf")
    number: int = simulation.submit(arrival_ns=0, lbn=1000, blocks=8, write=False)
    arrivals_ns = np.arange(1, requests, dtype=np.int64) * 1_000_000
    numbers: NDArray[np.int64] = simulation.submit(arrivals_ns, lbn=5000, blocks=8, write=True)
    completions: sledsim.results.Completions = simulation.advance(1_000_000_000)
    return len(completions.id) if number < int(numbers[0]) else 0


def main() -> None:
    """Print the results of each function."""
    sledsim.extend.register_scheduler("nearest", nearest)
    trace = sledsim.demo_trace().rows(slice(0, 300))
    print(once(trace))
    with TemporaryDirectory() as folder:
        run = sledsim.simulate(sledsim.device("osdi00"), trace, "nearest", columns=["times", "energy_j"])
        again: sledsim.Run = sledsim.read_run(run.write(Path(folder) / "run.parquet"))
        print(again.summary()["p99_response_s"], again.requests.num_rows)
        print(*several(trace, Path(folder) / "sweep"), sep="\n")
    print(by_steps(100))


if __name__ == "__main__":
    main()
