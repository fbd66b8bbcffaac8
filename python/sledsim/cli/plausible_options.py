"""The options of questions about plausible devices: what varies, and how each device is measured."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from .. import _native
from . import options
from .interruption import kept_in
from .output import print_note
from .progress import progress
from .shared import CONFIDENCE, COUNT, REPLICATIONS, SEED
from .targets import DEVICE, ROLE, target

if TYPE_CHECKING:
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
    replications: Annotated[int, REPLICATIONS(" of each device; all devices have the same seeds")] = 1
    count: Annotated[int | None, COUNT(" in each run of a drawn workload; 4,000 if not given")] = None
    seed: Annotated[int, SEED(" of the requests, and of the devices that are drawn")] = 1
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
        from ..traces.generators import given_options
        from .running import varying_rule
        from .workloads import check_name

        check_name(workload)
        requests = Requests.of(workload, self.studied())
        count = self.count
        if not requests.is_drawn and (count is not None or self.replications != type(self).replications):
            print_note(
                f"{workload}: a trace is the same in every run: --count and --replications are for workloads"
                " that are drawn"
            )
        if requests.is_drawn and count is None and "count" not in given_options(workload):
            count = DRAWN
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
        words = ["sledsim", "study", "sweep", workload, *target]
        own = [one for one in self.settings or [] if one.partition("=")[0].strip() not in changes]
        for setting in [*(f"{key}={in_toml(value)}" for key, value in changes.items()), *own]:
            words += ["--set", setting]
        words += ["--scheduler", ",".join(schedulers)]
        words += [] if count is None else ["--count", str(count)]
        words += ["--replications", str(self.replications), "--seed", str(self.seed)]
        given = {"--scale": (self.scale, 1.0), "--past-end": (self.past_end, None)}
        given |= {"--replay": (self.replay, None), "--format": (self.format, None), "--map": (self.map, None)}
        given |= {"--traced-device": (self.traced_devices, None)}
        for option, (value, usual) in given.items():
            words += [] if value == usual else [option, str(value)]
        words += ["--skip-bad"] if self.skip_bad else []
        words += ["--fit"] if self.fit else []
        return shlex.join([*words, "--out", out])

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
                varied.append(parse_factor(text))
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

    how_many: Annotated[
        int | None,
        options.of_variation("--devices", help="How many plausible devices are looked at."),
    ] = None


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


#: Requests of a run of a workload that is drawn.
DRAWN = 4000


@contextmanager
def simulating(points: int, out: Path | None) -> Iterator[Callable[[int], object]]:
    """Show how far so many points are, and what becomes of them where somebody interrupts."""
    with kept_in(out), progress("Simulating", points) as report:
        yield report
