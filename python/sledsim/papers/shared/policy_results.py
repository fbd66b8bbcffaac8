"""The tables, charts and notes that the experiments on schedulers share."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow

from ...model.devices import Device
from ...runs.curves import Curves
from .claims import Claim, noted
from .experiments import Draw, Result
from .perturbations import device
from .policy_charts import Rows, ratio_chart
from .policy_curves import policy_curves, ratio_rows
from .policy_findings import order

_RATIOS = "Ratios of policies with their intervals"
#: What 001 and 002 have in common of the disks that they draw for reference.
DRIVE = "The drive has its cache, and SPTF knows its command overheads, as one inside the drive does."


def policy_result(
    model: Device,
    figure: str,
    settings: Mapping[str, Curves],
    claims: Sequence[Claim],
    notes: Sequence[str],
    more: Mapping[str, pyarrow.Table] | None = None,
) -> Result:
    """What an experiment found of the policies.

    Args:
        model: The device.
        figure: The paper's figure, as in ``Figure 6``.
        settings: Curves by what they differ in.
        claims: The claims decided.
        notes: What is particular to the experiment.
        more: Further tables, by title.
    """
    curves = {f"{figure}: {setting}": curves for setting, curves in settings.items()}
    ratios = ratio_rows(settings)
    return Result(
        devices=[model],
        claims=claims,
        tables={**tables(curves, ratios), **(more or {})},
        charts=charts(curves, ratios, f"Policies compared: {model.name}"),
        notes=[*notes, *noted("schedulers"), *next(iter(settings.values())).notes],
    )


def described(
    id: str, model: str, figure: str, setting: str, rates: Sequence[float], quick: bool, *notes: str
) -> Result:
    """The policies on a device of which the paper says in words what their order is, without a claim on it.

    Args:
        id: Of the experiment, whose notes go on with what is found of the order.
        model: The name of the device.
        figure: The paper's figure, as in ``Figure 6``.
        setting: What its curves are called.
        rates: The arrival rates.
        quick: Whether fewer requests are drawn.
        notes: What else is particular to the experiment.
    """
    on = device(model)
    curves = policy_curves(on, rates, quick)
    found = "; ".join(f"{one.quantity}: {one.found}" for one in order(curves))
    return policy_result(on, figure, {setting: curves}, [], [*noted(id, found=found), *notes])


def tables(curves: Mapping[str, Curves], ratios: Rows) -> dict[str, Any]:
    """Tables of the curves by their titles, and the ratios of their policies."""
    return {**{title: each.table() for title, each in curves.items()}, _RATIOS: ratios}


def charts(curves: Mapping[str, Curves], ratios: Rows, *texts: Any) -> dict[str, Draw]:
    """Charts of the curves by their titles, and of the ratios; `texts` are those of `ratio_chart`."""
    return {
        **{title: each.plot for title, each in curves.items()},
        _RATIOS: partial(ratio_chart, ratios, *texts),
    }
