"""Names of figures: no two figures of different meanings get one name where nested figures are flattened."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import sledsim
from sledsim.cli.replaying import Replayed
from sledsim.cli.run_tables import figures_of
from sledsim.runs.breakdown import breakdown
from sledsim.runs.overview import overview
from sledsim.runs.side_by_side import entry
from sledsim.traces.statistics import TraceStatistics, trace_statistics


def leaves(figures: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the path and value of each figure in nested figures; a list counts as one figure."""
    for key, value in figures.items():
        if isinstance(value, Mapping):
            yield from leaves(value, (*path, str(key)))
        else:
            yield (*path, str(key)), value


def groups(figures: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield each dictionary in nested figures."""
    yield figures
    for value in figures.values():
        if isinstance(value, Mapping):
            yield from groups(value)


def trace() -> sledsim.Trace:
    """Return reads, writes, discards and flushes of two devices, all with measured times."""
    at = np.arange(2000)
    op = np.where(at % 10 == 9, 3, np.where(at % 10 == 8, 2, at % 3 == 1)).astype(np.uint8)
    flushes = op == 3
    places = {"lbn": np.where(flushes, 0, at * 37 % 5000), "blocks": np.where(flushes, 0, 1 + at % 16)}
    times = {"arrival_ns": at * 10**7, "response_ns": 1 + at, "service_ns": 1 + at // 2}
    more = {"op": op, "device": (at % 5 > 2).astype(np.int32), "metadata": at % 4 == 0}
    return sledsim.Trace.from_columns({**places, **times, **more})


@pytest.fixture(scope="module")
def statistics() -> TraceStatistics:
    return trace_statistics(trace())


@pytest.fixture(scope="module")
def run() -> sledsim.Run:
    return sledsim.simulate("osdi00", trace(), past_end="wrap")


def nested(statistics: TraceStatistics, run: sledsim.Run) -> dict[str, Mapping[str, Any]]:
    """Return all nested figures of statistics and results."""
    seen, parts = overview(trace(), "osdi00"), breakdown(run)
    replayed = Replayed(run, sledsim.device("osdi00"), seen, parts=parts)
    return {
        "statistics": statistics.summary(),
        "figures": statistics.figures,
        **{f"device {row['device']}": row["figures"] for row in statistics.figures["devices"]},
        "run --json": figures_of(replayed),
        "overview": seen.row(),
        "breakdown": parts.row(),
        "summary": run.summary(),
        "totals": run.totals,
        "side by side": entry(run, "trace", parts).row(),
    }


def test_paths_of_figures_are_unique(statistics: TraceStatistics, run: sledsim.Run) -> None:
    for name, figures in nested(statistics, run).items():
        for mark in ("_", ".", " "):
            flat = [mark.join(path) for path, _ in leaves(figures)]
            assert len(set(flat)) == len(flat), name


def test_a_column_has_the_figure_of_its_name(statistics: TraceStatistics) -> None:
    table = statistics.devices
    for row, figures in zip(table.to_pylist(), statistics.figures["devices"], strict=True):
        for column in row.keys() - {"device", "name"}:
            # Groups with the same names have figures of one meaning, such as sizes of reads and of writes.
            every = groups(figures["figures"])
            owners = [group for group in every if not isinstance(group.get(column, {}), Mapping)]
            assert len({frozenset(group) for group in owners}) <= 1, f"{column} has two meanings"
            values = [group[column] for group in owners]
            assert not owners or row[column] in values or np.isnan(row[column]), column


def test_flushes_are_in_no_other_count(statistics: TraceStatistics, run: sledsim.Run) -> None:
    requests = trace()
    moves, flushes = requests.op <= 1, requests.op == 3
    counts = statistics.figures["overall"]["counts"]
    assert counts["flushes"] == flushes.sum() and counts["requests"] == moves.sum()
    for row in statistics.devices.to_pylist():
        of = requests.device == row["device"]
        assert row["flushes"] == (flushes & of).sum()
        assert row["requests"] == row["reads"] + row["writes"] == (moves & of).sum()
        assert row["metadata"] == (moves & of & requests.metadata).sum()
        assert row["written_bytes"] == 512 * requests.blocks[of & (requests.op == 1)].sum()
    sums = {name: sum(statistics.timeline[name].to_pylist()) for name in statistics.timeline.column_names[2:]}
    kinds = dict(zip(("reads", "writes", "discards", "flushes"), np.bincount(requests.op), strict=True))
    assert sums == {**kinds, "metadata": (moves & requests.metadata).sum()}
    sizes = statistics.sizes
    assert sum(sizes["reads"].to_pylist()) + sum(sizes["writes"].to_pylist()) == moves.sum()
    assert run.summary()["requests"] + run.summary()["flushes"] == len(requests) - (requests.op == 2).sum()
    parts = {part.name: part.requests for part in breakdown(run).parts if part.by == "operation"}
    assert parts["flushes"] == flushes.sum() and parts["reads"] + parts["writes"] == moves.sum()
