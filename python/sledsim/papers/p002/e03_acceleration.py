"""002-E-3: Figure 6, the mean access over the acceleration of the sled."""

from typing import Any

from ... import studies
from ..shared.experiments import Experiment, Result
from ..shared.perturbations import device


def run(quick: bool) -> Result:
    """Sweep the acceleration."""
    model = device("sigmetrics00")
    options: dict[str, Any] = {"values": (50.0, 114.8, 400.0), "count": 5_000} if quick else {}
    study = studies.run("sensitivity-acceleration", model, **options)
    access_ms = [value * 1e3 for value in study.table["mean_service_s"].to_pylist()]
    return Result(
        devices=[model],
        tables={"Mean access over acceleration": study.table},
        charts={"Figure 6: acceleration": study.plot},
        notes=[
            "The text prints no figure: it says that acceleration shortens seeks and turnarounds. Here the"
            f" mean access falls from {max(access_ms):.2f} to {min(access_ms):.2f} ms over the range."
        ],
    )


ROW = Experiment(
    "002-E-3",
    "Figure 6: sensitivity to acceleration",
    "The mean access over the acceleration of the sled.",
    (),
    run,
)
