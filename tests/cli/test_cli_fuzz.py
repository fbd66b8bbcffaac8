"""Garbage of every kind on the command line, from a fixed seed: errors of one line, never a traceback."""

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from sledsim.cli import main

SEED = 18
CASES = 250
WORK = "random:rate=500,count=20"
WORDS = (
    *(
        "",
        " ",
        "-",
        "--",
        "=",
        ":",
        ",",
        "x",
        "0",
        "-1",
        "1e400",
        "nan",
        "inf",
        "-inf",
        "9" * 400,
        "1:2:0",
        "1:0:1",
    ),
    *(
        "true",
        "[]",
        "[[",
        "{}",
        '"',
        "'",
        "\\",
        "a=b",
        "a=",
        "=b",
        "a:b=c",
        "\x1b[31m",
        "<b>",
        "é\u2028",
        "\udcff",
    ),
    *(
        "[1, [2, [3]]]",
        "1979-05-27",
        "0x7f",
        "1_000",
        "100:200:1e-9",
        "fcfs+",
        "+fcfs",
        "fcfs+deadline:after_ms=x",
    ),
    *(
        "asptf:weight=nan",
        "random:",
        "random:rate=nan",
        "raid5:devices=0",
        "fitted:file=/",
        "/dev/null",
        ".",
        "no.toml",
    ),
    *(
        "settle_ms=1979-05-27",
        "settle_ms={a=1}",
        "settle_ms=[[1]]",
        "settle_ms=true",
        "settle_ms=" + "[" * 3000,
    ),
    *(
        "values=[nan]",
        "values={}",
        "values=[[1]]",
        "values=1979-05-27",
        "values=" + "[" * 3000,
        "values=['x', 1]",
    ),
)
#: Contents of files: binary data, invalid UTF-8, invalid TOML, TOML of wrong types, JSON, broken Parquet.
CONTENTS = (
    *(
        b"",
        b"\n",
        b"\x00" * 100,
        b"\xff\xfe\xfa",
        b"PAR1",
        b"PAR1" * 20,
        b"\x1f\x8b\x08",
        b"(\xb5/\xfd",
        b"\xfd7zXZ\x00",
    ),
    *(
        b"[",
        b"[[a]]",
        b"a = [[[[",
        b"a = " + b"[" * 3000,
        b"{}",
        b"[1, 2]",
        b"null",
        b"\xef\xbb\xbf",
        b"time,lbn\n1,2\n",
    ),
    *(
        b'name = 3\nkind = ["mems"]',
        b"extends = {}",
        b'extends = "osdi00"\nsettle_ms = []',
        b'extends = "osdi00"\nname = {}',
    ),
    *(
        b'kind = "mems"',
        b'volume = "raid5"\ndevices = "x"',
        b"volume = {}",
        b'volume = "mirror"\ndevice = [[1]]',
    ),
    *(
        b'device = "emsoft08"\n[format]\nprobes = {}',
        b"[format]\nprobes = [1e400]",
        b"[format]\nprobes = [nan]",
    ),
    *(b"[format]\nprobes = [[64]]", b"[parameters]\nsettle_ms = [{}]", b"[parameters]\nsettle_ms = [[1]]"),
    *(
        b"[parameters]\nname = [1979-05-27]",
        b"[[failed_tips]]\nat_s = {}",
        b"tips = [[[]]]",
        b"seed = -1",
        b"seed = 9e99",
    ),
    *(
        b"0.0 0 5 8 1\n" * 3,
        b"0.0 0 5 8 1\n-1 x\n",
        b"nan 0 5 8 1\n",
        b"1e400 0 5 8 1\n",
        b"0 0 99999999999999999999 8 1\n",
    ),
)
FILE = "FILE"
#: Commands that end soon with most garbage.
COMMANDS: tuple[tuple[str, ...], ...] = (
    *(("show", FILE), ("show", "osdi00", "--set"), ("show", "atlas10k", "--set"), ("run", FILE), ("run",)),
    *(
        ("run", WORK, option)
        for option in ("--scheduler", "--scale", "--set", "--past-end", "--replay", "--volume")
    ),
    *(("run", WORK, option, FILE) for option in ("--device", "--volume", "--faults")),
    *(("run", FILE, option) for option in ("--format", "--map", "--traced-device", "--scale")),
    *(
        ("compare", WORK, "--out", "o", option)
        for option in ("--schedulers", "--scales", "--volume", "--set")
    ),
    *(("compare", WORK, "--out", "o", "--schedulers", "fcfs", option) for option in ("--rates", "--scales")),
    *(
        ("compare", WORK, "--device", "cf-card", option)
        for option in ("--price", "--device", "--out", "--volume")
    ),
    *(("compare", WORK, "--price", "osdi00=1", option) for option in ("--lifetime-years", "--kwh-price")),
    ("compare", FILE),
    ("run", WORK, "--out"),
    ("view", FILE, "--no-open"),
    *(
        ("trace", "info", FILE),
        ("trace", "info", WORK, "--interleave"),
        ("trace", "fit", FILE, "--out", "f.toml"),
    ),
    *(("trace", "convert", FILE, "--out", "o.spc"), ("trace", "convert", WORK, "--out", "o.spc", "--to")),
    *(
        ("trace", "slice", WORK, "--out", "o.spc", option)
        for option in ("--from", "--until", "--class", "--device")
    ),
    *(("trace", "scale", WORK, "--out", "o.spc"), ("trace", "sample", WORK, "--out", "o.spc")),
    *(
        ("trace", "remap", WORK, "--out", "o.spc"),
        ("trace", "remap", WORK, "wrap", "--out", "o.spc", "--onto"),
    ),
    *(("trace", "merge", FILE, FILE, "--out", "o.spc"), ("trace", "popularity", FILE, "--out", "p.csv")),
    *(("design", WORK, "--space", FILE), ("design", WORK, "--space", FILE, "--set"), ("design", FILE)),
    *(("study", "zone-threshold", "--option"), ("study", "zone-threshold", "--device", FILE), ("study",)),
    *(("bounds", "random:rate=500,count=3", option) for option in ("--schedulers", "--out", "--set")),
    *(("validate", FILE), ("paper", "run"), ("workloads",), ("schedulers",)),
    *(("run", f"fitted:file={FILE}"), ("show", "osdi00", "--set", f"layout_popularity={FILE}")),
)


@pytest.fixture
def said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str]]:
    """Run the command line in this process; exceptions that it does not report as errors are raised here."""
    monkeypatch.chdir(tmp_path)
    # The command line must not install handlers of signals in this process.
    monkeypatch.setattr("signal.getsignal", lambda number: signal.SIG_IGN)

    def call(*words: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["sledsim", *words])
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), capsys.readouterr().err

    return call


@pytest.mark.dear("hundreds of command lines run")
@pytest.mark.parametrize("part", range(4))
def test_garbage_is_reported_in_a_line(
    said: Callable[..., tuple[int, str]], tmp_path: Path, part: int
) -> None:
    draw = random.Random(SEED + part)
    refused = 0
    for case in range(CASES):
        template = draw.choice(COMMANDS)
        path = (
            tmp_path / f"{case}{draw.choice(('.toml', '.trace', '.csv', '.parquet', '.spc.gz', '.json', ''))}"
        )
        path.write_bytes(draw.choice(CONTENTS))
        words = [word.replace(FILE, os.fspath(path)) for word in template]
        if FILE not in " ".join(template) or template[-1].startswith("--") or draw.random() < 0.2:
            words.append(draw.choice(WORDS))
        try:
            status, errors = said(*words)
        except Exception as error:
            message = f"case {case} of part {part}: {words!r}: {path.read_bytes()[:60]!r}"
            raise AssertionError(message) from error
        assert status in (0, 1, 2), words
        if status:
            refused += 1
            assert errors.count("error: ") >= 1, (words, errors)
            assert "Traceback" not in errors
        assert not list(tmp_path.rglob(".*.part")), words
    assert refused > CASES // 2


def test_names_that_are_no_utf8_are_reported(said: Callable[..., tuple[int, str]]) -> None:
    assert said("run", "a\udcff.trace")[0] in (1, 2)
    status, errors = said("show", "a\udcff.toml")
    assert (status, errors) == (2, "error: expected names in UTF-8, found 'a\\udcff.toml'\n")
