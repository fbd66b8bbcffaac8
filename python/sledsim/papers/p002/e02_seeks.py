"""002-E-2, Figure 5: seek time over distance, and its distribution.

Seek times in x and y with and without settling and turnarounds, and how often each axis takes longer.
"""

from sledsim import studies

from ..shared import Result, device, stated
from ..shared.random_requests import random_costs


def run(quick: bool) -> Result:
    """Compute seek times over distance, and the share of random requests that seek longer in x."""
    model = device("sigmetrics00")
    count = 20_000 if quick else 100_000
    distance = studies.run("seek-distance", model)
    distribution = studies.run("seek-distribution", model, count=count)
    costs = random_costs(model, count)
    share = float((costs.x_s > costs.y_s).mean())
    x_ms, y_ms = costs.x_s.mean() * 1e3, costs.y_s.mean() * 1e3
    return Result(
        devices=[model],
        claims=[
            stated(
                "002-C14",
                (f"{share:.1%} of {count:,}", share > 0.5),
                (f"{x_ms:.3f} ms in x, {y_ms:.3f} ms in y", x_ms > y_ms),
            )
        ],
        tables={"Seek time over distance": distance.table, "Distribution of seek times": distribution.table},
        charts={
            "Figure 5(a): seek time over distance": distance.plot,
            "Figure 5(b): distribution": distribution.plot,
        },
    )
