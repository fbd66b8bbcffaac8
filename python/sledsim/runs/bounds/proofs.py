"""Proofs: independent checks of a schedule, a certificate and an optimum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import _native
from .costs import HopCosts


@dataclass(frozen=True)
class RequestSet:
    """A set of requests that every schedule enters from outside.

    Attributes:
        members: Rows of the batch.
        price_ns: Least cost of entering the set, beyond the prices of its requests; above 0.
    """

    members: Sequence[int]
    price_ns: int


@dataclass(frozen=True, eq=False)
class Certificate:
    """Prices that no hop undercuts, and thus a proof that every schedule takes at least their sum.

    A hop from state s, after request i or the start, to request j leads to state t: the price of j and the
    prices of all sets that contain j but not i are together at most cost(s, j) + toll(s) - toll(t). Every
    schedule enters each request and each set at least once, and leaves a state, except the start, only after
    entering it; so the costs of its hops are at least the sum of all prices minus the start's toll.

    Attributes:
        bound_ns: Sum of all prices minus the start's toll.
        toll_ns: Toll of each state, shape (2n + 1,), 0 or more: 2i is the state after request i upwards, 2i +
            1 downwards, 2n the start.
        price_ns: Price of each request, shape (n,).
        sets: Sets of requests with their prices.
    """

    bound_ns: int
    toll_ns: NDArray[np.int64]
    price_ns: NDArray[np.int64]
    sets: Sequence[RequestSet]


def verify_schedule(costs: HopCosts, name: str, order: NDArray[np.int64], total_ns: int) -> None:
    """Prove that an order serves every request once, in the given total time.

    Raises:
        ParameterError: The order or its total is wrong.
    """
    count = costs.cost_ns.shape[1]
    _require(np.array_equal(np.sort(order), np.arange(count)), f"{name} does not serve each request once")
    found_ns = costs.total_ns(order)
    _require(found_ns == total_ns, f"{name} takes {found_ns} ns, not {total_ns} ns")


def verify_certificate(costs: HopCosts, certificate: Certificate) -> None:
    """Prove a lower bound.

    Raises:
        ParameterError: The certificate is no proof: a toll or the price of a set is negative, a set is
            invalid, a hop is cheaper than the prices, or the sum differs.
    """
    states, count = costs.cost_ns.shape
    toll_ns, price_ns = certificate.toll_ns, certificate.price_ns
    _require(
        toll_ns.shape == (states,) and price_ns.shape == (count,), "the prices are not those of the batch"
    )
    _require(bool((toll_ns >= 0).all()), "a toll is negative")
    charge_ns = _charges(count, certificate)
    slack_ns = costs.cost_ns + toll_ns[:, None] - toll_ns[costs.after] - charge_ns[np.arange(states) // 2]
    state, request = np.unravel_index(np.where(costs.possible, slack_ns, 0).argmin(), slack_ns.shape)
    short_ns = -int(slack_ns[state, request]) if costs.possible[state, request] else 0
    _require(
        short_ns <= 0,
        f"the hop from state {state} to request {request} undercuts the prices by {short_ns} ns",
    )
    sum_ns = int(price_ns.sum()) + sum(one.price_ns for one in certificate.sets) - int(toll_ns[-1])
    _require(
        sum_ns == certificate.bound_ns, f"the prices add up to {sum_ns} ns, not {certificate.bound_ns} ns"
    )


def _charges(count: int, certificate: Certificate) -> NDArray[np.int64]:
    """Prices that a hop from request i (n: the start) to request j pays, shape (n + 1, n)."""
    to_request_ns = certificate.price_ns.copy()
    for one in certificate.sets:
        members = set(one.members)
        whole = members and len(members) == len(one.members) and members <= set(range(count))
        _require(bool(whole) and one.price_ns >= 0, "a set has no price, or a request outside the batch")
        to_request_ns[list(members)] += one.price_ns
    charge_ns = np.tile(to_request_ns, (count + 1, 1))
    for one in certificate.sets:
        charge_ns[np.ix_(one.members, one.members)] -= one.price_ns
    return charge_ns


def verify_optimum(costs: HopCosts, total_ns: int) -> None:
    """Prove that no order takes less, by dynamic programming over sets of served requests.

    Raises:
        ParameterError: Some order takes less.
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
    _require(found_ns == total_ns, f"the best order takes {found_ns} ns, not {total_ns} ns")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _native.ParameterError(f"the bounds cannot be verified: {otherwise}")
