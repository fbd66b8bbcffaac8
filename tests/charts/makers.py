"""Makers of pages of every kind of result, with names that a test chooses."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

import sledsim
from sledsim import papers, studies
from sledsim.emulator.certificate import certificate
from sledsim.emulator.timing_figures import timing_figures
from sledsim.papers import Statement, claim
from sledsim.papers.robustness.result import Part, Robustness, Row
from sledsim.papers.robustness.running import NAMES
from sledsim.runs.side_by_side import Entry, entry
from sledsim.runs.validation import validate
from sledsim.traces.statistics import trace_statistics

from ..emulator.synthetic import synthetic

pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")

from sledsim.charts.explanation_page import write_explanations
from sledsim.charts.side_by_side_page import write_side_by_side
from sledsim.charts.timing_report import write_report
from sledsim.papers.robustness.chart import write_plots as write_chart

PLAIN = "plain"
Maker = Callable[[str, Path], object]


def printable(name: str) -> str:
    """Names of devices: texts without control characters."""
    return "".join(letter for letter in name if letter.isprintable())


def device(name: str, kind: str = "osdi00") -> sledsim.Device:
    return sledsim.device(kind, name=name, description=name)


def trace_of(name: str, count: int = 200) -> sledsim.Trace:
    drawn = sledsim.random_workload(sledsim.device("hp-c2247a"), rate_per_s=40, count=count, seed=3)
    responses = {"response_ns": np.full(count, 10**7)}
    return sledsim.Trace.from_columns(
        {**drawn.columns(), **responses}, source=name, device_names={0: name}, notes=(name,)
    )


def make_comparison(name: str, folder: Path) -> None:
    found = sledsim.compare(device(printable(name)), trace_of(name), ["fcfs", "sptf"])
    replace(found, points=renamed(found.points, name)).write_plots(folder)


def make_curves(name: str, folder: Path) -> None:
    trace = trace_of(name, 600)
    found = sledsim.trace_curves(device(printable(name)), trace, ["fcfs", "sptf"], [1.0, 2.0])
    replace(found, points=renamed(found.points, name)).write_plots(folder)


def renamed(points: Any, name: str) -> list[Any]:
    """Return points with policies of that name: a registered policy has letters only, a file any text."""
    return [replace(point, scheduler=f"{point.scheduler}:{name}") for point in points]


def make_power(name: str, folder: Path) -> None:
    run = sledsim.simulate(device(printable(name)), trace_of(name))
    run.write_power_plots(folder / "of run")
    run.report(folder / "of run" / "run.html")
    # The same, out of a file in which somebody has changed the names.
    path = sledsim.simulate(sledsim.volume("mirror:devices=2"), trace_of(PLAIN)).write(folder / "run.parquet")
    table = pyarrow.parquet.read_table(path)
    about = json.loads(table.schema.metadata[b"sledsim"])
    about["trace"] = printable(name)
    about["totals"]["devices"][0]["name"] = printable(name)
    about["totals"]["volumes"][0][0] = printable(name)
    metadata = {b"sledsim": json.dumps(about).encode()}
    pyarrow.parquet.write_table(table.replace_schema_metadata(metadata), path)
    sledsim.read_run(path).write_power_plots(folder / "of file")
    sledsim.read_run(path).report(folder / "of file" / "run.html")


def make_run(name: str, folder: Path) -> None:
    sledsim.simulate(device(printable(name)), trace_of(name)).write_plots(folder)


def make_runs(name: str, folder: Path) -> None:
    """Several, one of which could not be run."""
    on = device(printable(name))
    wrong = Entry(printable(name), error=printable(name))
    runs = [sledsim.simulate(on, trace_of(name), scheduler) for scheduler in ("fcfs", "sptf")]
    runs.append(sledsim.simulate(on, trace_of(name), columns="none"))
    folder.mkdir(exist_ok=True)
    write_side_by_side([*map(entry, runs), wrong], folder / "runs.html")


def make_explanation(name: str, folder: Path) -> None:
    run = sledsim.simulate(device(printable(name)), trace_of(name))
    made = run.explain(run.slowest(2), ("policy", "parameter"), workers=1)
    made[0].write_plots(folder)
    made[0].report(folder / "one.html")
    write_explanations(made, folder / "page.html")


def make_space(name: str, folder: Path) -> None:
    axes: dict[str, Any] = {"probes": [2048, 4096], "sectors": [1], "sector_bytes": [4096]}
    sledsim.format_space(trace_of(name), device=device(printable(name), "emsoft08"), **axes).write_plots(
        folder
    )


def make_studies(name: str, folder: Path) -> None:
    few = {"count": 50, "values": [30], "step_bits": 401, "traces": ["demo"], "simulated_requests": 1000}
    for row in studies.STUDIES:
        options = {key: few[key] for key in studies.option_names(row.table) if key in few}
        made = studies.run(row.name, device(printable(name)), **options)
        # Pictures take long, and are all drawn by the same function.
        from sledsim.charts.style import save_chart

        for ending in ("html", "svg") if row.name == "data-sheet" else ("html",):
            save_chart(made.plot(), folder / f"{row.name}.{ending}")


def make_statistics(name: str, folder: Path) -> None:
    trace_statistics(trace_of(name)).write_plots(folder)


def make_validation(name: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    validate(device(printable(name), "hp-c2247a"), trace_of(name)).write_plots(folder)


def make_plausible(name: str, folder: Path, ask: Callable[..., Any]) -> None:
    """The workload has the name; that of a device is of a file, and so has no control characters."""
    trace = sledsim.demo_trace().rows(slice(0, 300))
    over = {"settle_ms": [0.1, 0.2, 0.3], "overhead_ms": [0.1, 0.2]}
    ask(replace(trace, source=name), device(printable(name)), over).write_plots(folder)


def make_holding(name: str, folder: Path) -> None:
    def ask(*given: Any) -> sledsim.results.Holding:
        return sledsim.holds("mean < 0.001", *given, samples=8, indices=False)

    make_plausible(name, folder, ask)


def make_sensitivity(name: str, folder: Path) -> None:
    make_plausible(name, folder, lambda *given: sledsim.sensitivity(*given, samples=64))


def make_sweep(name: str, folder: Path) -> None:
    trace = replace(sledsim.demo_trace().rows(slice(0, 100)), source=name)
    over = {"settle_ms": [0.1, 0.2, 0.3], "sleds": [1, 2]}
    asked = {"folder": folder / "ledger", "over": over, "scales": [1, 2]}
    sledsim.sweep(trace, device(printable(name)), ["fcfs", "sptf"], **asked).write_plots(folder)


def make_optimum(name: str, folder: Path) -> None:
    trace = replace(sledsim.demo_trace().rows(slice(0, 300)), source=name)
    asked: dict[str, Any] = {"minimise": ["mean", "energy"], "budget": 16}
    over = {"settle_ms": [0.1, 0.2, 0.3], "sleds": [1, 2]}
    sledsim.optimise(trace, device(printable(name)), over, **asked).write_plots(folder)


def make_robustness(name: str, folder: Path) -> None:
    """A table that somebody has changed."""
    part = Part(3, 0, 8, 0.4, 0.1, 0.6, None, "in a part", name, name, 0.8, 1.0, name)
    found = Robustness((Row(name, name, name, name, (name,), 8, part, None),))
    write_chart(found, folder / "chart")
    papers.write_robustness(Robustness((replace(found.rows[0], claim=next(iter(NAMES))),)), folder / "book")


def make_timing(name: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    served = synthetic(100, name=printable(name), host=name, kernel=name)
    timing_figures(served).write_plots(folder)
    write_report(served, certificate(served), folder / "report.html")


def make_book(name: str, folder: Path) -> None:
    compared = sledsim.compare(device(printable(name)), trace_of(name), ["fcfs"])
    rows = pyarrow.table({printable(name): [printable(name)], "mean_response_s": [1.0]})
    found = [
        claim("002-C1", name, Statement(name, name, name, holds=False), reason=name),
        claim("002-C2", name, Statement(name, name, name, holds=True)),
    ]
    result = papers.Result([device(printable(name))], found, {name: rows}, {name: compared.plot}, [name])
    row = papers.Experiment("002-E-99", name, name, (1,), lambda quick: result)
    # A table that somebody has changed.
    noticed = {
        "id": name,
        "experiment": name,
        "verdict": "reproduced",
        "under": {name: {"verdict": None, "moved": True}},
    }
    (folder / "reactions.json").write_text(json.dumps({"version": name, "claims": [noticed]}))
    papers.write_book([papers.Chapter(row, result, quick=True, traces=Path(name.replace("\0", "")))], folder)
    # A record that somebody has changed.
    shutil.copy(folder / "002-E-99.html", folder / "002-E-98.html")
    kept = json.loads((folder / "verdicts" / "002-E-99.json").read_text())
    kept |= {"id": "002-E-98", "title": name, "notes": [name], "devices": [name]}
    (folder / "verdicts" / "002-E-98.json").write_text(json.dumps(kept))
    papers.write_book([], folder)


#: Makers of pages of each kind of result with a chart, of studies and of the book.
MAKERS: dict[str, Maker] = {
    "Comparison": make_comparison,
    "Curves": make_curves,
    "Explanation": make_explanation,
    "Power": make_power,
    "Run": make_run,
    "several runs": make_runs,
    "FormatSpace": make_space,
    "Holding": make_holding,
    "Sensitivity": make_sensitivity,
    "Sweep": make_sweep,
    "Study": make_studies,
    "TimingFigures": make_timing,
    "TraceStatistics": make_statistics,
    "Validation": make_validation,
    "Optimum": make_optimum,
    "book": make_book,
    "robustness": make_robustness,
}
