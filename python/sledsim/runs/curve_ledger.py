"""Points of curves that are kept as soon as they are known, so that nothing is run twice."""

import math
import socket
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import _native
from ..common.files import PathLike
from ..ledger import Ledger, key_of
from .curve_points import CurvePoint
from .intervals import Estimate

#: The name of the file of a ledger, without ending.
NAME = "curves"


class KeptPoints:
    """The points of some curves in a ledger.

    Args:
        folder: Of the ledger; None keeps nothing.
        asked: Everything that the points depend on, besides policy and load.
        policies: Each policy with all its options, by its name.
        loads: The loads in ascending order.

    Raises:
        ParameterError: A file of the folder is no ledger.
        OSError: It cannot be read or written, or another process adds to it.
    """

    def __init__(
        self,
        folder: PathLike | None,
        asked: Mapping[str, Any],
        policies: Mapping[str, str],
        loads: Sequence[float],
    ) -> None:
        self._about = {**asked, "figures": "curves", "model": _native.__version__}
        self._policies, self._loads = dict(policies), list(loads)
        definition = {"kind": "curves", **asked, "schedulers": list(policies.values()), "loads": list(loads)}
        self._ledger = None if folder is None else Ledger(folder, definition, NAME)
        #: What is to be known of the files, in sentences.
        self.notes = self._ledger.notes if self._ledger else ()

    def __enter__(self) -> "KeptPoints":
        return self

    def __exit__(self, *_: object) -> None:
        if self._ledger:
            self._ledger.close()

    def known(self, load: float, names: Sequence[str], beside: Sequence[str]) -> dict[str, CurvePoint]:
        """The points at a load that are there already.

        Args:
            load: The load.
            names: The policies that are asked for.
            beside: The policies on which it depends how many replications each of them has.
        """
        if self._ledger is None:
            return {}
        rows = {name: self._ledger.row(self._key(name, load, beside)) for name in names}
        return {name: _point(name, load, row) for name, row in rows.items() if row}

    def add(self, points: Sequence[CurvePoint], beside: Sequence[str]) -> None:
        """Keep some points.

        Raises:
            OSError: The file cannot be written.
        """
        if self._ledger is None:
            return
        names = list(self._policies)
        about = {"host": socket.gethostname(), "version": _native.__version__, "error": None, "cpu_s": 0.0}
        self._ledger.add(
            {
                "key": self._key(point.scheduler, point.load, beside),
                "number": self._loads.index(point.load) * len(names) + names.index(point.scheduler),
                **_row(point),
                **about,
            }
            for point in points
        )

    def _key(self, name: str, load: float, beside: Sequence[str]) -> str:
        others = sorted(self._policies[other] for other in beside)
        return key_of({**self._about, "scheduler": self._policies[name], "load": load, "beside": others})


def _row(point: CurvePoint) -> dict[str, Any]:
    status = "not at rest" if point.unsettled else "saturated" if point.saturated else "ok"
    return {
        "status": status,
        "figures": {name: _json(one.value) for name, one in point.estimates.items()},
        "half_widths": {name: _json(one.half_width) for name, one in point.estimates.items()},
        "counts": {name: one.count for name, one in point.estimates.items()},
        "samples": {name: [_json(value) for value in one.tolist()] for name, one in point.samples.items()},
    }


def _point(name: str, load: float, row: Mapping[str, Any]) -> CurvePoint:
    estimates = {
        key: Estimate(_number(value), _number(row["half_widths"][key]), row["counts"][key])
        for key, value in row["figures"].items()
    }
    samples = {key: np.array([_number(one) for one in values]) for key, values in row["samples"].items()}
    unsettled = row["status"] == "not at rest"
    return CurvePoint(name, load, row["status"] != "ok", estimates, samples, unsettled)


def _json(value: float) -> float | str | None:
    """A number as JSON has it: NaN is null."""
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else str(value)


def _number(value: float | str | None) -> float:
    return math.nan if value is None else float(value)
