"""Errors of the command line: one line states the mistake, and no output is left behind."""

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import Cli, leftovers


def refused(done: subprocess.CompletedProcess[str], status: int, *words: str) -> None:
    """Assert that the run failed with one line of explanation and no result."""
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def refusal(cli: Cli, *words: str) -> str:
    """Return the whole error of a refused command, which prints nothing else."""
    done = cli(*words)
    assert done.returncode in (1, 2) and done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr.partition("error: ")[2].rstrip("\n")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("settle_mss=0.2", ["unknown key `settle_mss`", "did you mean `settle_ms`?"]),
        ("settle_ms=0.2us", ["settle_ms", '"0.2us"', "expected"]),
        ("settle_ms=-1", ["settle_ms = -1: must be a number from 0 to 1000 ms"]),
        ("sleds=1.5", ["sleds", "1.5"]),
        ("spring_factor=1", ["spring_factor = 1", "below 1"]),
        ("layout=simpel", ['unknown layout "simpel"', 'did you mean "simple"?']),
        ("access_mode=both", ["access_mode", "bidirectional"]),
        ("settle_ms", ["--set: expected KEY=VALUE, found 'settle_ms'"]),
    ],
)
def test_wrong_settings(cli: Cli, setting: str, words: list[str]) -> None:
    refused(cli("show", "osdi00", "--set", setting), 2, *words)
    refused(cli("run", "random:rate=100,count=10", "--set", setting), 2, *words)


def test_a_setting_given_twice(cli: Cli) -> None:
    refused(
        cli("show", "osdi00", "--set", "sleds=1", "--set", "sleds=2"),
        2,
        "sleds once, found it twice",
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "demo", "--device", ""), 'unknown device "": known: osdi00'),
        (("show", "osdi01"), 'unknown device "osdi01": did you mean "osdi00"?'),
        (("run", "demo", "--scheduler", "stpf"), 'unknown scheduler "stpf": did you mean "sptf"?'),
        (("run", "demo", "--past-end", "rap"), 'did you mean "wrap"?'),
        (
            ("run", "demo", "--device", "osdi00,cf-card"),
            "--device osdi00,cf-card: expected one device; for several devices, use 'sledsim compare' with"
            " --device osdi00 --device cf-card\n",
        ),
        (("run", "demo", "--scale", "0"), "scale"),
        (("run", "demo", "--scale", "fast"), "'--scale'"),
        (("run",), "Missing argument"),
        (("run", "demo", "--schedular", "sptf"), "--schedular"),
        (("rum", "demo"), "No such command 'rum'"),
        (("compare", "demo", "--schedulers", "fcfs,stpf", "--out", "out"), "unknown scheduler"),
        (
            ("compare", "demo", "--schedulers", "fcfs,fcfs", "--out", "out"),
            "fcfs once, found it twice",
        ),
        (("compare", "demo", "--schedulers", ",", "--out", "out"), "--schedulers: expected"),
        (("compare", "demo", "--schedulers", "fcfs", "--scales", "1,two", "--out", "out"), "found 'two'"),
        (("compare", "demo", "--schedulers", "fcfs", "--scales", "-1", "--out", "out"), "scale"),
        (
            ("run", "random:count=5"),
            "random: rate is missing: expected a number above 0 (1/s)",
        ),
        (
            ("run", "random:rate=5,cnt=5"),
            'unknown option of random "cnt": did you mean "count"? known: rate',
        ),
        (("run", "random:rate=5,rate=6"), "random: rate is given twice"),
        (
            ("run", "random:rate=5,count=1.5"),
            "random: count = 1.5: expected a whole number from 1 to",
        ),
        (("run", "random:rate=quick"), "random: rate = quick: expected a number above 0 (1/s)"),
        (("run", "random:rate=-5"), "rate"),
        (("run", "random:rate=5,count=0"), "count = 0: expected a whole number"),
        (("run", "random:rate=5,seed=-1"), "seed"),
    ],
)
def test_wrong_usage(cli: Cli, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    refused(cli(*words), 2, message)
    assert leftovers(tmp_path) == []


def test_wrong_formats(cli: Cli, trace_file: Path) -> None:
    refused(cli("run", trace_file, "--format", "disksin"), 2, 'did you mean "disksim"?')


@pytest.mark.dear("commands simulate and draw", every_change=True)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1.0 0 5 8 1\n2.0 0 5 -1 1\n", ["bad.trace:2:", "a number of blocks from 0", 'found "-1"']),
        ("1.0 0 5 8 1\n2.0 0 5\n", ["bad.trace:2:", "expected", "found the end of the line"]),
        ("1.0 0 5 8 1\nx\n", ["bad.trace:2:", "an arrival time in ms", 'found "x"']),
        ("GIF89a garbage\n", ["bad.trace", "expected a trace in one of the formats"]),
        (
            "PK\x03\x04 garbage\n",
            ["bad.trace", "found a zip archive, which must be unpacked first (unzip -p"],
        ),
        ("", ["bad.trace", "an empty file"]),
    ],
)
def test_wrong_traces(cli: Cli, tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "bad.trace"
    path.write_text(text)
    refused(cli("run", path, "--out", "run.parquet"), 1, *words)
    refused(cli("compare", path, "--schedulers", "fcfs", "--out", "out"), 1, *words)
    assert leftovers(tmp_path) == ["bad.trace"]


def test_a_trace_past_the_end_leaves_nothing(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "bad.trace"
    path.write_text("1.0 0 6749996 8 1\n")
    for words in (("compare", path, "--schedulers", "fcfs", "--out", "out"), ("run", path, "--out", "x.csv")):
        done = cli(*words)
        assert done.returncode == 1
        assert (
            f"error: {path} reaches 6,750,004 sectors, and osdi00 holds 6,750,000 sectors. Use one of:\n"
            in done.stderr
        )
    assert leftovers(tmp_path) == ["bad.trace"]


def test_a_trace_that_is_cut_short(cli: Cli, tmp_path: Path, trace_file: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(trace_file.read_bytes() * 50)[:-9])
    refused(cli("run", path), 1, "cut.gz", "cut short")


def test_missing_files(cli: Cli, tmp_path: Path) -> None:
    refused(cli("run", "none.trace"), 1, "none.trace", "No such file")
    refused(cli("run", tmp_path), 1, str(tmp_path))
    refused(cli("show", "none.toml"), 1, "none.toml", "No such file")


@pytest.mark.dear("commands simulate and draw")
def test_unwritable_output_is_found_before_the_run(cli: Cli, tmp_path: Path) -> None:
    work = "random:rate=500,count=50000000"  # Minutes of work and gigabytes of memory, if the command began.
    refused(
        cli("run", work, "--out", "nowhere/run.parquet"), 1, "nowhere/run.parquet: cannot write", "No such"
    )
    refused(cli("run", work, "--out", tmp_path), 1, str(tmp_path), "expected a file, found a directory")
    (tmp_path / "file").touch()
    small = "random:rate=500,count=50"
    for folder in (tmp_path / "file", tmp_path / "file" / "out", tmp_path / "file" / "deeper" / "still"):
        for words in (
            ("compare", small, "--schedulers", "fcfs"),
            ("compare", "random:", "--rates", "500", "--schedulers", "fcfs", "--count", "50000000"),
            ("validate", "demo"),
            ("validate", "demo", "--json"),
            ("study", "data-sheet"),
            ("study", "zone-threshold", "--json"),
            ("trace", "info", "demo"),
            ("paper", "run", "002-E-2"),
        ):
            said = f"error: {tmp_path / 'file'}: cannot write: is a file, not a folder\n"
            refused(cli(*words, "--out", folder), 1, said)
    assert leftovers(tmp_path) == ["file"]


def test_a_volume_is_no_device(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "mirror.toml"
    file.write_text('volume = "mirror"\ndevices = 2\ndevice = "osdi00"\n')
    said = (
        f"{file}: expected a device, found a volume: use --volume, or sledsim.volume in Python; "
        "to make this volume a member of another volume, write its table in that volume's file\n"
    )
    refused(cli("run", "demo", "--device", file), 2, said)
    refused(cli("show", file), 2, said)
    refused(cli("run", "demo", "--volume", "mirror", "--set", f"device={file}"), 2, said)
    above = tmp_path / "above.toml"
    above.write_text(f"volume = 'mcd'\n[disk]\nvolume = '{file}'\n")
    said = (
        f'disk: volume = "{file}": expected the name of a kind of volume, found a file: '
        "write the contents of the file into this table, next to `volume`\n"
    )
    refused(cli("run", "demo", "--volume", above), 2, said)


def test_a_device_is_no_volume(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "slower.toml"
    file.write_text('extends = "osdi00"\nsettle_ms = 0.5\n')
    said = f"{file}: expected a volume, found a device: use --device, or sledsim.device in Python\n"
    refused(cli("run", "demo", "--volume", file), 2, said)


BROKEN = "a\nb"


@pytest.mark.parametrize(
    "words",
    [
        ("run", BROKEN),
        ("study", BROKEN),
        ("run", "demo", "--faults", BROKEN),
        ("run", "demo", "--set", f"{BROKEN}=1"),
        ("run", "demo", "--set", f"stroke_x_nm={BROKEN}"),
        ("run", "demo", "--scheduler", BROKEN),
    ],
)
def test_an_error_is_one_line_whatever_is_named(cli: Cli, words: tuple[str, ...]) -> None:
    done = cli(*words)
    assert done.returncode in (1, 2)
    assert done.stderr.count("\n") == 1 and "\\n" in done.stderr


def test_the_name_of_a_device_is_one_line(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text('extends = "osdi00"\nname = "a\\nb"\ndescription = "c\\nd"\n')
    shown = cli("show", file)
    assert shown.returncode == 0 and "a\\nb" in shown.stdout and "a\nb" not in shown.stdout


def test_an_empty_name_is_reported_as_empty(cli: Cli) -> None:
    for words in (("run", ""), ("trace", "info", "")):
        refused(cli(*words), 2, "expected the name of a file or of a workload, found an empty name\n")


@pytest.mark.parametrize("words", [("show",), ("run", "demo", "--volume"), ("run", "demo", "--faults")])
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("\n\nx" + ".a" * 200 + " = 1", "3"),
        ("\nx = " + "[" * 200 + "]" * 200, "2:85"),
        ("[" + "a." * 200 + "a]", "1"),
    ],
)
def test_what_lies_too_deep_is_named_by_its_line(
    cli: Cli, tmp_path: Path, words: tuple[str, ...], text: str, place: str
) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(text)
    refused(cli(*words, file), 2, f"{file}:{place}: keys, lists or tables are nested too deep\n")


def test_a_small_number_is_short(cli: Cli) -> None:
    said = "random: rate = 1e-300: expected a rate at which all requests arrive within 4e9 s\n"
    refused(cli("run", "random:rate=1e-300"), 2, said)
    said = "osdi00: bus_mb_per_s = 5e-324: must be 0 (no bus) or at least 0.001 MB/s\n"
    refused(cli("run", "demo", "--set", "bus_mb_per_s=5e-324"), 2, said)


@pytest.mark.dear("commands simulate and draw")
def test_plots_without_their_libraries_are_left_out(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['altair'] = None\n"
        "sys.argv = 'sledsim compare random:rate=500,count=50 --schedulers fcfs --out out'.split()\n"
        "from sledsim.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "no plots: plots need altair: pip install 'sledsim[plot]'\n" in done.stderr
    assert "Summary: " in done.stdout and "plots" not in done.stdout
    assert leftovers(tmp_path) == ["comparison.ledger", "fcfs-x1.parquet", "summary.csv"]


@pytest.mark.parametrize(
    "words",
    [
        "run demo --out -",
        "run demo --power -",
        "compare demo --schedulers fcfs --out -",
        "compare random: --schedulers fcfs --rates 100 --out -",
        "design demo --out -",
        "study array-survival --out -",
        "trace info demo --out -",
        "trace fit demo --out -",
        "trace popularity demo --out -",
        "trace capture /dev/null --out -",
        "paper run 000-E-1 --out -",
        "paper perturb 001-E-8 --out -",
    ],
)
def test_what_does_not_go_to_standard_output_says_so(cli: Cli, tmp_path: Path, words: str) -> None:
    refused(cli(*words.split()), 2, "found '-': this output does not go to standard output; give a file name")
    assert leftovers(tmp_path) == []


@pytest.mark.dear("commands simulate and draw")
def test_silence_on_standard_input_is_reported(tmp_path: Path) -> None:
    words = [Path(sys.executable).with_name("sledsim"), "run", "-", "--format", "disksim", "--json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=tmp_path, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None and process.stderr is not None
        # The command reads nothing before it prints this line.
        assert process.stderr.readline() == "waiting for data on standard input\n"
        printed, errors = process.communicate("0.0 0 1000 8 1\n")
    seen = "standard input: 1 request in 0 s; 100% reads, mean size 4 KiB, up to 504 KiB\n"
    assert (process.returncode, errors) == (0, seen)
    assert json.loads(printed)["requests"] == 1


@pytest.mark.dear("commands simulate and draw")
def test_control_c_ends_with_130(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("sledsim")
    # A queue of 200,000 requests keeps a policy that searches all of it busy for many minutes, most of them
    # after the last arrival.
    words = [program, "run", "random:rate=20000,count=200000", "--scheduler", "sptf:search=linear"]
    words += ["--out", "run.parquet"]

    def heed() -> None:
        """Restore SIGINT, which a background job of a shell inherits as ignored."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=tmp_path, stderr=pipe, text=True, preexec_fn=heed) as process:
        try:
            process.wait(4)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=900)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert leftovers(tmp_path) == []


def test_a_device_that_is_not_there_is_not_passed_over(cli: Cli) -> None:
    over = ("random:rate=200,count=500", "--volume", "stripe", "--over", "devices=2,3")
    for command in (("optimise", "--minimise", "mean"), ("sensitivity", "--samples", "64")):
        done = cli(*command[:1], *over, *command[1:], "--device", "nodevice")
        assert done.returncode == 2
        assert 'error: device: unknown device "nodevice"' in done.stderr


@pytest.mark.dear("commands simulate and draw", every_change=True)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("optimise", "randm:rate=3", "--minimise", "mean"), 'did you mean "random"?'),
        (("sweep", "randm:rate=3", "--out", "o"), 'did you mean "random"?'),
        (("sweep", "statuss", "F"), "statuss: No such file or directory"),
        (("optimise", "demo", "--over", "scheduler", "--minimise", "mean"), "expected KEY=LOW..HIGH"),
        (("optimise", "demo", "--over", "schedular=a,b", "--minimise", "mean"), "did you mean 'scheduler'?"),
        (("sweep", "demo", "--over", "settle_ms=0.1..0.4", "--out", "o"), "expected start:stop:step"),
        (("holds", "p99(sptf) < 20 ms", "random:rate=900"), "times are in s, energies in J"),
        (("sensitivity", "random:rate=90000", "--samples", "70"), "plausible devices could be simulated"),
    ],
)
def test_slips_are_answered_with_the_likely_name(cli: Cli, words: tuple[str, ...], said: str) -> None:
    over = ("--over", "settle_ms=0.1,0.2") if words[0] == "sensitivity" else ()
    done = cli(*words, *over)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_long_word_of_a_file_is_not_printed_whole(cli: Cli, tmp_path: Path) -> None:
    """An error is short although a word of a file may have a megabyte."""
    device = tmp_path / "d.toml"
    device.write_text(f'kind = "{"a" * 10**6}"\n')
    for words in (("show", device), ("run", f"random:rate={'9' * 100_000}")):
        done = cli(*words)
        assert done.returncode in (1, 2) and 100 < len(done.stderr) < 5000
        assert done.stderr.startswith("error: ") and " ... " in done.stderr
