"""A deprecated name warns for one version, names its replacement, and is gone in the next."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim import moved
from sledsim.common.deprecation import ARGUMENTS, ATTRIBUTES, COMMANDS, GOING, command, going, notice
from sledsim.common.signatures import names_of

from ..conftest import Cli
from ..public import public_names

#: A use of each deprecated name on the command line.
TYPED = {
    **{command(name): name for name in COMMANDS},
    "--explain of 'sledsim show'": "show osdi00 --explain",
    "--resume of 'sledsim design'": "design random:rate=100,count=20 --resume",
    "--device of 'sledsim trace slice'": "trace slice demo --device 0 -o old.spc",
    "--to of 'sledsim run'": "run random:rate=100,count=200 --perfetto p.pftrace --to 1",
    "--torn of 'sledsim serve'": "serve --torn old --power-cut-at 0 --size 1M",
    "--devices of 'sledsim holds'": "holds mean<1 random:rate=100 --count 200 --no-indices --threshold 0.1"
    " --devices 2",
    "--figures of 'sledsim sweep'": "sweep random:rate=100,count=200 --precision 0.5 --out out"
    " --figures mean",
    "figures in the file of a sweep": "sweep old.toml --out out",
    "--devices of 'sledsim sensitivity'": "sensitivity random:rate=100 --over settle_ms=0.1..0.4 --count 200"
    " --devices 48",
    "--devices of 'sledsim paper robustness'": "paper robustness --paper 004 --devices 2",
}
OLD_FILE = 'workloads = ["random:rate=100,count=200"]\nprecision = 0.5\nfigures = ["mean_response_s"]\n'


def small() -> sledsim.Trace:
    return sledsim.random_workload("osdi00", rate_per_s=300, count=300)


def holding(**given: Any) -> sledsim.results.Holding:
    asked = {"count": 200, "replications": 1, "indices": False, **given}
    return sledsim.holds("mean < 1", "random:rate=100", over={"settle_ms": "0.1..0.4"}, **asked)


def sensitivity(**given: Any) -> sledsim.results.Sensitivity:
    return sledsim.sensitivity("random:rate=100", over={"settle_ms": "0.1..0.4"}, count=200, **given)


class Content:
    """A workload of curves that reports its draws."""

    content = "random"

    def __call__(self, device: Any, rate: float, seed: int) -> sledsim.Trace:
        return sledsim.random_workload(device, rate_per_s=rate, count=300, seed=seed)


#: A call of each function in a folder, with an argument by its old name.
CALLS: dict[tuple[str, str], Callable[[Path], object]] = {
    ("compare", "device"): lambda _: sledsim.compare(device="osdi00", workloads=small(), schedulers="fcfs"),
    ("compare", "trace"): lambda _: sledsim.compare("osdi00", trace=small(), schedulers="fcfs"),
    ("fit_workload", "source"): lambda _: sledsim.fit_workload(source=small()),
    ("format_space", "ledger"): lambda folder: sledsim.format_space(small(), **AXES, ledger=folder),
    ("format_space", "on"): lambda _: sledsim.format_space(small(), **AXES, on="emsoft08"),
    ("holds", "devices"): lambda _: holding(devices=2),
    ("holds", "of"): lambda _: holding(of="osdi00", samples=2),
    ("overview", "target"): lambda _: sledsim.overview(small(), target="osdi00"),
    ("response_curves", "ledger"): lambda folder: curves(count=300, ledger=folder),
    ("response_curves", "workload"): lambda _: curves(workload=Content()),
    ("schedule_bounds", "changes"): lambda _: sledsim.schedule_bounds("osdi00", few(), steps=9, changes=9),
    ("schedule_bounds", "requests"): lambda _: sledsim.schedule_bounds("osdi00", requests=few()),
    ("sensitivity", "devices"): lambda _: sensitivity(devices=48),
    ("simulate", "out"): lambda folder: sledsim.simulate("osdi00", few(), out=folder / "run.parquet"),
    ("sweep", "figures"): lambda folder: sledsim.sweep(
        "random:rate=100,count=200", folder=folder, figures=["mean_response_s"]
    ),
    ("trace_statistics", "source"): lambda _: sledsim.trace_statistics(source=few()),
    ("with_episodes", "target"): lambda _: sledsim.with_episodes(
        target=sledsim.device("osdi00"), episodes=["stall:at=10,ms=500"]
    ),
    ("Validation.write_plots", "out"): lambda folder: validation().write_plots(out=folder),
    ("FittedWorkload.kept", "trace"): lambda _: sledsim.fit_workload(small()).kept(trace=None),
    ("FormatSpace.best", "target"): lambda _: sledsim.format_space(small(), **FEASIBLE).best(target="energy"),
    ("Simulation", "devices"): lambda _: sledsim.Simulation("osdi00", devices=2),
    ("TipCode.decode", "missing"): lambda _: decoded(missing=[1]),
    ("optimise", "run"): lambda _: optimised(run=None),
    ("read_sweep", "study"): lambda folder: read(folder, study=None),
    ("tip_placement", "columns"): lambda _: sledsim.tips.tip_placement(4, 4, columns=4),
}
FEASIBLE: dict[str, Any] = {"probes": [4096], "sectors": [1], "sector_bytes": [4096]}
AXES: dict[str, Any] = {"probes": [1280], "sectors": [1], "sector_bytes": [512]}
READ: dict[tuple[str, str], Callable[[], object]] = {
    ("Holding", "devices"): lambda: holding(samples=2).devices,  # type: ignore[attr-defined]
    ("Sensitivity", "devices"): lambda: sensitivity(samples=48).devices,  # type: ignore[attr-defined]
}


def validation() -> sledsim.results.Validation:
    return sledsim.validate("osdi00", sledsim.demo_trace())


def decoded(**given: Any) -> sledsim.results.DecodedBlock:
    code = sledsim.tips.tip_code(64, 2)
    return code.decode(code.encode(bytes(512)), **given)


def optimised(**given: Any) -> sledsim.results.Optimum:
    asked = {"over": {"settle_ms": [0.1, 0.2]}, "minimise": "mean", "budget": 2, "held_out": 0, **given}
    return sledsim.optimise("random:rate=100,count=200", **asked)


def read(folder: Path, **given: Any) -> sledsim.results.Sweep:
    sledsim.sweep("random:rate=100,count=200", folder=folder)
    return sledsim.read_sweep(folder, **given)


def few() -> sledsim.Trace:
    return sledsim.random_workload("osdi00", rate_per_s=300, count=8)


def curves(**given: Any) -> sledsim.results.Curves:
    return sledsim.response_curves("osdi00", "fcfs", [100], replications=2, **given)


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_no_old_name_outlives_its_stated_version() -> None:
    last = {name: old.gone_in for name, old in going().items()} | {"old names of modules": moved.GONE_IN}
    assert not [name for name, gone in last.items() if numbers(sledsim.__version__) >= numbers(gone)]


def test_everything_that_goes_away_is_tried_here() -> None:
    assert TYPED.keys() == GOING.keys()
    assert CALLS.keys() == {(function, old) for function, names in ARGUMENTS.items() for old in names}
    assert READ.keys() == {(of, old) for of, names in ATTRIBUTES.items() for old in names}


def test_a_new_name_is_in_the_signature_and_the_old_one_is_not() -> None:
    for of, names in ARGUMENTS.items():
        name, *method = of.split(".")
        function = public_names()[name]
        for part in method:
            function = getattr(function, part)
        there = names_of(function).keys()
        assert {*names.values()} <= there, of
        assert not (names.keys() - {*names.values()}) & there, of


@pytest.mark.parametrize("name", TYPED)
@pytest.mark.dear("commands of every kind are run", every_change=True)
def test_a_word_still_works_and_says_what_to_use(cli: Cli, name: str, here: Path) -> None:
    (here / "old.toml").write_text(OLD_FILE)
    done = cli(*TYPED[name].split())
    assert done.returncode == 0, done.stderr
    assert " ".join(done.stderr.split()).count(notice(name)) == 1


@pytest.mark.parametrize("old", COMMANDS)
@pytest.mark.dear("commands of every kind are run", every_change=True)
def test_an_old_command_prints_the_same_as_the_new_one(cli: Cli, old: str) -> None:
    before, now = (cli(*words.split(), "--json") for words in (old, COMMANDS[old]))
    assert before.stdout == now.stdout and now.returncode == 0
    assert now.stderr == ""
    assert f"│ {old} " not in cli("--help").stdout


@pytest.mark.parametrize(("of", "old"), CALLS)
@pytest.mark.dear("functions of every kind are called", every_change=True)
def test_an_argument_still_works_and_says_what_to_use(tmp_path: Path, of: str, old: str) -> None:
    if of.endswith("write_plots"):
        pytest.importorskip("altair", reason="plots need an extra: pip install 'sledsim[plot]'")
    with pytest.warns(DeprecationWarning) as found:
        assert CALLS[of, old](tmp_path)
    assert [str(one.message) for one in found] == [notice(f"{of}({old}=...)")]
    assert found[0].filename == __file__


@pytest.mark.parametrize(("of", "old"), READ)
@pytest.mark.dear("results of every kind are made", every_change=True)
def test_an_attribute_still_works_and_says_what_to_use(of: str, old: str) -> None:
    with pytest.warns(DeprecationWarning) as found:
        assert READ[of, old]() in (2, 48)
    assert [str(one.message) for one in found] == [notice(f"{of}.{old}")]


def test_an_old_name_of_another_argument_is_recognised_by_its_value() -> None:
    with pytest.warns(DeprecationWarning) as found:
        both = holding(of="mascots03", devices=3)
    assert (both.samples, both.pairs) == (3, [("mascots03", "sptf")])
    assert len(found) == 2
    with (
        pytest.warns(DeprecationWarning),
        pytest.raises(sledsim.ParameterError, match="devices: given twice"),
    ):
        holding(of="mascots03", devices=["osdi00"])


def test_a_truth_value_is_no_number_of_devices() -> None:
    with pytest.raises(sledsim.ParameterError, match=r"devices: expected a Device, .*, found True"):
        holding(devices=True)


def test_an_argument_by_both_names_is_refused() -> None:
    with (
        pytest.warns(DeprecationWarning),
        pytest.raises(sledsim.ParameterError, match="trace: given twice, also by its old name requests"),
    ):
        sledsim.schedule_bounds("osdi00", trace=few(), requests=few())
