"""The options of a sweep: what is varied, how it is measured, and where it runs."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import _native
from . import options
from .completion import complete_schedulers, complete_trace
from .shared import CONFIDENCE, COUNT, PRECISION, REPLICATIONS, SCHEDULERS, SEED
from .targets import DEVICE, VolumesOption

if TYPE_CHECKING:
    from ..exploration.study import Study

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
            help=f"{SCHEDULERS.meaning}; sptf if not given.",
            autocompletion=complete_schedulers,
        ),
    ] = None
    scales: Annotated[
        str | None,
        options.of_variation(
            "--scales",
            "--scale",
            help="2 is twice as fast: speed-ups of the requests, such as 1,4,16 or 1:8:1.",
        ),
    ] = None
    replications: Annotated[
        int | None,
        REPLICATIONS(" of a drawn workload, each with its own seed; 5 if not given", min=None),
    ] = None
    count: Annotated[int | None, COUNT(" in each run of a drawn workload")] = None
    seed: Annotated[int | None, SEED(" of the first run, others have those after it; 1 if not given")] = None
    precision: Annotated[
        str | None,
        PRECISION(", as 1% or 0.01: runs are added, up to eight times as many as --replications"),
    ] = None
    figures: Annotated[
        str | None,
        typer.Option(
            help="The figures of which a precision is asked, with commas between; mean, cv² and percentiles "
            "up to the 99th of the response time if not given."
        ),
    ] = None
    confidence: Annotated[float | None, CONFIDENCE("; 0.95 if not given")] = None

    def study(self, workloads: list[str]) -> "Study":
        """The study of some workloads, or the one that a file describes.

        Raises:
            ParameterError: File and options say something, or a value is wrong.
            TraceError, OSError: A trace cannot be used or read.
        """
        from ..exploration.experiment import read_experiment, study_of
        from ..model.typed import imported, imported_members, imported_settings
        from .running import varying_rule
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
        from ..exploration.sample import figure_name
        from ..exploration.values import read_numbers, read_values

        over = options.parse_texts("--over", self.over)
        if self.figures and not self.precision:
            raise _native.ParameterError("--figures: of these a --precision is asked; found none")
        names = options.parse_names("--figures", self.figures) if self.figures else []
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
        str | None,
        options.of_place(
            metavar="I/N", help="Only the I-th of N parts, which may run at the same time into one folder."
        ),
    ] = None
    slurm: Annotated[
        int | None,
        options.of_place(
            metavar="N", help="Run nothing: print a script for SLURM, an array job of N shards (sbatch)."
        ),
    ] = None
    on: options.OnOption = None
    workers: options.WorkersOption = None
    retry_failed: Annotated[
        bool, options.of_place("--retry-failed", help="Run the points again that have failed.")
    ] = False

    def arguments(self) -> dict[str, Any]:
        """What `run_study` is told."""
        return {name: value for name, value in vars(self).items() if name != "slurm"}
