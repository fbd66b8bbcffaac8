"""Independent checks of `Bounds`: of the total of an order, of a lower bound's proof, and of an optimum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import _native
from .costs import HopCosts


@dataclass(frozen=True)
class RequestSet:
    """A set of requests with a price: entering the set from outside costs at least this much more.

    Attributes:
        members: Indices of the requests in the set.
        price_ns: Price in nanoseconds, above 0, which adds to the price of the first request served in the
            set.
    """

    members: Sequence[int]
    price_ns: int


@dataclass(frozen=True, eq=False)
class Certificate:
    """Proof of a lower bound: prices of requests and of sets, which no motion between requests undercuts.

    A hop from state s, after request i or the start, to request j leads to state t: the price of j and the
    prices of all sets that contain j but not i are together at most cost(s, j) + toll(s) - toll(t). Every
    schedule enters each request and each set at least once, and leaves a state, except the start, only after
    entering it; so the costs of its hops are at least the sum of all prices minus the start's toll.

    Attributes:
        bound_ns: Lower bound in nanoseconds: the sum of all prices minus the toll of the start state.
        toll_ns: Toll of each state in `HopCosts`, in nanoseconds, 0 or more, shape (2n + 1,).
        price_ns: Price of each request in nanoseconds, shape (n,).
        sets: Sets of requests that have prices besides those of their requests.
    """

    bound_ns: int
    toll_ns: NDArray[np.int64]
    price_ns: NDArray[np.int64]
    sets: Sequence[RequestSet]


def verify_schedule(costs: HopCosts, name: str, order: NDArray[np.int64], total_ns: int) -> None:
    """Check that an order has each request once, and that its positioning times add up to `total_ns`.

    Raises:
        ParameterError: The order or its total is wrong.
    """
    count = costs.cost_ns.shape[1]
    _require(np.array_equal(np.sort(order), np.arange(count)), f"{name} does not serve each request once")
    found_ns = costs.total_ns(order)
    _require(found_ns == total_ns, f"{name} takes {found_ns} ns, not {total_ns} ns")


def verify_certificate(costs: HopCosts, certificate: Certificate) -> None:
    """Check that the prices and tolls of a certificate prove its lower bound.

    Raises:
        ParameterError: The certificate is no proof: a toll or a price of a set is negative, a set is invalid,
            a motion takes less than its prices, or the prices do not add up to the bound.
    """
    states, count = costs.cost_ns.shape
    toll_ns, price_ns = certificate.toll_ns, certificate.price_ns
    _require(toll_ns.shape == (states,) and price_ns.shape == (count,), "the certificate has another size")
    _require(bool((toll_ns >= 0).all()), "a toll is negative")
    charge_ns = _charges(count, certificate)
    slack_ns = costs.cost_ns + toll_ns[:, None] - toll_ns[costs.after] - charge_ns[np.arange(states) // 2]
    state, request = np.unravel_index(np.where(costs.possible, slack_ns, 0).argmin(), slack_ns.shape)
    short_ns = -int(slack_ns[state, request]) if costs.possible[state, request] else 0
    _require(
        short_ns <= 0,
        f"the hop from state {state} to request {request} costs {short_ns} ns less than its prices",
    )
    sum_ns = int(price_ns.sum()) + sum(one.price_ns for one in certificate.sets) - int(toll_ns[-1])
    _require(sum_ns == certificate.bound_ns, f"the prices give {sum_ns} ns, not {certificate.bound_ns} ns")


def _charges(count: int, certificate: Certificate) -> NDArray[np.int64]:
    """Return the prices due for serving j after i, or first (i = n), in nanoseconds, shape (n + 1, n)."""
    to_request_ns = certificate.price_ns.copy()
    for one in certificate.sets:
        members = set(one.members)
        whole = members and len(members) == len(one.members) and members <= set(range(count))
        _require(bool(whole) and one.price_ns >= 0, "a set of requests has a wrong price or wrong members")
        to_request_ns[list(members)] += one.price_ns
    charge_ns = np.tile(to_request_ns, (count + 1, 1))
    for one in certificate.sets:
        charge_ns[np.ix_(one.members, one.members)] -= one.price_ns
    return charge_ns


def verify_optimum(costs: HopCosts, total_ns: int) -> None:
    """Check by dynamic programming that no order has a total below `total_ns`, and that one has this total.

    Raises:
        ParameterError: The least total of all orders is not `total_ns`.
    """
    states, count = costs.cost_ns.shape
    rest_ns = np.full((1 << count, states), np.iinfo(np.int64).max // 2)
    rest_ns[-1] = 0
    done = np.arange(1 << count)
    size = sum((done >> request) & 1 for request in range(count))
    for level in range(count - 1, -1, -1):
        for request in range(count):
            before = done[(size == level) & ((done >> request) & 1 == 0)]
            onward_ns = (
                costs.cost_ns[:, request] + rest_ns[(before | 1 << request)[:, None], costs.after[:, request]]
            )
            rest_ns[before] = np.minimum(rest_ns[before], onward_ns)
    found_ns = int(rest_ns[0, -1])
    _require(found_ns == total_ns, f"the optimum takes {found_ns} ns, not {total_ns} ns")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _native.ParameterError(f"the bounds cannot be verified: {otherwise}")
