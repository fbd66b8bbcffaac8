"""Traces of other tools, through the command line as a user types it.

The samples follow the documented layouts: Linux's Documentation/trace/ftrace.rst and
include/trace/events/block.h, perf-script(1), bcc's tools/biosnoop_example.txt, libCacheSim's data/trace.csv,
and the header of the trace files that xperf's dumper prints (SNIA IOTTA 158).
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import sledsim

from ..cli.test_cli_errors import refusal
from ..conftest import Cli

FTRACE = """\
# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
              dd-4711    [001] d..2.   812.034500: block_rq_issue: 8,0 R 4096 () 1048 + 8 none,0,0 [dd]
          <idle>-0       [001] d.h1.   812.035000: block_rq_complete: 8,0 R () 1048 + 8 none,0,0 [0]
              sh-9       [000] d..2.   812.036000: sched_switch: prev_comm=sh prev_pid=9 ==> next_comm=dd
              dd-4711    [001] d..2.   812.044500: block_rq_issue: 8,0 WS 8192 () 640 + 16 none,0,0 [dd]
          <idle>-0       [001] d.h1.   812.045500: block_rq_complete: 8,0 WS () 640 + 16 none,0,0 [0]
"""
PERF = """\
              dd  4711 [001]   812.034500:     block:block_rq_issue: 8,0 R 4096 () 1048 + 8 [dd]
         swapper     0 [001]   812.035000:  block:block_rq_complete: 8,0 R () 1048 + 8 [0]
              dd  4711 [001]   812.044500:     block:block_rq_issue: 8,0 WS 8192 () 640 + 16 [dd]
         swapper     0 [001]   812.045500:  block:block_rq_complete: 8,0 WS () 640 + 16 [0]
"""
BIOSNOOP = """\
TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  LAT(ms)
0.000000    dd             4711    sda       R 1048       4096      0.50
0.010500    dd             4711    sda       W 640        8192      1.00
"""
XPERF = """\
BeginHeader
  DiskRead,  TimeStamp,  Process Name ( PID),  ThreadID,  CPU,  IrpPtr,  ByteOffset,  IOSize,  ElapsedTime
EndHeader
  DiskRead,   8500, app.exe (1234), 99, 1, 0xffffe28800000010, 0x0000083000, 0x1000,  500, 0, 0x43,  450, 3
 DiskWrite,  19000, app.exe (1234), 99, 1, 0xffffe28800000010, 0x0000050000, 0x2000, 1000, 0, 0x43,  900, 3
"""
LIBCACHESIM = "version,time,op,size,lbn\n1,33898,28,4096,1048\n1,33899,2a,8192,640\n"
PIXEL = "timestamp_us,rw_flag,sector,bytes\n0,0,1048,4096\n10000,1,640,8192\n"


def counts(cli: Cli, *arguments: str) -> dict[str, Any]:
    done = cli("trace", "info", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)["overall"]
    return found


@pytest.mark.parametrize(
    ("name", "text", "responses_ms"),
    [
        ("ftrace.txt", FTRACE, (0.5, 1.0)),
        ("perf.txt", PERF, (0.5, 1.0)),
        ("biosnoop.txt", BIOSNOOP, (0.5, 1.0)),
        ("xperf.txt", XPERF, (0.5, 1.0)),
        ("cache.csv", LIBCACHESIM, None),
        ("phone.csv", PIXEL, None),
    ],
    ids=["ftrace", "perf", "biosnoop", "xperf", "libCacheSim", "rw_flag"],
)
def test_a_trace_of_another_tool_needs_no_options(
    cli: Cli, tmp_path: Path, name: str, text: str, responses_ms: tuple[float, float] | None
) -> None:
    (tmp_path / "here" / "mine.txt").write_text(text)
    found = counts(cli, "mine.txt")
    assert (found["counts"]["reads"], found["counts"]["writes"]) == (1, 1)
    assert (found["counts"]["read_bytes"], found["counts"]["written_bytes"]) == (4096, 8192)
    assert found["places"]["first_sector"] == 640
    if responses_ms is not None:
        assert found["response_s"]["mean"] == pytest.approx(sum(responses_ms) / 2000, rel=1e-9)
        assert found["counts"]["span_s"] == pytest.approx(0.010, rel=1e-9)
    # A name does not state a format.
    (tmp_path / "here" / name).write_text(text)
    for file in ("mine.txt", name):
        done = cli("run", file, "--json")
        assert done.returncode == 0, done.stderr
        parts = {one["name"]: one["requests"] for one in json.loads(done.stdout)["parts"]}
        assert json.loads(done.stdout)["requests"] == 2 and parts == {"all": 2, "reads": 1, "writes": 1}


def test_biosnoop_of_bpftrace_is_refused_for_lack_of_sectors(cli: Cli, tmp_path: Path) -> None:
    text = "Attaching 4 probes...\nTIME(ms)  DISK  COMM  PID   LAT(ms)\n611  sda  dd  4711  10\n"
    (tmp_path / "here" / "mine.txt").write_text(text)
    done = cli("run", "mine.txt")
    assert done.returncode != 0 and done.stdout == ""
    assert "biosnoop.bt of bpftrace prints no sectors" in " ".join(done.stderr.split())


def table(header: str, *rows: str) -> str:
    return "\n".join([header, *rows, ""])


MODES = table("ts,mode,lba,bytes", *(f"{at},{('get', 'put')[at % 2]},{at * 1000},4096" for at in range(8)))
OF_MODES = (
    "mine.csv: expected a column that tells reads from writes, found the columns ts, mode,"
    " lba, bytes, which have other names: add --map op=mode if this column holds the operation"
    " (op=mode:read=X:write=Y names the operations), or --map op=- if all requests are reads"
)
SECTORS = table("ts,op,lba,size", *(f"{at},W,{at * at * 1000},{8 << at % 3}" for at in range(8)))
OF_SECTORS = (
    'mine.csv: expected sizes in bytes in the column "size", found values that look like sectors of 512'
    " bytes (8, 16, 32, 8, ...): add --map size=size:sectors, or --map size=size:B if the values are right"
)


@pytest.mark.parametrize(
    ("text", "said", "amended", "reads", "bytes_"),
    [
        (MODES, OF_MODES, "op=mode:read=get", 4, 8 * 4096),
        (MODES, OF_MODES, "op=-", 8, 8 * 4096),
        (SECTORS, OF_SECTORS, "size=size:sectors", 0, 512 * (8 * 3 + 16 * 3 + 32 * 2)),
        (SECTORS, OF_SECTORS, "size=size:B", 0, 8 * 512),
    ],
)
def test_a_guess_that_would_be_wrong_stops_and_says_what_to_add(
    cli: Cli, tmp_path: Path, text: str, said: str, amended: str, reads: int, bytes_: int
) -> None:
    (tmp_path / "here" / "mine.csv").write_text(text)
    assert refusal(cli, "run", "mine.csv") == said
    found = counts(cli, "mine.csv", "--map", amended)["counts"]
    assert (found["reads"], found["requests"]) == (reads, 8)
    assert found["read_bytes"] + found["written_bytes"] == bytes_


def test_a_map_amends_a_guess_from_python_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(MODES)
    with pytest.raises(sledsim.TraceError, match="found the columns ts, mode, lba, bytes"):
        sledsim.read_trace(path)
    trace = sledsim.read_trace(path, map="op=mode:read=get")
    assert trace.op.tolist() == [0, 1] * 4
    assert trace.notes[0].startswith(
        "a table (csv): the columns were recognised by name: op=mode:read=get,time=ts:s"
    )


def test_a_map_amends_a_guess(cli: Cli, here: Path) -> None:
    (here / "phone.csv").write_text(PIXEL)
    assert cli("run", "phone.csv", "--map", "op=rw_flag").returncode == 0
    assert refusal(cli, "run", "phone.csv", "--map", "op=rwflag") == (
        'phone.csv: expected a column "rwflag" for the field op, found the columns timestamp_us, rw_flag,'
        ' sector, bytes; did you mean "rw_flag"?'
    )


def test_a_unit_of_time_that_cannot_be(cli: Cli, here: Path) -> None:
    rows = "".join(f"{at * 1e-7:.7f},{at * 100},4096,r\n" for at in range(2000))
    (here / "mine.csv").write_text(f"time,lbn,size,op\n{rows}")
    said = cli("run", "mine.csv", "--map", "time=time:s,lbn=lbn:sectors,size=size:B").stderr
    assert re.search(
        r"doubtful: 2,000 requests in 199\.9 µs are [\d,]+ times as many as the device can serve: is the unit"
        r" of time right\? For a CSV file, '--map time=COLUMN:UNIT' sets another unit; '--scale [\de.-]+'",
        said,
    )


def test_a_trace_is_counted_in_one_way(cli: Cli, here: Path) -> None:
    lines = ("time_us,sector,count,op", "0,0,8,R", "1000,64,8,W", "2000,0,0,F", "3000,128,8,D")
    (here / "mine.csv").write_text("\n".join(lines))
    asked = ("--map", "time=time_us:us,lbn=sector:sectors,size=count:sectors,op=op")
    run = cli("run", "mine.csv", *asked, "--json")
    info = cli("trace", "info", "mine.csv", *asked, "--json")
    assert (run.returncode, info.returncode) == (0, 0), run.stderr
    counts = json.loads(info.stdout)["overall"]["counts"]
    assert json.loads(run.stdout)["requests"] == counts["requests"] == 2
