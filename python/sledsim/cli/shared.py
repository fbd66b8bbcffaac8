"""Options of the same name in several commands: each is declared once, and a command adds what is its own."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import typer

# Panels of a help, in which options stand that belong together.
of_device: Callable[..., Any] = partial(typer.Option, rich_help_panel="Device")
of_trace: Callable[..., Any] = partial(typer.Option, rich_help_panel="Trace")
of_output: Callable[..., Any] = partial(typer.Option, rich_help_panel="Output")
of_address: Callable[..., Any] = partial(typer.Option, rich_help_panel="Address and contents")
of_timing: Callable[..., Any] = partial(typer.Option, rich_help_panel="Timing")
of_place: Callable[..., Any] = partial(typer.Option, rich_help_panel="Where it runs")
of_power: Callable[..., Any] = partial(typer.Option, rich_help_panel="Loss of power")
of_variation: Callable[..., Any] = partial(typer.Option, rich_help_panel="What varies")


@dataclass(frozen=True)
class Shared:
    """An option that several commands have.

    Attributes:
        name: Its name on the command line.
        meaning: What it is in every command; the help of each begins with it.
        least: The least value, where the command line refuses what is below.
        panel: The panel of the help in which it stands; None is that of options without one.
    """

    name: str
    meaning: str
    least: int | None = None
    panel: str | None = None

    def __call__(self, more: str = "", *names: str, **others: Any) -> Any:
        """Declare the option for a command.

        Args:
            more: What that command adds to the meaning.
            names: Further names.
            others: As `typer.Option` has them.
        """
        given = {"min": self.least, "rich_help_panel": self.panel, **others}
        return typer.Option(self.name, *names, help=f"{self.meaning}{more}.", **given)


SEED = Shared("--seed", "Seed of the random numbers")
COUNT = Shared("--count", "Number of requests")
REPLICATIONS = Shared("--replications", "Number of runs", 1)
CONFIDENCE = Shared("--confidence", "Confidence level of the intervals")
PRECISION = Shared("--precision", "Relative half-width of the intervals to reach")
WORKERS = Shared("--workers", "Number of workers, by default one per processor")
SCHEDULERS = Shared("--schedulers", "Scheduling policies, with commas between; 'all' is every one")
#: All of them.
ROWS = (SEED, COUNT, REPLICATIONS, CONFIDENCE, PRECISION, WORKERS, SCHEDULERS)
