"""002-E-5: Figure 8, the mean access and the capacity over the width of a bit."""

from typing import Any

from ... import studies
from ..shared.experiments import Experiment, Result
from ..shared.perturbations import device


def run(quick: bool) -> Result:
    """Sweep the bit width; the stroke stays, so that the capacity changes."""
    model = device("sigmetrics00")
    options: dict[str, Any] = {"values": (30, 50, 100)} if quick else {}
    study = studies.run("sensitivity-bit-width", model, **options)
    return Result(
        devices=[model],
        tables={"Mean access and capacity over bit width": study.table},
        charts={"Figure 8: bit width": study.plot},
        notes=[
            "Figure 8 has no caption in the text; by elimination it is the bit width. No figure is printed.",
            "The access velocity stays, so that wider bits make the rate of a tip lower and rows longer.",
        ],
    )


ROW = Experiment(
    "002-E-5",
    "Figure 8: sensitivity to bit width",
    "The mean access and the capacity over the width of a bit.",
    (),
    run,
)
