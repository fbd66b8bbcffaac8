"""The options of a comparison in groups: curves over the arrival rate, and what devices cost."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import _native
from .completion import complete_price

if TYPE_CHECKING:
    from ..runs.prices import Prices

_PANEL = "Cost"


@dataclass(frozen=True)
class Curved:
    """Curves over the arrival rate in place of a replay: a group of options."""

    rates: Annotated[
        str | None,
        typer.Option(help="For 'random:' and the like: arrival rates, such as 100,500 or start:stop:step."),
    ] = None
    replications: Annotated[int | None, typer.Option(help="With --rates: runs at each point.")] = None
    count: Annotated[int | None, typer.Option(help="With --rates: requests of each run.")] = None
    precision: Annotated[
        float | None,
        typer.Option(
            help="With --rates: half of an interval as a part of the figure, such as 0.05; replications are"
            " doubled until mean, cv² and percentiles up to the 99th are known so well."
        ),
    ] = None

    def measuring(self) -> dict[str, Any]:
        """How the points of curves are measured, as far as it is said."""
        return {"replications": self.replications, "count": self.count, "precision": self.precision}

    def given(self) -> dict[str, object]:
        """The options by name; None where they are not given."""
        return {f"--{name}": value for name, value in vars(self).items()}


@dataclass(frozen=True)
class Priced:
    """What a request costs: a group of options."""

    price: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PRICE",
            rich_help_panel=_PANEL,
            help="What a device or volume costs, in any currency: 'osdi00=120', or 'cf-card=2.5/GiB'; may be "
            "given several times. A request then costs PRICE / (requests/s x lifetime) + its energy x "
            "--kwh-price; what has no price has no cost.",
            autocompletion=complete_price,
        ),
    ] = None
    lifetime_years: Annotated[
        float | None,
        typer.Option(rich_help_panel=_PANEL, help="With --price: how long a device serves; 5 if not given."),
    ] = None
    kwh_price: Annotated[
        float | None,
        typer.Option(
            rich_help_panel=_PANEL, help="With --price: the price of a kilowatt hour; 0 if not given."
        ),
    ] = None

    def given(self) -> dict[str, object]:
        """The options that are given, by name."""
        return {
            "--price": self.price,
            "--lifetime-years": self.lifetime_years,
            "--kwh-price": self.kwh_price,
        }

    def prices(self) -> "Prices":
        """What the options say.

        Raises:
            ParameterError: They say no price, or one twice.
        """
        from ..runs.prices import Prices

        prices: dict[str, float | str] = {}
        for text in self.price or ():
            # Names of volumes have options with = in them.
            name, equals, value = text.rpartition("=")
            if not equals or not name:
                raise _native.ParameterError(f"--price: expected NAME=PRICE, found {text!r}")
            if name in prices:
                raise _native.ParameterError(f"--price: {name} has a price twice")
            prices[name] = value.strip()
        more: dict[str, Any] = {
            key: value
            for key, value in (("lifetime_years", self.lifetime_years), ("kwh_price", self.kwh_price))
            if value is not None
        }
        if more and not prices:
            raise _native.ParameterError(
                f"--{next(iter(more)).replace('_', '-')}: expected a --price, which it is for, found none"
            )
        return Prices(prices, **more)
