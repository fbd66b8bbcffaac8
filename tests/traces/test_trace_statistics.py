"""Statistics of traces: the published figures of real ones, and the output of the command."""

import csv
import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.charts.trace_chart import trace_chart
from sledsim.common.tabular import joined
from sledsim.traces.statistics import TraceStatistics, trace_statistics

from ..conftest import Cli, leftovers

TRACES = Path(__file__).parents[3] / "shared" / "traces"
needs_traces = pytest.mark.skipif(not TRACES.is_dir(), reason="the real traces are not beside this checkout")

#: Table of the repository's captures: reads and writes, share of reads, mean sizes of reads and writes in
#: bytes, flushes, shares of metadata of all and of writes in per cent, span in seconds.
CAPTURES = {
    "ext3-4k": (7642, 46.0, 49213, 28533, 535, 9.5, 14.9, 232.0),
    "ext3-1k": (9966, 51.6, 33485, 22083, 545, 13.6, 17.4, 247.7),
    "ext2-4k": (6181, 56.3, 49662, 37945, 373, 13.0, 26.2, 226.1),
    "ext2-1k": (8337, 60.8, 33908, 29635, 373, 18.2, 30.6, 240.3),
    "ext4-4k": (4833, 62.7, 56592, 62358, 546, 12.4, 29.6, 224.0),
}


def check_capture(found: TraceStatistics, name: str) -> None:
    """Compare with the table, in the digits of the table."""
    overall = found.summary()["overall"]
    counts = overall["counts"]
    requests, read_share, read_bytes, written_bytes, flushes, metadata, of_writes, span_s = CAPTURES[name]
    assert counts["reads"] + counts["writes"] == requests
    assert counts["flushes"] == flushes
    assert round(100 * counts["read_share"], 1) == read_share
    assert round(overall["reads"]["mean_bytes"]) == read_bytes
    assert round(overall["writes"]["mean_bytes"]) == written_bytes
    assert round(100 * counts["metadata_share"], 1) == metadata
    assert round(100 * counts["metadata_share_of_writes"], 1) == of_writes
    assert counts["span_s"] == pytest.approx(span_s, abs=0.06)


@pytest.fixture(scope="module")
def demo() -> TraceStatistics:
    return trace_statistics(sledsim.demo_trace())


def test_the_bundled_trace_has_its_published_figures(demo: TraceStatistics) -> None:
    check_capture(demo, "ext4-4k")


@needs_traces
@pytest.mark.parametrize("name", CAPTURES)
def test_the_captures_have_their_published_figures(name: str) -> None:
    check_capture(trace_statistics(TRACES / "fs-captures" / name / f"{name}.blktrace.0.gz"), name)


@needs_traces
def test_hplajw_has_its_published_figures() -> None:
    found = trace_statistics(TRACES / "hp-srt" / "hplajw-1week-1992.srt.zst").summary()["overall"]
    counts, arrivals = found["counts"], found["arrivals"]["all"]
    assert (counts["requests"], counts["reads"]) == (44519, 13040)
    assert round(100 * counts["metadata_share"], 1) == 57.2
    assert round(100 * counts["metadata_share_of_writes"], 1) == 74.1
    assert round(counts["span_s"] / 86400, 2) == 6.98
    assert [round(found[kind]["mean_bytes"]) for kind in ("reads", "writes")] == [4718, 6410]
    assert arrivals["seconds"]["median"] == pytest.approx(0.023, rel=0.03)
    assert arrivals["seconds"]["p10"] == pytest.approx(0.18e-3, rel=0.03)
    assert arrivals["seconds"]["mean"] == pytest.approx(13.5, abs=0.05)
    assert round(100 * found["places"]["sequential_share_of_reads"], 1) == 0.6
    assert round(100 * found["places"]["sequential_share_of_writes"], 1) == 1.7
    assert found["service_s"]["mean"] == pytest.approx(25.1e-3, abs=0.05e-3)
    assert found["response_s"]["mean"] == pytest.approx(116.7e-3, abs=0.05e-3)
    assert found["response_s"]["median"] == pytest.approx(32.1e-3, rel=0.02)
    table = {
        row["name"]: [row[key] for key in ("requests", "reads", "sync", "async", "flush_daemon")]
        + [round(row["mean_bytes"])]
        for row in found["classes"]
    }
    assert table["inode"] == [17180, 1128, 7811, 8241, 9640, 8192]
    assert table["user data"] == [11923, 4100, 1838, 7414, 1692, 6557]
    assert table["cylinder group"] == [2640, 201, 753, 1685, 2427, 2053]


@needs_traces
def test_cello_has_its_published_figures() -> None:
    summary = trace_statistics(TRACES / "hp-srt" / "cello-hourly-2003.srt.zst").summary()
    found = summary["overall"]
    assert (found["counts"]["requests"], len(summary["devices"])) == (43000, 77)
    assert round(100 * found["counts"]["read_share"], 1) == 24.6
    assert round(found["transfers"]["mean_bytes"], -2) == 15900
    assert round(100 * found["places"]["sequential_share_of_reads"]) == 19
    assert round(100 * found["places"]["sequential_share_of_writes"]) == 30
    assert max(row["share"] for row in found["classes"]) == pytest.approx(0.386, abs=0.0005)


def test_a_trace_its_file_and_its_batches_have_the_same(demo: TraceStatistics, trace_file: Path) -> None:
    trace = sledsim.demo_trace()
    parts = (trace.rows(slice(first, first + 1000)) for first in range(0, len(trace), 1000))
    assert trace_statistics(parts).summary()["overall"] == demo.summary()["overall"]
    of_file = trace_statistics(trace_file).summary()
    assert of_file["overall"] == trace_statistics(sledsim.read_trace(trace_file)).summary()["overall"]
    assert of_file["source"] == str(trace_file)


def test_figures_are_those_of_the_columns(demo: TraceStatistics) -> None:
    trace = sledsim.demo_trace().transfers()
    end = trace.lbn + trace.blocks
    sequential = trace.lbn[1:] == end[:-1]
    overall = demo.summary()["overall"]
    assert overall["places"]["sequential_share"] == pytest.approx(sequential.sum() / len(trace), abs=1e-15)
    blocks = {
        block
        for lbn, after in zip(trace.lbn.tolist(), end.tolist(), strict=True)
        for block in range(lbn // 8, (after - 1) // 8 + 1)
    }
    assert overall["footprint"]["touched_bytes"] == 4096 * len(blocks)
    reads = np.diff(trace.arrival_ns[~trace.write])
    assert overall["arrivals"]["reads"]["share_below_1_ms"] == pytest.approx(np.mean(reads < 1e6), abs=1e-15)
    curve = [row for row in demo.inter_arrivals.to_pylist() if row["class"] == "reads"]
    for row in curve[:: len(curve) // 20]:
        assert row["share"] == pytest.approx(np.mean(reads <= row["seconds"] * 1e9 + 0.5), abs=1e-12)
    assert curve[-1]["share"] == 1


def test_a_row_of_a_device_holds_what_was_written_and_no_flushes() -> None:
    trace = sledsim.demo_trace()
    found = trace_statistics(trace)
    (row,) = found.devices.to_pylist()
    moves = np.isin(trace.op, (0, 1))
    assert 0 < moves.sum() < len(trace)
    written = trace.op == 1
    assert row["written_bytes"] == 512 * int(trace.blocks[written].astype(int).sum())
    assert row["distinct_written_bytes"] < row["written_bytes"]
    gaps = np.diff(trace.arrival_ns[moves])
    assert row["cv2_inter_arrival"] == pytest.approx(gaps.var() / gaps.mean() ** 2, rel=1e-9)
    assert row["mean_response_s"] == pytest.approx(
        trace.response_ns[moves & (trace.response_ns > 0)].mean() * 1e-9
    )


def test_rates_are_those_of_reads_and_writes() -> None:
    times_ns = np.array([0, 50, 51, 52, 100], np.int64) * 10**9
    blocks = np.array([0, 8, 8, 8, 64], np.int32)
    kinds = np.array([3, 0, 1, 0, 2], np.int8)
    columns = {"arrival_ns": times_ns, "lbn": np.arange(5) * 100, "blocks": blocks, "op": kinds}
    counts = trace_statistics(sledsim.Trace.from_columns(columns)).figures["overall"]["counts"]
    assert (counts["requests"], counts["flushes"], counts["discards"]) == (3, 1, 1)
    assert (counts["span_s"], counts["rate_per_s"], counts["rate_bytes_per_s"]) == (100, 1, 3 * 4096 / 2)


def test_no_figure_of_a_row_takes_the_place_of_another() -> None:
    assert joined({"a": 1}, {"b": 2}) == {"a": 1, "b": 2}
    with pytest.raises(ValueError, match="two figures of a row are named a"):
        joined({"a": 1}, {"b": 2}, {"a": 1})


def test_interleaved_requests_are_logically_sequential() -> None:
    trace = sledsim.Trace(arrival_ns=np.arange(4), lbn=[0, 8, 24, 40], blocks=np.full(4, 8))
    shares = [
        trace_statistics(trace, interleave_sectors=gap).summary()["overall"]["places"] for gap in (0, 8)
    ]
    assert [row["sequential_share"] for row in shares] == [0.25, 0.25]
    assert [row["logical_sequentiality"] for row in shares] == [0.25, 0.75]


def test_unsuitable_options_are_reported() -> None:
    found = trace_statistics(sledsim.demo_trace(), bitmap_bytes=100).summary()
    assert not found["is_footprint_whole"]
    assert found["overall"]["footprint"]["touched_bytes"] == 0
    with pytest.raises(
        sledsim.ParameterError, match="interleave_sectors = -1: expected a whole number from 0"
    ):
        trace_statistics(sledsim.demo_trace(), interleave_sectors=-1)


def test_batches_out_of_order_are_refused() -> None:
    trace = sledsim.demo_trace()
    with pytest.raises(sledsim.TraceError, match="request 10: expected an arrival at or after the previous"):
        trace_statistics([trace.rows(slice(100, 110)), trace.rows(slice(0, 10))])


def test_an_empty_trace_has_no_figures() -> None:
    empty = sledsim.Trace(arrival_ns=[], lbn=[], blocks=[])
    found = trace_statistics(empty)
    assert len(found) == 0
    assert found.summary()["overall"]["counts"]["read_share"] is None
    assert math.isnan(found.figures["overall"]["counts"]["read_share"])


def test_the_command_prints_the_figures(cli: Cli) -> None:
    done = cli("trace", "info", "demo")
    assert done.returncode == 0, done.stderr
    for shown in ("4,833 requests in 224 s", "62.7%", "12.4%", "29.6%", "Hurst", "Median", "cv²", "62,358 B"):
        assert shown in done.stdout, shown


@pytest.mark.dear("many requests are read and written", every_change=True)
def test_requests_are_what_a_run_counts(cli: Cli) -> None:
    shown = cli("trace", "info", "demo").stdout
    assert "4,833 requests in 224 s, plus 546 flushes" in shown
    counts = json.loads(cli("trace", "info", "demo", "--json").stdout)["overall"]["counts"]
    served = json.loads(cli("run", "demo", "--json").stdout)["requests"]
    assert counts["requests"] == counts["reads"] + counts["writes"] == served == 4833
    without = cli("trace", "info", "random:rate=100,count=9").stdout
    assert "besides" not in without


def test_the_evidence_is_shown_and_in_json(cli: Cli, tmp_path: Path) -> None:
    lines = [f"{at},R,{at * 4096},4096\n" for at in (1, 2, 5, 4, 6)]
    (tmp_path / "here" / "late.csv").write_text("time_us,op,offset,size\n" + "".join(lines))
    rows = json.loads(cli("trace", "info", "late.csv", "--json").stdout)["evidence"]
    assert all([*row] == ["aspect", "verdict", "finding"] for row in rows)
    (row,) = (row for row in rows if "out of order" in row["finding"])
    assert (row["aspect"], row["verdict"]) == ("clock", "fine")
    shown = cli("trace", "info", "late.csv").stdout.split("Evidence")[1]
    assert "Aspect" in shown and re.search(r"clock +fine +out of order in the file", shown)
    stream = sledsim.open_trace(tmp_path / "here" / "late.csv")
    found = trace_statistics(stream)
    trace = sledsim.read_trace(found.source)
    assert found.evidence == stream.about()["evidence"] == trace.evidence
    assert trace_statistics(iter([trace])).evidence == trace.evidence
    assert re.search(r"clock +fine +smallest step", cli("trace", "info", "demo").stdout)
    assert "Evidence" not in cli("trace", "info", "random:rate=100,count=9").stdout


def test_a_trace_that_only_flushes_is_described(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "here" / "flushes.iolog").write_text(
        "fio version 3 iolog\n0 f add\n0 f open\n0 f sync 0 0\n5 f sync 0 0\n"
    )
    done = cli("trace", "info", "flushes.iolog")
    assert done.returncode == 0, done.stderr
    assert "0 requests in 5 µs, plus 2 flushes" in done.stdout


@pytest.mark.dear("many requests are read and written", every_change=True)
@pytest.mark.parametrize("requests", [1, 3])
def test_the_plots_of_a_few_requests_show_them(requests: int) -> None:
    few = np.arange(requests)
    chart = trace_chart(trace_statistics(sledsim.Trace(few * 10**6, few * 1000, np.full(requests, 8))))
    panels = json.loads(chart.to_json())["vconcat"]
    (points,) = (panel for panel in panels if panel.get("mark", {}).get("type") == "circle")
    assert points["mark"]["size"] >= 30
    # An empty domain takes the colours of the panels that share it.
    assert '"domain": []' not in chart.to_json()
    flushes = sledsim.Trace(few, few * 0, few * 0, op=np.full(requests, 3))
    assert '"domain": []' not in trace_chart(trace_statistics(flushes)).to_json()


@pytest.mark.dear("many requests are read and written")
def test_the_command_writes_json_tables_and_plots(cli: Cli, tmp_path: Path, demo: TraceStatistics) -> None:
    done = cli("trace", "info", "demo", "--json", "--out", "out")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["overall"] == json.loads(json.dumps(demo.summary()["overall"]))
    folder = tmp_path / "here" / "out"
    names = "devices inter-arrivals runs sample sizes timeline windows".split()
    tables = [f"{name}.{ending}" for name in names for ending in ("csv", "parquet")]
    assert leftovers(folder) == sorted([*tables, "summary.json", "trace.html", "trace.png", "trace.svg"])
    assert json.loads((folder / "summary.json").read_text())["overall"] == found["overall"]
    with (folder / "timeline.csv").open() as file:
        assert sum(int(row["reads"]) for row in csv.DictReader(file)) == found["overall"]["counts"]["reads"]
    page = (folder / "trace.html").read_text()
    assert "Times between arrivals of a class" in page and 'src="http' not in page


def test_devices_are_listed_the_busiest_first(cli: Cli, tmp_path: Path) -> None:
    lines = [f"{at}.5 {at * at % 25} {at * 64} 8 1" for at in range(500)]
    path = tmp_path / "many.trace"
    path.write_text("\n".join(lines) + "\n")
    done = cli("trace", "info", path)
    assert done.returncode == 0, done.stderr
    devices = done.stdout.split("Devices, the busiest first")[1].split("\n")
    counts = [int(line.split()[1]) for line in devices if line.strip()[:1].isdigit()]
    assert sum(counts) == 500 and counts == sorted(counts, reverse=True)


def many(devices: int) -> sledsim.Trace:
    """Return a request of each device, and one more of the last."""
    numbers = np.append(np.arange(devices), devices - 1).astype(np.int32)
    rows = {name: np.full(len(numbers), 8, kind) for name, kind in (("lbn", np.int64), ("blocks", np.int32))}
    arrivals = {"arrival_ns": np.arange(len(numbers)), "op": np.zeros(len(numbers), np.uint8)}
    names = {number: f"v{number}" for number in range(devices)}
    return replace(sledsim.Trace.from_columns({**rows, **arrivals, "device": numbers}), device_names=names)


@pytest.mark.dear("figures of a thousand devices are made")
@pytest.mark.parametrize(("devices", "label"), [(1025, "1 other"), (1027, "3 others")])
def test_devices_beyond_the_most_frequent_are_one_row(devices: int, label: str) -> None:
    found = trace_statistics(many(devices))
    table = found.devices
    numbers, names = table["device"].to_pylist(), table["name"].to_pylist()
    assert numbers == [*range(1023), devices - 1, None]
    assert names == [*(f"v{number}" for number in numbers[:-1]), label]
    others = devices - 1024
    assert table["requests"].to_pylist()[-2:] == [2, others]
    assert table["touched_bytes"].to_pylist()[-1] == others * 4096
    assert len(found) == devices + 1
    row = found.summary()["devices"][-1]
    assert (row["device"], row["name"], row["counts"]["requests"]) == (None, label, others)
    assert row["arrivals"]["all"]["cv2"] is None
    assert found.sample["device"].to_pylist()[1023] == 1023
    drawn = trace_chart(found).to_json()
    assert f"1,024 devices one above another, {label} on top of each other" in drawn


@pytest.mark.dear("figures of a thousand devices are written")
def test_the_command_shows_the_others_in_one_row(cli: Cli, tmp_path: Path) -> None:
    sledsim.write_trace(many(1030), tmp_path / "many.parquet")
    done = cli("trace", "info", tmp_path / "many.parquet", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert "1029 v1029" in done.stdout and re.search(r"and 1,004 more +1,004 ", done.stdout)
    assert re.search(r"^ 6 others +6 ", done.stdout, re.MULTILINE)
    folder = tmp_path / "here" / "out"
    with (folder / "devices.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1025 and (rows[-1]["device"], rows[-1]["name"]) == ("", "6 others")
    last = json.loads((folder / "summary.json").read_text())["devices"][-1]
    assert (last["device"], last["name"]) == (None, "6 others")
    assert "6 others" in (folder / "trace.html").read_text()
    fitted = cli("trace", "fit", tmp_path / "many.parquet", "--out", "many.toml")
    assert fitted.returncode == 0, fitted.stderr
    assert "1030 devices are treated as one" in fitted.stdout + fitted.stderr


@pytest.mark.dear("a trace of many devices is read")
def test_memory_does_not_grow_with_small_devices(tmp_path: Path) -> None:
    trace = tmp_path / "many.csv"
    lines = (f"{at},R,8,8,v{at}\n" for at in range(60_000))
    trace.write_text("time_us,op,sector,nsect,volume\n" + "".join(lines))
    program = (
        "import resource, sledsim; before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        f"sledsim.trace_statistics({str(trace)!r});"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    # Once 3.3 GB.
    assert int(done.stdout) * (1 if sys.platform == "darwin" else 1024) < 250e6


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("nothing.trace",), 1, "nothing.trace: No such file"),
        (("demo", "--interleave", "-5"), 2, "interleave_sectors = -5: expected a whole number"),
        (("demo", "--out", "/dev/null/x"), 1, "/dev/null"),
    ],
)
def test_mistakes_are_named(cli: Cli, words: tuple[str, ...], status: int, message: str) -> None:
    done = cli("trace", "info", *words)
    assert (done.returncode, done.stdout) == (status, "")
    assert message in done.stderr and "Traceback" not in done.stderr
