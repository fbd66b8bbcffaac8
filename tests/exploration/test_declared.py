"""Options are declared once, for Python, the command line, files and documentation."""

import inspect
import typing

import pytest
import typer

import sledsim
from sledsim import options
from sledsim.cli.app import app
from sledsim.common.declared import declared, default_of, settled, typed
from sledsim.emulator.serving import DeviceServer
from sledsim.emulator.serving_options import ServingOptions
from sledsim.exploration.experiment import read_experiment
from sledsim.exploration.question_options import JUDGED, RUNNING, SHARED
from sledsim.runs.curve_points import PRECISE
from sledsim.runs.prices import Prices
from sledsim.uncertainty.draws import DRAWS

#: Each public function that takes a group, with the group.
TAKEN = {
    sledsim.simulate: options.KeepingOptions,
    sledsim.sweep: options.SweepOptions,
    sledsim.holds: options.HoldingOptions,
    sledsim.sensitivity: options.MeasuringOptions,
    sledsim.optimise: options.OptimisingOptions,
    sledsim.compare: options.PriceOptions,
    sledsim.response_curves: options.CurveOptions,
    sledsim.format_space: options.FormatOptions,
    DeviceServer.__init__: ServingOptions,
}
#: Commands, with the groups whose options they have.
COMMANDS = {
    "study sweep run": [options.SweepOptions],
    "study holds": [options.HoldingOptions],
    "study sensitivity": [options.MeasuringOptions],
    "study optimise": [options.OptimisingOptions],
    "compare": [options.CurveOptions, options.PriceOptions],
    "serve": [ServingOptions],
}
#: Options of commands with another form: a file in place of a range, a name of several.
_OTHERS = {"study optimise volume"}
#: Options whose help states the default in words.
_TOLD_IN_WORDS = ("past_end", "judged")


def command(path: str) -> typing.Any:
    found: typing.Any = typer.main.get_command(app)
    for word in path.split():
        found = found.get_command(None, word)
    return found


@pytest.mark.parametrize("group", [*TAKEN.values(), options.DrawingOptions], ids=lambda group: group.__name__)
def test_every_option_has_a_declaration_and_stands_in_the_documentation(group: typing.Any) -> None:
    rows = declared(group)
    assert rows and rows.keys() == group.__annotations__.keys()
    for name, row in rows.items():
        assert row.meaning and not row.meaning.endswith(".")
        assert f"\n        {name}: {row.meaning.split(' ')[0]}" in group.__doc__
        if row.default is not None:
            assert f"default: {typed(row.default)}"[:60].split(",")[0] in " ".join(group.__doc__.split())


@pytest.mark.parametrize("function", TAKEN, ids=lambda function: function.__qualname__)
def test_functions_refuse_other_options_and_repeat_no_defaults(function: typing.Any) -> None:
    group = TAKEN[function]
    with pytest.raises(
        TypeError, match=f"{function.__name__}\\(\\) got an unexpected keyword argument 'nonsense'"
    ):
        settled({"nonsense": 1}, group, function)
    last = (inspect.getdoc(function) or "").partition(f"`{group.__name__}`")[2].split("\n\n")[0]
    assert "(" not in last, "a default stands in the declaration alone"


def test_a_number_below_the_least_is_refused() -> None:
    with pytest.raises(sledsim.ParameterError, match=r"budget = 0: must be a whole number from 1"):
        settled({"budget": 0}, options.OptimisingOptions, sledsim.optimise)


def test_what_is_not_given_has_its_default() -> None:
    found = settled({"seed": 7}, options.CurveOptions, sledsim.response_curves)
    assert found == {name: row.default for name, row in declared(options.CurveOptions).items()} | {"seed": 7}


@pytest.mark.parametrize("path", COMMANDS)
def test_commands_have_the_meanings_and_defaults_of_the_declarations(path: str) -> None:
    shared = 0
    for one in command(path).params:
        for group in COMMANDS[path]:
            row = declared(group).get(one.name)
            is_other = one.hidden or f"{path} {one.name}" in _OTHERS
            # `compare` has its own replay options; the help of the options of curves names --rates.
            if row is None or is_other or (path == "compare" and "needs --" not in one.help):
                continue
            shared += 1
            assert one.help.replace("\\[", "[").startswith(row.meaning), one.name
            if one.default is not None:
                assert one.default == row.default, one.name
            elif row.default is not None and one.name not in _TOLD_IN_WORDS:
                assert one.show_default == typed(row.default), one.name
    assert shared >= 5


def test_a_file_of_a_sweep_takes_every_option_but_where_it_runs(tmp_path: typing.Any) -> None:
    given = {"count": 200, "seed": 7, "replay": '"open"', "replications": 3, "past_end": '"wrap"'}
    given |= {"precision": '"5%"', "judged": '["mean_response_s"]', "confidence": 0.9}
    assert given.keys() == declared(options.SweepOptions).keys() - set(RUNNING)
    lines = [f"{key} = {value}" for key, value in given.items()]
    (tmp_path / "sweep.toml").write_text("\n".join(['workloads = ["random:rate=9"]', *lines]))
    study = read_experiment(tmp_path / "sweep.toml")
    assert (study.count, study.seed, study.replications, study.past_end) == (200, 7, 3, "wrap")
    for name in RUNNING:
        (tmp_path / "wrong.toml").write_text(f'workloads = ["demo"]\n{name} = 1\n')
        with pytest.raises(sledsim.ParameterError, match=f"unknown key '{name}'"):
            read_experiment(tmp_path / "wrong.toml")


def test_rooms_that_know_no_questions_have_the_same_defaults() -> None:
    of_prices = {name: default_of(options.PriceOptions, name) for name in ("lifetime_years", "kwh_price")}
    assert of_prices == {"lifetime_years": Prices().lifetime_years, "kwh_price": Prices().kwh_price}
    assert default_of(options.HoldingOptions, "replications") == DRAWS
    assert JUDGED == PRECISE


def test_a_shared_option_has_one_meaning_in_all_groups() -> None:
    for group in TAKEN.values():
        for name, row in declared(group).items():
            same = SHARED.get(name.replace("_", "-"))
            assert same is None or row.meaning == same.meaning, (group.__name__, name)
