"""Result of `schedule_bounds`: bounds on positioning times of orders of requests; their file and check."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common import units
from ...common.checked import WrongError, array, load, mapping, record, table, text, truth, whole
from ...common.grids import Grid
from ...common.output_files import PathLike, check_name, write_text
from ...common.shown import Form, Shown, counted, quoted
from ...model.devices import Device
from .costs import hop_costs
from .proofs import Certificate, RequestSet, verify_certificate, verify_optimum, verify_schedule

#: Largest number of requests for which the dynamic program, which finds the best order, fits into memory.
_MOST_EXACT = 20
_NS = whole(-(2**62), 2**62)
_SCHEDULE = record(order=array(whole(), 1), total_ns=_NS)
_BOUNDS = record(
    version=text,
    parameters=table,
    trace=text,
    requests=record(lbn=array(whole(), 1), blocks=array(whole(1, 2**31 - 1)), write=array(truth)),
    schedules=mapping(_SCHEDULE),
    best=_SCHEDULE,
    exact=truth,
    certificate=record(
        bound_ns=_NS,
        toll_ns=array(_NS),
        price_ns=array(_NS),
        sets=array(record(members=array(whole()), price_ns=_NS)),
    ),
)


@dataclass(frozen=True, eq=False)
class Schedule:
    """An order in which to serve the requests of a batch, which all wait from the start.

    Attributes:
        order: Indices of the requests, in the order of service, shape (n,).
        total_ns: Sum of the positioning times of all requests, in nanoseconds.
    """

    order: NDArray[np.int64]
    total_ns: int

    @property
    def total_s(self) -> float:
        """Sum of the positioning times of all requests, in seconds."""
        return self.total_ns * 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Bounds(Shown):
    """Bounds on the total positioning time of n waiting requests in any order, from `schedule_bounds`.

    Attributes:
        version: Version of sledsim that made the bounds.
        parameters: Parameters of the device, by key.
        trace: Source of the requests.
        requests: Columns ``lbn``, ``blocks`` and ``write`` of the requests, each of shape (n,).
        schedules: Order of service that each policy chooses, by name of the policy.
        best: Order of service with the least total positioning time that was found.
        exact: True if dynamic programming proved that no order is better than `best`.
        certificate: Proof of the lower bound, for batches too large for dynamic programming.
    """

    version: str
    parameters: dict[str, Any]
    trace: str
    requests: Mapping[str, NDArray[Any]]
    schedules: Mapping[str, Schedule]
    best: Schedule
    exact: bool
    certificate: Certificate

    def __len__(self) -> int:
        return len(self.best.order)

    @property
    def lower_bound_s(self) -> float:
        """Lower bound in seconds of the total positioning time, which no order of the requests beats."""
        return self.optimum_s if self.optimum_s is not None else max(0, self.certificate.bound_ns) * 1e-9

    @property
    def optimum_s(self) -> float | None:
        """Least total positioning time in seconds; None if no order is proved to be the best."""
        return self.best.total_s if self.exact or self.best.total_ns == self.certificate.bound_ns else None

    @property
    def method(self) -> str:
        """Name of the method that found the lower bound."""
        return "dynamic programming" if self.exact else "Held-Karp bound and local search"

    def within(self, scheduler: str) -> float:
        """Return by what fraction a policy's total positioning time can at most exceed the best order's.

        Raises:
            ParameterError: The bounds have no order of this policy.
        """
        if scheduler not in self.schedules:
            known = ", ".join(self.schedules)
            raise _native.ParameterError(f"no bounds for scheduler {scheduler!r}: expected one of {known}")
        return _above(self.schedules[scheduler].total_s, self.lower_bound_s)

    @property
    def gap(self) -> float:
        """Fraction by which the total of `best` can at most exceed that of the best possible order."""
        return _above(self.best.total_s, self.lower_bound_s)

    def summary(self) -> dict[str, Any]:
        """Return the figures by name, with units; ``schedulers`` has two figures for each policy."""
        return {
            "requests": len(self),
            "method": self.method,
            "lower_bound_s": self.lower_bound_s,
            "best_found_s": self.best.total_s,
            "optimum_s": self.optimum_s,
            "gap": self.gap,
            "schedulers": {
                name: {"total_s": schedule.total_s, "within": self.within(name)}
                for name, schedule in self.schedules.items()
            },
        }

    def _form(self) -> Form:
        least = units.quantity("lower_bound_s", self.lower_bound_s)
        line = f"of {quoted(self.trace)}: {counted(len(self), 'request')}, at least {least}"
        calls = ("summary()", "within(scheduler)", "verify()")
        device = self.parameters["name"]
        title = f"Positioning of {len(self):,} requests of {self.trace} on {device}"
        return Form(title, self._parts, calls=calls, line=line)

    def _parts(self) -> list[Grid | str]:
        made = Grid(("Order", ">Total", ">A request", ">Above the bound"))
        shares = {name: _at_most(self.within(name)) for name in self.schedules}
        for name, schedule in self.schedules.items():
            made.add_row(name, *self._times(schedule.total_s), shares[name])
        best = "best possible" if self.optimum_s is not None else "best found"
        made.add_row(best, *self._times(self.best.total_s), _at_most(self.gap))
        made.add_row("lower bound", *self._times(self.lower_bound_s))
        said = [f"{name} takes at most {share} longer than the best order." for name, share in shares.items()]
        return [made, *(said if self.lower_bound_s else ()), f"Method: {self.method}."]

    def _times(self, total_s: float) -> tuple[str, str]:
        return units.quantity("total_s", total_s), units.quantity("mean_s", total_s / len(self))

    def verify(self) -> None:
        """Check each total and the bounds again, with seek times that the device computes one by one.

        The check covers the total of each order and the certificate. If `exact` is True, another dynamic
        program must find the same optimum.

        Raises:
            ParameterError: A total or a bound is wrong; the message states the reason.
        """
        costs = hop_costs(Device.from_parameters(self.parameters), **self.requests)
        for name, schedule in {**self.schedules, "best": self.best}.items():
            verify_schedule(costs, name, schedule.order, schedule.total_ns)
        verify_certificate(costs, self.certificate)
        if self.exact:
            verify_optimum(costs, self.best.total_ns)

    def write(self, path: PathLike) -> Path:
        """Write the bounds as JSON, which `read_bounds` and programs of others can check.

        Raises:
            OSError: The file cannot be written; no part of it is left.
        """
        return write_text(path, json.dumps(asdict(self), default=lambda array: array.tolist()))


def read_bounds(path: PathLike) -> Bounds:
    """Read a file that `Bounds.write` wrote; only `Bounds.verify` checks that the bounds are right.

    Raises:
        TraceError: The file does not contain bounds; the message states the reason.
        OSError: The file cannot be read.
    """
    check_name(path)
    content = _native.read_text(path).encode()
    try:
        values = _BOUNDS("", load("", content))
        certificate = values.pop("certificate")
        sets = tuple(RequestSet(tuple(one["members"]), one["price_ns"]) for one in certificate["sets"])
        toll_ns, price_ns = (np.array(certificate[name], np.int64) for name in ("toll_ns", "price_ns"))
        columns = {"lbn": np.int64, "blocks": np.int32, "write": np.bool_}
        found = Bounds(
            requests={name: np.array(values["requests"][name], kind) for name, kind in columns.items()},
            schedules={name: _schedule(given) for name, given in values["schedules"].items()},
            best=_schedule(values["best"]),
            certificate=Certificate(certificate["bound_ns"], toll_ns, price_ns, sets),
            **{name: values[name] for name in ("version", "parameters", "trace", "exact")},
        )
        _check_lengths(found)
    except WrongError as error:
        expected = f"expected bounds written by sledsim {_native.__version__}"
        raise _native.TraceError(f"{path}: {expected}, found another file ({error})") from error
    return found


def _check_lengths(found: Bounds) -> None:
    """Check that columns and orders have one entry per request, and that no proved optimum is too large."""
    count = len(found)
    sizes = {
        **{f"requests.{name}": len(column) for name, column in found.requests.items()},
        **{f"schedules.{name}.order": len(one.order) for name, one in found.schedules.items()},
    }
    for key, size in sizes.items():
        if size != count:
            raise WrongError(key, f"{count} numbers, one per request", f"{size} numbers")
    if found.exact and count > _MOST_EXACT:
        raise WrongError("exact", f"false for a batch of more than {_MOST_EXACT} requests", "true")


def _schedule(given: dict[str, Any]) -> Schedule:
    return Schedule(np.array(given["order"], np.int64), given["total_ns"])


def _above(total_s: float, bound_s: float) -> float:
    """Return by what fraction a total exceeds a bound; 0 if both are 0."""
    return total_s / bound_s - 1 if bound_s else (0.0 if not total_s else float("inf"))


def _at_most(share: float) -> str:
    """Format a fraction as per cent, rounded up, since it is an upper bound."""
    return f"{math.ceil(share * 1e4) / 100:,.2f} %" if math.isfinite(share) else "no bound"
