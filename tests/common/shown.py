"""An object of every class that a public function returns, by name."""

import inspect
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow

import sledsim
from sledsim import crash, design, papers, studies
from sledsim.emulator.checking import Verdict
from sledsim.papers import Statement, claim
from sledsim.papers.book.reactions import Reaction, Reactions
from sledsim.papers.robustness.result import Part, Robustness, Row
from sledsim.plausible import Setting

from ..disksim_files import write_drive
from ..public import public_names

OVER = {"settle_ms": [0.1, 0.2, 0.3], "overhead_ms": [0.1, 0.2]}
Maker = Callable[[str, Path], Any]


def device(name: str, kind: str = "osdi00") -> sledsim.Device:
    return sledsim.device(kind, name="".join(filter(str.isprintable, name)), description=name)


def trace(name: str, count: int = 300) -> sledsim.Trace:
    """Return requests with response times."""
    drawn = sledsim.random_workload(sledsim.device("hp-c2247a"), rate_per_s=40, count=count, seed=3)
    columns = {**drawn.columns(), "response_ns": np.full(count, 10**7)}
    return sledsim.Trace.from_columns(columns, source=name, device_names={0: name}, notes=(name,))


def _stream(name: str, folder: Path) -> sledsim.TraceStream:
    sledsim.write_trace(trace(name), folder / f"{name[:3].strip('</')}.parquet")
    return sledsim.open_trace(next(folder.glob("*.parquet")))


def _space(name: str, folder: Path) -> sledsim.results.FormatSpace:
    axes: dict[str, Any] = {"probes": [2048, 4096], "sectors": [1], "sector_bytes": [4096]}
    return sledsim.format_space(trace(name), device=device(name, "emsoft08"), **axes)


def _chapter(name: str, folder: Path) -> papers.Chapter:
    result = papers.Result(
        [device(name)], [_claim(name, folder)], {name: pyarrow.table({"a": [1]})}, {}, [name]
    )
    return papers.Chapter(_experiment(name, folder), result, quick=True)


def _claim(name: str, folder: Path) -> papers.Claim:
    return claim("002-C1", name, Statement(name, name, name, holds=False), reason=name)


def _experiment(name: str, folder: Path) -> papers.Experiment:
    return papers.Experiment("002-E-99", name, name, (1,), lambda quick: None)  # type: ignore[arg-type, return-value]


def _robustness(name: str, folder: Path) -> Robustness:
    part = Part(3, 0, 8, 0.4, 0.1, 0.6, None, "in a part", name, name, 0.8, 1.0, name)
    return Robustness((Row(name, name, name, name, (name,), 8, part, None),))


def _reactions(name: str, folder: Path) -> Reactions:
    under = {f"{name} {at}": Reaction(None, None, True) for at in range(100)}
    return Reactions(name, name, _claim(name, folder).verdict, None, None, under)


def _exploration(name: str, folder: Path) -> crash.Exploration:
    return crash.Exploration(100, 3, 20, _bad(name, folder))


def _bad(name: str, folder: Path) -> crash.Bad:
    writes = tuple(crash.Write(at, at, 0.1, 0, 512, False, "0", "0", "") for at in range(50))
    return crash.Bad(3, name, name, None, 1, name, True, 2, writes)


def _bounds(name: str, folder: Path) -> sledsim.results.Bounds:
    return sledsim.schedule_bounds(device(name), trace(name, 12), steps=10, moves=10)


def _comparison(name: str, folder: Path) -> sledsim.results.Comparison:
    return sledsim.compare(device(name), trace(name), ["fcfs", "sptf"], range(1, 9))


def _sweep(name: str, folder: Path) -> sledsim.results.Sweep:
    return sledsim.sweep(trace(name), device(name), folder=folder / "sweep", over=OVER)


def _holding(name: str, folder: Path) -> sledsim.results.Holding:
    return sledsim.holds("mean < 0.0009", trace(name), device(name), OVER, samples=64)


#: Functions that make one object of each class.
MAKERS: dict[type, Maker] = {
    sledsim.Device: lambda name, _: device(name),
    sledsim.Volume: lambda name, _: sledsim.volume("mirror", device={"device": "osdi00"}),
    sledsim.results.FaultyDevice: lambda name, _: sledsim.with_faults(
        device(name), {"check_tips": 8, "tip_failures": [{"tip": at, "at_s": 0.1} for at in range(50)]}
    ),
    sledsim.results.EpisodicDevice: lambda name, _: sledsim.with_episodes(
        device(name), [sledsim.Stall(at, 50) for at in range(1, 50)]
    ),
    sledsim.results.DeviceCheck: lambda name, _: sledsim.results.DeviceCheck(
        name, (sledsim.results.Checked("a", "b", name),)
    ),
    sledsim.results.ImportedDisk: lambda name, folder: sledsim.import_disksim(write_drive(folder)),
    sledsim.Trace: lambda name, _: trace(name),
    sledsim.TraceStream: _stream,
    sledsim.results.TraceStatistics: lambda name, _: sledsim.trace_statistics(trace(name)),
    sledsim.results.FittedWorkload: lambda name, _: sledsim.fit_workload(trace(name)),
    sledsim.Run: lambda name, _: sledsim.simulate(device(name), trace(name)),
    sledsim.results.Explanation: lambda name, _: sledsim.simulate(device(name), trace(name)).explain(5, ()),
    sledsim.results.Breakdown: lambda name, _: sledsim.breakdown(sledsim.simulate(device(name), trace(name))),
    sledsim.results.Overview: lambda name, _: sledsim.overview(trace(name), device(name)),
    sledsim.results.Fit: lambda name, _: sledsim.fit(device(name), trace(name)),
    sledsim.results.Comparison: _comparison,
    sledsim.results.Curves: lambda name, _: sledsim.trace_curves(
        device(name), trace(name), "fcfs", range(1, 15)
    ),
    sledsim.results.Validation: lambda name, _: sledsim.validate(device(name, "hp-c2247a"), trace(name)),
    sledsim.results.FormatSpace: _space,
    sledsim.results.Bounds: _bounds,
    sledsim.results.Sweep: _sweep,
    sledsim.results.Holding: _holding,
    sledsim.results.Sensitivity: lambda name, _: sledsim.sensitivity(
        trace(name), device(name), OVER, samples=64
    ),
    sledsim.results.Optimum: lambda name, _: sledsim.optimise(
        trace(name, 600), device(name), OVER, minimise=["mean", "energy"], budget=6
    ),
    sledsim.tips.TipCode: lambda name, _: sledsim.tips.tip_code(),
    sledsim.results.TipPlacement: lambda name, _: sledsim.tips.tip_placement(100, 64),
    studies.Study: lambda name, _: studies.run("seek-distance", device(name)),
    studies.Definition: lambda name, _: studies.find("seek-distance"),
    studies.sheet_options.Option: lambda name, _: studies.described(studies.seek_distance)[0],
    design.Space: lambda name, _: design.Space(device(name, "emsoft08")),
    papers.Claim: _claim,
    papers.Experiment: _experiment,
    papers.Chapter: _chapter,
    papers.Robustness: _robustness,
    papers.Reactions: _reactions,
    papers.Perturbation: lambda name, _: papers.Perturbation(name, name),
    papers.Verdict: lambda *_: papers.Verdict.SHAPE,
    Setting: lambda name, _: Setting(name, {}, {}, ()),
    crash.Bad: _bad,
    crash.Exploration: _exploration,
    Verdict: lambda name, _: Verdict(1, name * 50),
}
#: Small values and rows of tables: one line shows them whole.
LINES = {sledsim.tips.TipCode, studies.Definition, studies.sheet_options.Option, design.Space}
LINES |= {
    papers.Experiment,
    papers.Reactions,
    papers.Perturbation,
    papers.Verdict,
    Setting,
    crash.Bad,
    crash.Exploration,
    Verdict,
}
#: Classes that methods of results return.
OF_METHODS = {sledsim.results.Explanation}


def returned() -> set[type]:
    """Return the classes of the package that its public functions return."""
    found: set[type] = set()
    of_papers = {name: getattr(papers, name) for name in dir(papers)}
    rooms = [public_names(), of_papers, *map(vars, (studies, design, crash))]
    for room in rooms:
        for function in room.values():
            if inspect.isfunction(function) and function.__module__.startswith("sledsim"):
                names = {**inspect.unwrap(function).__globals__, "pyarrow": pyarrow, "Unpack": list}
                hints = typing.get_type_hints(inspect.unwrap(function), names)
                found |= set(_classes(hints.get("return")))
    return {kind for kind in found if kind.__module__.startswith("sledsim")}


def _classes(hint: Any) -> Iterator[type]:
    if isinstance(hint, type):
        yield hint
    for part in typing.get_args(hint):
        yield from _classes(part)
