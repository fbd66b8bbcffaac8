"""The options of questions: what varies, how each device is measured, and where it runs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import _native
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
        help="A kind of volume or a file, instead of a device: its options and the parameters of its members "
        "vary."
    ),
]


@dataclass(frozen=True)
class Varied(options.Scaled):
    """What varies, and how each device is measured: a group of options."""

    settings: options.SetOption = None
    over: Annotated[
        list[str] | None,
        options.of_variable(
            metavar="KEY=LOW..HIGH|FILE",
            help="A range of a parameter ('settle_ms=0.1..0.4', ':log' behind it for orders of magnitude), "
            "choices ('power_policy=always-on,immediate'), or a TOML file with \\[ranges] and \\[derived]; "
            "may be given several times. The ranges of the device's own file if not given.",
        ),
    ] = None
    scheduler: options.SchedulerOption = "sptf"
    replications: Annotated[
        int, option(MeasuringOptions, "replications", " of each device; all devices have the same seeds")
    ] = default_of(MeasuringOptions, "replications")
    count: Annotated[int | None, COUNT(f" in each run of a drawn workload; {DRAWN:,} if not given")] = None
    seed: Annotated[int, SEED(" of the requests, and of the devices that are drawn")] = default_of(
        MeasuringOptions, "seed"
    )
    confidence: Annotated[float, CONFIDENCE()] = 0.95
    out: Annotated[
        Path | None,
        options.of_output(
            help="A folder for tables and plots. It keeps every device as soon as it is run: the same "
            "command goes on there, and more devices are added to those that are there."
        ),
    ] = None
    on: options.OnOption = None
    workers: options.WorkersOption = None

    def measuring(self, workload: str, subjects: "Sequence[Subject]") -> dict[str, Any]:
        """What `sensitivity` and `holds` are told of a workload and of how these devices are measured."""
        from ..exploration.subjects import Requests
        from .replaying import varying_rule
        from .workloads import check_name

        check_name(workload)
        requests = Requests.of(workload, self.studied())
        count = self.count
        if not requests.is_drawn and (count is not None or self.replications != type(self).replications):
            print_note(
                f"{workload}: a trace is the same in every run: --count and --replications are for workloads"
                " that are drawn"
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
        """The command that runs a device again, measured as it was.

        Args:
            workload: As the user named it.
            target: The options that name the device or volume.
            changes: What is changed of it.
            schedulers: The policies.
            count: Requests of a run of a drawn workload; None for what the workload says.
            out: The folder of the command.
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
        """What varies, out of ranges, files, or what the files of the devices say.

        Raises:
            ParameterError: A range is wrong, a name comes twice, or there is none.
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
                raise _native.ParameterError(
                    f"--over {text}: expected KEY=LOW..HIGH, KEY=VALUE,VALUE or a TOML file, found no such"
                    " file"
                )
            read = read_factors(text)
            varied += read.varied
            for key, expression in read.derived.items():
                if key in derived:
                    raise _native.ParameterError(f"--over {text}: {key} is derived twice")
                derived[key] = expression
        return Factors(varied, derived)


@dataclass(frozen=True)
class Plausible(Varied):
    """What varies, how many devices are drawn from it, and how each is measured."""

    samples: Annotated[int | None, options.of_variation("--samples", help="Plausible devices to draw.")] = (
        None
    )
    old_samples: Annotated[int | None, typer.Option("--devices", hidden=True)] = None

    def drawn(self, command: str) -> int | None:
        """The number of plausible devices, by whichever name a command was given it."""
        return taken(self.samples, self.old_samples, f"--devices of {command!r}", "--samples")


def _with_policies(text: str) -> str:
    """A factor of a command, in which policies of a user's own have become their names."""
    name, sign, values = text.partition("=")
    if name.strip() != "scheduler" or not sign:
        return text
    return f"{name}={','.join(options.parse_schedulers('--over scheduler', values))}"


def in_toml(value: object) -> str:
    """A value as ``--set`` takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return repr(value)
    raise _native.ParameterError(f"expected a number or a text, found {value!r}")


def subject_of(device_name: str | None, volume: str | None, settings: list[str] | None) -> "Subject":
    """What the options ``--device``, ``--volume`` and ``--set`` name, as `targets.target` has it.

    Raises:
        ParameterError: A name, key or value is wrong, or a device is given for a volume without that role.
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
    """Show how far so many points are, and what becomes of them where somebody interrupts."""
    with kept_in(out), progress("Simulating", points) as report:
        yield report


WorkloadsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="WORKLOAD...",
        help="Trace files, bundled traces, workloads such as 'random:rate=900'; or one TOML file that says "
        "all that the options say.",
        autocompletion=complete_trace,
    ),
]

#: Options whose names are others than those of their fields.
_OPTIONS = {"schedulers": "scheduler", "settings": "set", "traced_devices": "traced-device"}


@dataclass(frozen=True)
class Asked(options.Replaying):
    """What a sweep asks for, besides its workloads: a group of options."""

    devices: Annotated[
        list[str] | None,
        options.of_named_device(
            help=f"A built-in device or a file; may be given several times; {DEVICE} if there is no volume."
        ),
    ] = None
    volumes: VolumesOption = None
    settings: options.SetOption = None
    over: Annotated[
        list[str] | None,
        options.of_variable(
            metavar="KEY=VALUES",
            help="Values of a parameter of the devices: 'settle_ms=0.1:0.4:0.05' (both ends, exact decimal "
            "steps), 'active_tips=640,1280'; may be given several times.",
        ),
    ] = None
    schedulers: Annotated[
        str | None,
        options.of_variation(
            "--scheduler",
            "--schedulers",
            "-s",
            help=f"{SCHEDULERS.row.meaning}; sptf if not given.",
            autocompletion=complete_schedulers,
        ),
    ] = None
    scales: Annotated[
        str | None,
        options.of_variation(
            "--scales",
            "--scale",
            help=f"{SCALE.row.meaning}; several, such as 1,4,16 or 1:8:1.",
        ),
    ] = None
    replications: Annotated[
        int | None,
        option(
            SweepOptions,
            "replications",
            " of a drawn workload, each with its own seed",
            is_given=False,
            min=None,
        ),
    ] = None
    count: Annotated[int | None, COUNT(" in each run of a drawn workload")] = None
    seed: Annotated[
        int | None,
        option(SweepOptions, "seed", " of the first run, others have those after it", is_given=False),
    ] = None
    precision: Annotated[
        str | None,
        option(
            SweepOptions,
            "precision",
            ", as 1% or 0.01: runs are added, up to eight times as many as --replications",
        ),
    ] = None
    judged: Annotated[
        str | None,
        option(
            *(SweepOptions, "judged"),
            ", with commas between; mean, cv² and percentiles up to the 99th of the response if not given",
        ),
    ] = None
    confidence: Annotated[float | None, option(SweepOptions, "confidence", is_given=False)] = None
    figures: Annotated[str | None, typer.Option(hidden=True)] = None

    def study(self, workloads: list[str]) -> "Study":
        """The study of some workloads, or the one that a file describes.

        Raises:
            ParameterError: File and options say something, or a value is wrong.
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
            raise _native.ParameterError(f"{files[0]}: expected it alone, found {len(workloads)} workloads")
        for name, value in vars(self).items():
            if value:
                option = _OPTIONS.get(name, name.replace("_", "-"))
                raise _native.ParameterError(f"--{option}: what a sweep asks for is said in {files[0]} alone")
        return read_experiment(files[0])

    def _fields(self) -> dict[str, Any]:
        """The fields of a study that are no subjects and no workloads; None where nothing is said."""
        from ..exploration.experiment import precision_of
        from ..exploration.parameter_values import read_numbers, read_values
        from ..exploration.sample import figure_name

        over = options.parse_texts("--over", self.over)
        given = taken(self.judged, self.figures, "--figures of 'sledsim sweep'", "--judged")
        if given and not self.precision:
            raise _native.ParameterError("--judged: of these a --precision is asked; found none")
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
    """Where the points of a study run: a group of options."""

    shard: Annotated[
        str | None, option(SweepOptions, "shard", metavar="I/N", rich_help_panel="Where it runs")
    ] = None
    slurm: Annotated[
        int | None,
        options.of_place(
            metavar="N", help="Run nothing: print a script for SLURM, an array job of N shards (sbatch)."
        ),
    ] = None
    on: options.OnOption = None
    workers: options.WorkersOption = None
    retry_failed: Annotated[bool, option(SweepOptions, "retry_failed", rich_help_panel="Where it runs")] = (
        False
    )

    def arguments(self) -> dict[str, Any]:
        """What `run_study` is told."""
        return {name: value for name, value in vars(self).items() if name != "slurm"}
