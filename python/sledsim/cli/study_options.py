"""Options of ``sledsim study``: parameters to vary, how to measure each device, and where to run."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._native import ParameterError
from ..common.declared import default_of
from ..exploration.question_options import DRAWN, MeasuringOptions, SweepOptions
from . import command_options as options
from .completion import complete_schedulers, complete_trace
from .interruption import kept_in
from .output import print_note, runnable
from .renamed import taken
from .shared import CONFIDENCE, COUNT, SCALE, SCHEDULERS, SEED, option
from .targets import DEVICE, ROLE, VolumesOption, target
from .terminal import progress

if TYPE_CHECKING:
    from ..exploration.study_points import Study
    from ..exploration.subjects import Subject
    from ..uncertainty.factors import Factors


VaryingVolumeOption = Annotated[
    str | None,
    options.of_named_volume(
        help="Kind of volume, or volume file, to study in place of a device; its options and the parameters "
        "of its members can vary."
    ),
]


@dataclass(frozen=True)
class Varied(options.Scaled):
    """Group of options: which parameters of the device vary, and how each resulting device is measured."""

    settings: options.SetOption = None
    over: Annotated[
        list[str] | None,
        options.of_variable(
            metavar="KEY=LOW..HIGH|FILE",
            help="Range of a parameter ('settle_ms=0.1..0.4', ':log' at the end for a logarithmic scale), "
            "choices ('power_policy=always-on,immediate'), or a TOML file with \\[ranges] and \\[derived]; "
            "may be given several times. \\[default: the ranges in the device file]",
        ),
    ] = None
    scheduler: options.SchedulerOption = "sptf"
    replications: Annotated[
        int, option(MeasuringOptions, "replications", " per device; all devices use the same seeds")
    ] = default_of(MeasuringOptions, "replications")
    count: Annotated[int | None, COUNT(f" per run of a random workload. \\[default: {DRAWN:,}]")] = None
    seed: Annotated[int, SEED(" that draw the requests and the plausible devices")] = default_of(
        MeasuringOptions, "seed"
    )
    confidence: Annotated[float, CONFIDENCE()] = 0.95
    out: Annotated[
        Path | None,
        options.of_output(
            help="Folder for tables and plots. It also stores the results of every finished device, so that "
            "the same command, also with more devices, continues after them."
        ),
    ] = None
    on: options.OnOption = None
    workers: options.WorkersOption = None

    def measuring(self, workload: str, subjects: "Sequence[Subject]") -> dict[str, Any]:
        """Return workload and measuring options by the argument names of `sensitivity` and `holds`."""
        from ..exploration.subjects import Requests
        from .replaying import varying_rule
        from .workloads import check_name

        check_name(workload)
        requests = Requests.of(workload, self.studied())
        count = self.count
        if not requests.is_drawn and (count is not None or self.replications != type(self).replications):
            print_note(
                f"{workload}: --count and --replications are ignored: they apply to random workloads, and a"
                " trace is the same in every run"
            )
        return {
            "workload": requests,
            "replications": self.replications,
            "count": count if requests.is_drawn else None,
            "seed": self.seed,
            "confidence": self.confidence,
            "scale": self.scale,
            "past_end": varying_rule(subjects, [requests], self),
            "replay": self.replay,
            "folder": self.out,
            "on": self.on,
            "workers": self.workers,
        }

    def again(
        self,
        workload: str,
        target: list[str],
        changes: Mapping[str, Any],
        schedulers: Iterable[str],
        count: int | None,
        out: str,
    ) -> str:
        """Return a ``sledsim study sweep`` command that runs one device as this study ran it.

        Args:
            workload: The workload as the user typed it.
            target: Options of the command that name the device or volume.
            changes: Parameters of the device to set, by key; they replace values of ``--set``.
            schedulers: The policies under which the device runs.
            count: Requests per run of a random workload; None keeps the count that the workload states.
            out: The folder for the results of the command.
        """
        words = ["study", "sweep", workload, *target]
        own = [one for one in self.settings or [] if one.partition("=")[0].strip() not in changes]
        for setting in [*(f"{key}={in_toml(value)}" for key, value in changes.items()), *own]:
            words += ["--set", setting]
        words += ["--scheduler", ",".join(schedulers)]
        words += [] if count is None else ["--count", str(count)]
        words += ["--replications", str(self.replications), "--seed", str(self.seed)]
        words += [] if self.scale == 1.0 else ["--scale", str(self.scale)]
        for name in ("past_end", "replay", "format", "map", "traced_devices"):
            if (value := getattr(self, name)) is not None:
                words += [f"--{_OPTIONS.get(name, name.replace('_', '-'))}", str(value)]
        words += ["--skip-bad"] if self.skip_bad else []
        words += ["--fit"] if self.fit else []
        return runnable(*words, "--out", out)

    def factors(self, subjects: "list[Subject]") -> "Factors":
        """Return the varied parameters that ``--over`` states, or else the ranges in the device files.

        Raises:
            ParameterError: A range is wrong, a parameter comes twice, or no parameter varies.
            OSError: A file cannot be read.
        """
        from ..exploration.sample import factors_from
        from ..uncertainty.factors import Factors
        from ..uncertainty.ranges import parse_factor, read_factors

        if not self.over:
            return factors_from(None, subjects)
        varied: list[Any] = []
        derived: dict[str, Any] = {}
        for text in self.over:
            if "=" in text:
                varied.append(parse_factor(_with_policies(text)))
                continue
            if not Path(text).exists() and Path(text).suffix != ".toml":
                raise ParameterError(
                    f"--over {text}: expected KEY=LOW..HIGH, KEY=VALUE,VALUE or an existing TOML file, found "
                    "no file of this name"
                )
            read = read_factors(text)
            varied += read.varied
            for key, expression in read.derived.items():
                if key in derived:
                    raise ParameterError(f"--over {text}: expected {key} in one [derived], found it in two")
                derived[key] = expression
        return Factors(varied, derived)


@dataclass(frozen=True)
class Plausible(Varied):
    """Group of options: varied parameters, the number of plausible devices, and how each is measured."""

    samples: Annotated[
        int | None, options.of_variation("--samples", help="Number of plausible devices to draw.")
    ] = None
    old_samples: Annotated[int | None, typer.Option("--devices", hidden=True)] = None

    def drawn(self, command: str) -> int | None:
        """Return the number of plausible devices, from ``--samples`` or its old name ``--devices``."""
        return taken(self.samples, self.old_samples, f"--devices of {command!r}", "--samples")


def _with_policies(text: str) -> str:
    """Return a text of ``--over`` in which policies of the user's files are loaded and replaced by names."""
    name, sign, values = text.partition("=")
    if name.strip() != "scheduler" or not sign:
        return text
    return f"{name}={','.join(options.parse_schedulers('--over scheduler', values))}"


def in_toml(value: object) -> str:
    """Return a value as the text that follows ``KEY=`` in ``--set``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return repr(value)
    raise ParameterError(f"expected a number or a text, found {value!r}")


def subject_of(device_name: str | None, volume: str | None, settings: list[str] | None) -> "Subject":
    """Return the device or volume to study that ``--device``, ``--volume`` and ``--set`` describe.

    Raises:
        ParameterError: A name, key or value is wrong, or the volume needs members of several kinds, so that
            one device does not suffice.
    """
    from ..exploration.subjects import Subject
    from ..model.typed import imported, imported_members, imported_settings

    changes = options.parse_settings(settings)
    if volume is None:
        return Subject.of(imported(device_name or DEVICE), changes)
    target(device_name, volume, settings, None)
    changes = changes if device_name is None else {ROLE: device_name, **changes}
    return Subject.of_volume(imported_members(volume), imported_settings(changes))


@contextmanager
def simulating(points: int, out: Path | None) -> Iterator[Callable[[int], object]]:
    """Show how many of `points` runs are finished; if a signal interrupts them, print where results are kept.

    The function that this yields takes the number of finished points.
    """
    with kept_in(out), progress("Simulating", points) as report:
        yield report


WorkloadsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="WORKLOAD...",
        help="Trace files, bundled traces, workloads such as 'random:rate=900'; or one TOML file that "
        "states the whole study.",
        autocompletion=complete_trace,
    ),
]

#: Names of those options on the command line that differ from their field names, by field name.
_OPTIONS = {"schedulers": "scheduler", "settings": "set", "traced_devices": "traced-device"}


@dataclass(frozen=True)
class Asked(options.Replaying):
    """Group of all options of a sweep; its workloads are arguments of the command."""

    devices: Annotated[
        list[str] | None,
        options.of_named_device(
            help="A built-in device or a device file; may be given several times. "
            f"\\[default: {DEVICE}, or no device with --volume]"
        ),
    ] = None
    volumes: VolumesOption = None
    settings: options.SetOption = None
    over: Annotated[
        list[str] | None,
        options.of_variable(
            metavar="KEY=VALUES",
            help="Values of a device parameter to try: 'settle_ms=0.1:0.4:0.05' (from 0.1 to 0.4 in exact "
            "steps of 0.05) or 'active_tips=640,1280'; may be given several times.",
        ),
    ] = None
    schedulers: Annotated[
        str | None,
        options.of_variation(
            "--scheduler",
            "--schedulers",
            "-s",
            help=f"{SCHEDULERS.row.meaning}. \\[default: sptf]",
            autocompletion=complete_schedulers,
        ),
    ] = None
    scales: Annotated[
        str | None,
        options.of_variation(
            "--scales",
            "--scale",
            help=f"{SCALE.row.meaning}; one or several values, such as 1,4,16 or 1:8:1.",
        ),
    ] = None
    replications: Annotated[
        int | None,
        option(
            SweepOptions,
            "replications",
            " of a random workload, each with its own seed",
            is_given=False,
            min=None,
        ),
    ] = None
    count: Annotated[int | None, COUNT(" per run of a random workload")] = None
    seed: Annotated[
        int | None,
        option(SweepOptions, "seed", " of the first run; later runs use the following seeds", is_given=False),
    ] = None
    precision: Annotated[
        str | None,
        option(
            SweepOptions,
            "precision",
            ", such as 1% or 0.01: runs are added, up to eight times --replications",
        ),
    ] = None
    judged: Annotated[
        str | None,
        option(
            *(SweepOptions, "judged"),
            ", separated by commas. \\[default: mean, cv² and percentiles up to the 99th of the response]",
        ),
    ] = None
    confidence: Annotated[float | None, option(SweepOptions, "confidence", is_given=False)] = None
    figures: Annotated[str | None, typer.Option(hidden=True)] = None

    def study(self, workloads: list[str]) -> "Study":
        """Return the study that the options state, or the study in a TOML file if that is the only workload.

        Raises:
            ParameterError: A study in a TOML file is combined with other workloads or options, or a value is
                wrong.
            TraceError, OSError: A trace cannot be used or read.
        """
        from ..exploration.experiment import read_experiment, study_of
        from ..model.typed import imported, imported_members, imported_settings
        from .replaying import varying_rule
        from .workloads import check_name

        files = [name for name in workloads if name.lower().endswith(".toml")]
        if not files:
            for name in workloads:
                check_name(name)
            study = study_of(
                workloads,
                imported(self.devices or []),
                [*map(imported_members, self.volumes or [])],
                imported_settings(options.parse_settings(self.settings)),
                self.studied(),
                self._fields(),
            )
            return replace(study, past_end=varying_rule(study.subjects, study.workloads, self))
        if len(workloads) > 1:
            others = ", ".join(name for name in workloads if name != files[0])
            raise ParameterError(f"{files[0]} states the whole study: remove the other workloads ({others})")
        for name, value in vars(self).items():
            if value:
                option = _OPTIONS.get(name, name.replace("_", "-"))
                raise ParameterError(
                    f"{files[0]} states the whole study: remove --{option}, or set it in the file"
                )
        return read_experiment(files[0])

    def _fields(self) -> dict[str, Any]:
        """Return the options by the field names of a `Study`; the value is None if an option is not given."""
        from ..exploration.experiment import precision_of
        from ..exploration.parameter_values import read_numbers, read_values
        from ..exploration.sample import figure_name

        over = options.parse_texts("--over", self.over)
        given = taken(self.judged, self.figures, "--figures of 'sledsim sweep'", "--judged")
        if given and not self.precision:
            raise ParameterError("--judged: needs --precision, which the judged figures must reach")
        names = options.parse_names("--judged", given) if given else []
        judged = [figure_name(name) for name in names] or None
        return {
            "over": {key: read_values(f"--over {key}", text) for key, text in over.items()},
            "schedulers": self.schedulers and options.parse_schedulers("--scheduler", self.schedulers),
            "scales": self.scales and read_numbers("--scales", self.scales),
            "precision": self.precision and precision_of(self.precision),
            "judged": judged,
            "replications": self.replications,
            "count": self.count,
            "seed": self.seed,
            "confidence": self.confidence,
            "replay": self.replay,
        }


@dataclass(frozen=True)
class Place:
    """Group of options: threads, processes or cluster that run a study, and the part of the study to run."""

    shard: Annotated[
        str | None, option(SweepOptions, "shard", metavar="I/N", rich_help_panel="Execution")
    ] = None
    slurm: Annotated[
        int | None,
        options.of_place(
            metavar="N",
            help="Print a SLURM script (for sbatch) that runs the study as an array job of N shards, and "
            "simulate nothing.",
        ),
    ] = None
    on: options.OnOption = None
    workers: options.WorkersOption = None
    retry_failed: Annotated[bool, option(SweepOptions, "retry_failed", rich_help_panel="Execution")] = False

    def arguments(self) -> dict[str, Any]:
        """Return these options by the argument names of `run_study`."""
        return {name: value for name, value in vars(self).items() if name != "slurm"}
