"""``sledsim compare`` and ``sledsim demo``: run the same requests on several devices, policies and loads."""

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..._native import ParameterError
from ...common.endings import ending_of, names
from ...exploration.question_options import CurveOptions, PriceOptions
from .. import command_options as options
from ..completion import complete_price, complete_trace
from ..interruption import kept_in
from ..output import listed, print_result, print_text, write_plots
from ..rates import curve_options, draw_curves
from ..replaying import fitting
from ..shared import PRECISION, option
from ..shell import note_more
from ..targets import Episodes, ManyTargets
from ..terminal import progress

if TYPE_CHECKING:
    from ...exploration.study_points import Study
    from ...exploration.subjects import Requests
    from ...model.volumes import Target
    from ...runs.prices import Prices


_PANEL = "Cost"


@dataclass(frozen=True)
class Curved:
    """Group of options for curves of response time over arrival rate, which replace the replay of a trace."""

    rates: Annotated[
        str | None,
        typer.Option(
            help="Draw curves of response time over arrival rate, for a random workload such as 'random:': "
            "rates in requests/s, such as 100,500 or start:stop:step."
        ),
    ] = None
    replications: Annotated[
        int | None,
        option(CurveOptions, "replications", " per point; needs --rates", is_given=False, min=None),
    ] = None
    count: Annotated[int | None, option(CurveOptions, "count", " per run; needs --rates", is_given=False)] = (
        None
    )
    precision: Annotated[
        float | None,
        PRECISION(
            ", such as 0.05: the number of runs per point is doubled until mean, cv² and percentiles up to"
            " the 99th reach this precision; needs --rates"
        ),
    ] = None

    def measuring(self) -> dict[str, Any]:
        """Return the options that state how curves are measured, by argument name of `response_curves`."""
        return {"replications": self.replications, "count": self.count, "precision": self.precision}

    def given(self) -> dict[str, object]:
        """Return the values of the options for curves, by option name; None if the user did not type one."""
        return {f"--{name}": value for name, value in vars(self).items()}


@dataclass(frozen=True)
class Priced:
    """Group of options for prices, from which the cost of a request is computed."""

    price: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PRICE",
            rich_help_panel=_PANEL,
            help="Price of a device or volume, in any currency: 'osdi00=120', or 'cf-card=2.5/GiB'; may be "
            "given several times. The cost of a request is PRICE / (requests/s x lifetime) + its energy x "
            "--kwh-price; without --price the table has no costs.",
            autocompletion=complete_price,
        ),
    ] = None
    lifetime_years: Annotated[
        float | None,
        option(PriceOptions, "lifetime_years", "; needs --price", is_given=False, rich_help_panel=_PANEL),
    ] = None
    kwh_price: Annotated[
        float | None,
        option(PriceOptions, "kwh_price", "; needs --price", is_given=False, rich_help_panel=_PANEL),
    ] = None

    def given(self) -> dict[str, object]:
        """Return the values of the options for prices, by option name; None if the user did not type one."""
        return {"--price": self.price, "--lifetime-years": self.lifetime_years, "--kwh-price": self.kwh_price}

    def prices(self) -> "Prices":
        """Return the prices and the lifetime that the options state.

        Raises:
            ParameterError: A price is not NAME=PRICE, a device has two prices, or ``--lifetime-years`` or
                ``--kwh-price`` comes without a price.
        """
        from ...runs.prices import Prices

        prices: dict[str, float | str] = {}
        for text in self.price or ():
            # Names of volumes have options with = inside.
            name, equals, value = text.rpartition("=")
            if not equals or not name:
                raise ParameterError(f"--price: expected NAME=PRICE, found {text!r}")
            if name in prices:
                raise ParameterError(f"--price: expected one price of {name}, found two")
            prices[name] = value.strip()
        more: dict[str, Any] = {
            key: value
            for key, value in (("lifetime_years", self.lifetime_years), ("kwh_price", self.kwh_price))
            if value is not None
        }
        if more and not prices:
            raise ParameterError(f"--{next(iter(more)).replace('_', '-')}: needs at least one --price")
        return Prices(prices, **more)


#: Default folder for tables and plots of curves.
_OUT = "compare-out"
_DEMO_SCHEDULERS = ["fcfs", "sstf_lbn", "clook_lbn", "sptf"]
#: Speed-ups of the trace in the demo: as traced, with bursts, with a busy device, with a saturated device.
_DEMO_SCALES = [1.0, 4.0, 16.0, 64.0]


def compare(
    *,
    trace: Annotated[
        str,
        typer.Argument(
            help="A trace file, a workload such as 'random:rate=1000' ('sledsim list workloads') or a "
            "bundled trace such as 'demo'; or a TOML file that states the whole comparison.",
            autocompletion=complete_trace,
        ),
    ],
    onto: ManyTargets,
    schedulers: options.OptionalSchedulersOption = None,
    out: Annotated[
        Path | None,
        options.of_output(
            help=f"File for the table ({names()}), or folder for the table, plots and the times of each"
            " request; with a folder, the same command resumes there. --rates needs a folder"
            f" \\[default: {_OUT}]."
        ),
    ] = None,
    priced: Priced,
    episodes: Episodes,
    scales: Annotated[
        str | None, options.of_trace(help="Speed-ups of the trace to try, such as 1,4,16. \\[default: 1]")
    ] = None,
    curved: Curved,
    how: options.Replaying,
) -> None:
    """Compare devices, volumes and schedulers under the same requests, or draw curves over the arrival rate.

    Runs every valid combination. The first device under the first policy is the reference of the comparison.
    A TOML file may describe the comparison: sledsim compare experiment.toml.
    """
    from ...exploration.comparing import comparison_study
    from ...traces.generators import is_generated

    of_replay: dict[str, object] = {"--scales": scales, "--past-end": how.past_end, "--fit": how.fit or None}
    of_replay |= {"--replay": how.replay, **how.given(), "--traced-device": how.traced_devices}
    of_replay |= priced.given()
    if trace.lower().endswith(".toml") and not is_generated(trace):
        of_devices = {"--device": onto.device_names, "--volume": onto.volume_names, "--set": onto.settings}
        given = {**of_devices, "--schedulers": schedulers, **curved.given(), **of_replay}
        whole = f"{trace} states the whole comparison: remove this option, or set it in the file"
        _refuse(whole, **given, **vars(episodes))
        _compare_file(trace, out)
        return
    policies = options.parse_schedulers("--schedulers", "sptf" if schedulers is None else schedulers)
    models = {name: episodes.on(model) for name, model in onto.models(policies[0]).items()}
    if curved.rates is not None:
        _refuse("does not go with --rates", **of_replay)
        loads = options.parse_rates("--rates", curved.rates)
        asked = curve_options(trace, **curved.measuring())
        folder, file = _outputs(out or Path(_OUT))
        if folder is None:
            raise ParameterError(f"--out {file}: expected a folder, which --rates fills, found a file")
        _draw_each(models, policies, loads, asked, folder)
        return
    _refuse("needs --rates", **curved.given())
    prices, (folder, file) = priced.prices(), _outputs(out)
    prices.check(models)
    with kept_in(folder):
        workload = _requests(trace, next(iter(models.values())), how)
        models, rule = fitting(workload.trace, models, how)
    factors = options.parse_numbers("--scales", "1" if scales is None else scales)
    study = comparison_study(_subjects(models), [workload], policies, factors, rule, how.replay)
    _run(study, prices, folder, file)


def _refuse(reason: str, **given: object) -> None:
    """Raise an error if an option is given that has no effect here; `reason` states why it has none.

    Raises:
        ParameterError: One of the options `given` has a value other than None.
    """
    for one, value in given.items():
        if value is not None:
            name = one if one.startswith("-") else f"--{one}"
            raise ParameterError(f"{name}: {reason}")


def _draw_each(
    models: "dict[str, Target]", policies: list[str], loads: list[float], asked: dict[str, Any], out: Path
) -> None:
    """Draw the curves of each device into `out`; if several devices are compared, into a folder each."""
    from ...common.output_files import file_name

    for name, model in models.items():
        draw_curves(model, policies, loads, asked, out / file_name(name) if len(models) > 1 else out)


def _compare_file(path: str, out: Path | None) -> None:
    """Run the comparison that the TOML file at `path` describes; `out` replaces the output path in it."""
    from ...exploration.compared import read_comparison

    asked = read_comparison(path)
    note_more(asked.given)
    if out is None and asked.out is not None:
        _check_place(path, asked.out)
    folder, file = _outputs(out or asked.out, "--out" if out else f"{path}: out")
    _run(asked.study, asked.prices, folder, file)


def _check_place(path: str, out: Path) -> None:
    """Check the output path in a comparison file, which may come from a stranger, before anything is written.

    Raises:
        ParameterError: The output path is outside the folder of the comparison file, is an existing file, or
            is a folder with files other than results of a comparison.
    """
    from ...exploration.comparing import has_ledger

    typed = f"to write there all the same, add --out {shlex.quote(str(out))}"
    if Path(os.path.realpath(path)).parent not in Path(os.path.realpath(out / "below")).parents:
        raise ParameterError(f"{path}: out: expected a path in the folder of this file, found {out}; {typed}")
    if out.is_dir() and any(out.iterdir()) and not has_ledger(out):
        raise ParameterError(
            f"{path}: out: expected a new folder, an empty one or one with results of a comparison, found"
            f" other files in {out}; {typed}"
        )
    if out.exists() and not out.is_dir():
        raise ParameterError(
            f"{path}: out: expected the name of a new file, found the existing file {out}; {typed}"
        )


def _outputs(out: Path | None, named: str = "--out") -> tuple[Path | None, Path | None]:
    """Return `out` as a folder for the results or as a file for the table; the other of the two is None.

    Args:
        out: The output path; a path with an ending is a file, any other path is a folder.
        named: Name of the option, or place of the key, that states `out`; error messages begin with it.

    Raises:
        ParameterError: The name of the file ends in none of the endings of table formats, such as ``.csv``.
        OSError: The file cannot be written.
    """
    from ...common.output_files import check_writable

    if out is None or out.is_dir() or not out.suffix:
        return out, None
    try:
        ending_of(out)
    except ParameterError as error:
        raise ParameterError(f"{named} {error}; a folder needs a name without an ending") from None
    check_writable(out)
    return None, out


def _requests(text: str, model: "Target", reading: options.Reading) -> "Requests":
    """Return the requests to compare: a random workload, drawn anew for each device, or a trace."""
    from ...exploration.subjects import Requests
    from ...traces.generators import is_generated
    from ..workloads import load_trace

    is_given = reading.given() or reading.traced_devices is not None
    if is_generated(text) and not Path(text).exists() and not is_given:
        return Requests.of(text, once=True)
    return Requests.of(load_trace(text, model, reading))


def _subjects(models: "dict[str, Target]") -> list[Any]:
    from dataclasses import replace

    from ...exploration.subjects import Subject

    return [replace(Subject.of(model), name=name) for name, model in models.items()]


def demo(out: Annotated[Path, typer.Option(help="Folder for all results.")] = Path("demo-out")) -> None:
    """Replay the bundled trace of a real ext4 file system under four schedulers."""
    from ...exploration.comparing import comparison_study
    from ...exploration.subjects import Requests, Subject
    from ...runs.prices import Prices
    from ...traces.trace_files import demo_trace

    workload = Requests.of(demo_trace())
    study = comparison_study([Subject.of("osdi00")], [workload], _DEMO_SCHEDULERS, _DEMO_SCALES)
    _run(study, Prices(), out, None)
    program = _program()
    print_text(
        f"Next, try:\n  {program} show osdi00\n  {program} run demo --scheduler sptf --scale 16 --set "
        f"settle_ms=0 --out sptf.parquet\n  {program} compare demo --device osdi00 --device atlas10k "
        f"--device cf-card\n  {program} compare random:rate=1000,count=20000 --schedulers fcfs,sptf --scales "
        f"0.5,1,1.5,2 --out random-out\n  {program} --help"
    )


def _run(study: "Study", prices: "Prices", folder: Path | None, file: Path | None) -> None:
    """Run a comparison, print its table, and write the results to `folder` or `file` unless both are None."""
    from ...exploration.comparing import run_comparison
    from ...exploration.sensible import sensible

    with kept_in(folder):
        chosen = sensible(study)
        per_workload = len(chosen.numbers) / len(study.workloads)
        work = sum(map(study.requests_of, study.workloads)) * per_workload
        with progress("Simulating", work) as report:
            found = run_comparison(study, folder, prices=prices, chosen=chosen, progress=report)
    print_result(found)
    if file is not None:
        print_text(f"Written: {found.write(file)}\n")
    elif folder is None:
        print_text(
            "To keep these results: --out results.csv (or .parquet, .json) writes the table; --out FOLDER "
            "also writes plots and the times\nof each request, and the same command resumes there after a "
            "stop.\n"
        )
    else:
        plots = write_plots(found.write_plots, folder)
        summary = listed([folder / "summary.csv", *plots])
        print_text(
            f"Times of each request: {folder}{os.sep}*.parquet ({len(found.measured)} files)\n"
            f"{'Summary and plots:    ' if plots else 'Summary:              '} {summary}\n"
        )


def _program() -> str:
    """Return ``sledsim`` if the shell finds this program by that name, or else the path of the program."""
    started = Path(sys.argv[0]).absolute()
    found = shutil.which("sledsim")
    if found and Path(found).absolute() == started:
        return "sledsim"
    return os.path.relpath(started)


COMMANDS = {"compare": compare}
