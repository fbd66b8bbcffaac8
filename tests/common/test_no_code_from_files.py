"""Files run no code: a name of a class in a file imports nothing; a name that a user types does."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import sledsim
from sledsim.ledger.lines import content_of, line_of
from sledsim.uncertainty.ranges import read_factors

from ..conftest import Cli

WORK = "random:rate=300,count=150"
#: A module that writes a file when it is imported.
CANARY = "open(__file__ + '.ran', 'w').close()\n\n\nclass X: ...\n"
#: Ways to name a class of the module; the folder of the test is HERE.
NAMES = ("canary.py:X", "HERE/canary.py:X", "canary:X", "canary.py")
#: Valid files, with the commands that read them.
TABLES: dict[str, tuple[str, list[str]]] = {
    "sweep": (
        f'workloads = ["{WORK}"]\ndevices = ["osdi00"]\nvolumes = ["mirror:device=osdi00"]\n'
        'schedulers = ["sptf"]\n'
        'figures = ["mean_response_s"]\n[over]\nseek_model = ["bang-bang"]\n[set]\nlayout = "simple"\n',
        ["sweep run FILE --out kept", "sweep run FILE --out kept --shard 1/2"],
    ),
    "comparison": (
        f'workloads = ["{WORK}"]\ndevices = ["osdi00"]\nvolumes = ["mirror:device=osdi00"]\n'
        'schedulers = ["sptf"]\n'
        '[prices]\nosdi00 = "2/GiB"\n[set]\nlayout = "simple"\n',
        ["compare FILE"],
    ),
    "device": (
        'name = "mine"\nkind = "mems"\nextends = "osdi00"\nseek_model = "bang-bang"\nlayout = "simple"\n',
        [
            "show FILE",
            "check-device FILE",
            f"run {WORK} --device FILE",
            f"compare {WORK} --device FILE",
            "study seek-distance --device FILE",
        ],
    ),
    "volume": (
        'volume = "mirror"\nscheduler = "sptf"\ndevice = ["osdi00", "osdi00"]\nread_policy = "nearest"\n',
        [f"run {WORK} --volume FILE", f"compare {WORK} --volume FILE"],
    ),
    "members": (
        'volume = "stripe"\n[[device]]\ndevice = "osdi00"\nscheduler = "sptf"\n'
        '[[device]]\nextends = "osdi00"\n',
        [f"run {WORK} --volume FILE", "show FILE"],
    ),
    "faults": (
        'seed = 1\nremapping = "none"\nreserve_blocks = 0\ncheck_tips = 1\nspare_tips = 2\n',
        [f"run {WORK} --faults FILE", f"run {WORK} --volume mirror --set device.faults=FILE"],
    ),
    "space": (
        'device = "emsoft08"\n[format]\nprobes = [64]\n[parameters]\nseek_model = ["bang-bang"]\n',
        [f"design {WORK} --space FILE"],
    ),
    "fitted": (
        'format = "sledsim fitted workload 1"\nname = "mine"\nsource = "a trace"\n',
        ["run FILE", "trace info FILE"],
    ),
}
TEXT = re.compile(r'"[^"\n]*"')


@pytest.fixture
def canary(here: Path) -> Callable[[], bool]:
    """Return a function: True if the module of the test's folder has been imported, which it then forgets."""
    (here / "canary.py").write_text(CANARY)
    ran = here / "canary.py.ran"

    def has_run() -> bool:
        found = ran.exists()
        ran.unlink(missing_ok=True)
        return found

    return has_run


def with_each_name(text: str, here: Path) -> Iterator[str]:
    """Yield the text with each of its strings replaced by a name of a class, one after the other."""
    for number, found in enumerate(TEXT.finditer(text)):
        name = NAMES[number % len(NAMES)].replace("HERE", str(here))
        before = "mirror:device=" if found[0].startswith('"mirror:') else ""
        yield f'{text[: found.start()]}"{before}{name}"{text[found.end() :]}'


def words(command: str, file: Path) -> list[str]:
    """Return the words of a command, some of which are in quotes."""
    return [word.strip("'").replace("FILE", str(file)) for word in re.findall(r"'[^']*'|\S+", command)]


@pytest.mark.parametrize("words_before", [["show"], ["run", WORK, "--device"], ["compare", WORK, "--device"]])
def test_a_class_that_is_typed_is_imported(
    words_before: list[str], cli: Cli, canary: Callable[[], bool]
) -> None:
    assert "Traceback" not in cli(*words_before, "canary.py:X").stderr
    assert canary()


@pytest.mark.dear(
    "hundreds of command lines are read", every_change=("comparison", "volume", "members", "space")
)
@pytest.mark.parametrize("kind", TABLES)
def test_a_table_imports_nothing(kind: str, cli: Cli, here: Path, canary: Callable[[], bool]) -> None:
    text, commands = TABLES[kind]
    file = here / f"{kind}.toml"
    for said in with_each_name(text, here):
        file.write_text(said)
        for command in commands:
            answer = cli(*words(command, file))
            assert not canary(), f"{command}\n{said}"
            assert "Traceback" not in answer.stderr, f"{command}\n{said}\n{answer.stderr}"


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of all texts in JSON."""
    if isinstance(value, str):
        yield at
    for key, below in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from leaves(below, (*at, key))


def replaced(value: Any, at: tuple[Any, ...], name: str) -> Any:
    """Return a copy of JSON with another text at a place."""
    made = json.loads(json.dumps(value))
    within = made
    for key in at[:-1]:
        within = within[key]
    within[at[-1]] = name
    return made


#: Functions that use a result.
USES: list[Callable[[sledsim.Run], object]] = [
    lambda run: run.explain(5),
    lambda run: run.again(),
    lambda run: run.summary(),
    lambda run: run.report("page.html"),
]


@pytest.mark.dear("a result is read and explained dozens of times", every_change="osdi00")
@pytest.mark.parametrize("kind", ["osdi00", "mirror", "faults"])
def test_a_result_imports_nothing(
    kind: str, here: Path, canary: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here)
    device = sledsim.device("osdi00")
    target = {"osdi00": device, "faults": sledsim.with_faults(device, {"seed": 1})}.get(
        kind
    ) or sledsim.volume("mirror")
    sledsim.simulate(target, sledsim.workload("random:rate=300,count=9", target)).write("good.parquet")
    table = pyarrow.parquet.read_table("good.parquet")
    about = json.loads(table.schema.metadata[b"sledsim"])
    # One column stands for all; a result under faults is slow to explain, and one device has most of it.
    places = [at for at in leaves(about) if at[0] != "columns" or at[1] == 0]
    if kind == "faults":
        places = [at for at in places if "faults" in at or at[-1] == "name"]
    assert places
    # A page takes seconds.
    uses = USES[:3] if kind == "osdi00" else USES
    for number, at in enumerate(places):
        name = NAMES[number % 3].replace("HERE", str(here))
        metadata = {**table.schema.metadata, b"sledsim": json.dumps(replaced(about, at, name)).encode()}
        pyarrow.parquet.write_table(table.replace_schema_metadata(metadata), "bad.parquet")
        for use in uses if at[-1] == "name" else uses[:1]:
            with suppress(sledsim.ParameterError, sledsim.TraceError, OSError, KeyError):
                use(sledsim.read_run("bad.parquet"))
            assert not canary(), f"{at}: {name}"


@pytest.mark.dear("a result is read hundreds of times", every_change=True)
@pytest.mark.parametrize(
    "command", ["explain FILE 5", "certify FILE", "run FILE", "trace info FILE", "view FILE"]
)
def test_commands_on_a_result_import_nothing(
    command: str, cli: Cli, here: Path, canary: Callable[[], bool]
) -> None:
    cli("run", WORK, "--out", "good.parquet")
    table = pyarrow.parquet.read_table(here / "good.parquet")
    about = table.schema.metadata[b"sledsim"].decode()
    for name in NAMES:
        said = about.replace("osdi00", name.replace("HERE", str(here))).encode()
        bad = table.replace_schema_metadata({**table.schema.metadata, b"sledsim": said})
        pyarrow.parquet.write_table(bad, here / "bad.parquet")
        assert "Traceback" not in cli(*words(command, here / "bad.parquet")).stderr
        assert not canary(), name


@pytest.mark.dear("a folder of points is read dozens of times")
def test_a_ledger_imports_nothing(cli: Cli, here: Path, canary: Callable[[], bool]) -> None:
    study = ["sweep", "run", WORK, "--volume", "mirror:device=osdi00", "--replications", "2", "--out", "kept"]
    assert cli(*study).returncode == 0
    (ledger,) = (here / "kept").glob("*.ledger")
    lines = [content_of(line) for line in ledger.read_bytes().splitlines()]
    places = [(number, at) for number, line in enumerate(lines[:2]) for at in leaves(line)]
    for place, (number, at) in enumerate(places):
        name = NAMES[place % len(NAMES)].replace("HERE", str(here))
        said = f"mirror:device={name}" if place % 2 else name
        changed = [*lines[:number], replaced(lines[number], at, said), *lines[number + 1 :]]
        ledger.write_bytes(b"".join(map(line_of, changed)))
        for command in ("sweep verify kept --rows 1", "sweep table kept --out rows.csv"):
            cli(*command.split())
            assert not canary(), f"{command}: {at}: {said}"


def test_ranges_import_nothing(
    here: Path, canary: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here)
    text = '[ranges]\nsettle_ms = {low = 0.1, high = 0.3, scale = "linear"}\n[derived]\ntips = "tips"\n'
    for said in with_each_name(text, here):
        (here / "ranges.toml").write_text(said)
        with pytest.raises(sledsim.ParameterError):
            read_factors("ranges.toml")
        assert not canary(), said
