"""A queue of known answers: one server, Poisson arrivals, and a constant service that takes 1 s."""

import math
from decimal import Decimal, getcontext

from scipy import optimize

from sledsim.runs import tails


def exact(load: float) -> dict[str, float]:
    """Return response times of such a queue in seconds: Pollaczek and Khinchine, Takacs, Crommelin."""
    wait = load / (2 * (1 - load))
    second_moment = 2 * wait**2 + load / (3 * (1 - load))
    found = {"mean_response_s": wait + 1, "cv2_response": (second_moment - wait**2) / (wait + 1) ** 2}
    return found | {name: 1 + waiting(load, fraction) for name, fraction in tails.PERCENTILES.items()}


def waiting(load: float, fraction: float) -> float:
    """Return a quantile of the waiting time in seconds; terms of both signs need many digits."""
    getcontext().prec = 400
    rate = Decimal(str(load))

    def within(time: float) -> float:
        terms = (
            (rate * (k - Decimal(time))) ** k / math.factorial(k) * (-rate * (k - Decimal(time))).exp()
            for k in range(int(time) + 1)
        )
        return float((1 - rate) * sum(terms))

    if 1 - load >= fraction:
        return 0.0
    return float(optimize.brentq(lambda time: within(time) - fraction, 1e-9, 400.0, xtol=1e-6))
