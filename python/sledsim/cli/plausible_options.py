"""The options of questions about plausible devices: what varies, and how each device is measured."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import _native
from . import options
from .completion import complete_setting, complete_volume
from .progress import progress

if TYPE_CHECKING:
    from ..exploration.subjects import Subject
    from ..uncertainty.factors import Factors

_VARIED = "What varies"
VaryingVolumeOption = Annotated[
    str | None,
    options.of_device(
        "--volume",
        "-V",
        help="A kind of volume or a file, instead of a device: its options and the parameters of its members "
        "vary.",
        autocompletion=complete_volume,
    ),
]


@dataclass(frozen=True)
class Varied(options.Reading):
    """What varies, and how each device is measured: a group of options."""

    settings: options.SetOption = None
    over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=LOW..HIGH|FILE",
            rich_help_panel=_VARIED,
            help="A range of a parameter ('settle_ms=0.1..0.4', ':log' behind it for orders of magnitude), "
            "choices ('power_policy=always-on,immediate'), or a TOML file with \\[ranges] and \\[derived]; "
            "may be given several times. The ranges of the device's own file if not given.",
            autocompletion=complete_setting,
        ),
    ] = None
    scheduler: options.SchedulerOption = "sptf"
    replications: Annotated[
        int, typer.Option(help="Runs of each device; all devices have the same seeds.", min=1)
    ] = 1
    count: Annotated[
        int | None, typer.Option(help="Requests of a run of a workload that is drawn; 4,000 if not given.")
    ] = None
    seed: Annotated[int, typer.Option(help="Of the requests, and of the devices that are drawn.")] = 1
    confidence: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95
    scale: options.ScaleOption = 1.0
    past_end: options.PastEndOption = "error"
    replay: options.ReplayOption = None
    out: Annotated[
        Path | None,
        options.of_output(
            help="A folder for tables and plots. It keeps every device as soon as it is run: the same "
            "command goes on there, and more devices are added to those that are there."
        ),
    ] = None
    on: Annotated[
        str | None,
        options.of_place(help="'threads' (if not given), 'local:N' for N processes, 'dask://HOST:PORT'."),
    ] = None
    workers: Annotated[
        int | None, options.of_place(help="Threads or processes; as many as there are processors.")
    ] = None

    def measuring(self, workload: str) -> dict[str, Any]:
        """What `sensitivity` and `holds` are told of a workload and of how devices are measured."""
        from ..exploration.subjects import Requests
        from ..traces.generators import given_options

        requests = Requests.of(workload, self.arguments())
        count = self.count
        if requests.is_drawn and count is None and "count" not in given_options(workload):
            count = COUNT
        return {
            "workload": requests,
            "replications": self.replications,
            "count": count if requests.is_drawn else None,
            "seed": self.seed,
            "confidence": self.confidence,
            "scale": self.scale,
            "past_end": self.past_end,
            "replay": self.replay,
            "folder": self.out,
            "on": self.on,
            "workers": self.workers,
        }

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
        typer.Option("--devices", rich_help_panel=_VARIED, help="How many plausible devices are looked at."),
    ] = None


#: Requests of a run of a workload that is drawn.
COUNT = 4000


@contextmanager
def simulating(points: int, out: Path | None) -> Iterator[Callable[[int], object]]:
    """Show how far so many points are, and what becomes of them where somebody interrupts."""
    from .output import print_note

    try:
        with progress("Simulating", points) as report:
            yield report
    except KeyboardInterrupt:
        if out is not None:
            print_note(f"stopped: what is done is kept in {out}; the same command goes on")
        raise
