"""A run in time: a trace file that Perfetto shows."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.output_files import PathLike, check_writable, writing
from ..common.progress import Progress, told, watched
from ..model.volumes import Target, from_parameters
from ..traces.trace import Trace
from .kept_columns import Columns
from .run_settings import RunSettings

#: What the name of such a file ends in; Perfetto itself looks at what is in it.
ENDINGS = (".pftrace", ".perfetto-trace")
#: When requests came and what they asked for: without these columns a run cannot be run again.
NEEDED = ("arrival_ns", "lbn", "blocks", "write", "metadata", "device")
_NS_PER_S = 10**9
_LATEST_NS = 2**63 - 1


class InTime:
    """The part of a run that Perfetto shows.

    Attributes:
        columns: As `Run` has them.
        totals: As `Run` has them.
        settings: As `Run` has them.
    """

    columns: Mapping[str, NDArray[Any]]
    totals: Mapping[str, Any]
    settings: RunSettings

    @watched
    def write_perfetto(
        self, path: PathLike, from_s: float = 0.0, to_s: float | None = None, progress: Progress = None
    ) -> Path:
        """Write the run in time, as a trace file that https://ui.perfetto.dev shows.

        The requests are run again for that, as by `Run.again`: so the file has the parts of a volume, too,
        which no columns have.

        Args:
            path: The file, whose name ends in ``.pftrace``.
            from_s: Services that go on at this time of the run or later, in seconds.
            to_s: And that begin by this one; None is the end of the run.
            progress: As for `simulate`.

        Raises:
            NotKeptError: What the requests asked for is not among the columns that were kept.
            TraceError: The result is of another version, and the requests take other times today.
            ParameterError: The file has another ending, the window ends before it begins, or nothing was
                served in it.
            OSError: The file cannot be written; no part of it is left.
        """
        window = window_ns(from_s, to_s)
        check_perfetto(path)
        columns = {name: self.columns[name] for name in NEEDED}
        requests = Trace.from_columns(columns, source=self.settings.trace)
        device, policy = from_parameters(self.settings.parameters), self.settings.policy_again
        self._check_again(device, policy)
        report = told(progress, len(requests))
        with writing(path) as file:
            services, _ = _native.write_perfetto(
                device._native, requests._native_columns(), policy, window, file.write, report
            )
            if not services:
                raise _native.ParameterError(_nothing(window, self.totals))
        return Path(path)

    def _check_again(self, device: Target, policy: str) -> None:
        """Find out whether the requests of a result of another version take what it says.

        Raises:
            TraceError: They do not.
        """
        if self.settings.version == _native.__version__ or "completion_ns" not in self.columns:
            return
        from .explanations.repeating import Requests, as_recorded

        ends = self.columns["completion_ns"]
        same = as_recorded(ends, self.settings.version)
        Requests(Columns(self.columns)).run_until(device, policy, [int(np.argmax(ends))], same)


def check_perfetto(path: PathLike) -> None:
    """Find out, before a long run, whether a trace file can be written there; nothing is left behind.

    Raises:
        ParameterError: The name has another ending.
        OSError: It cannot be written.
    """
    if Path(path).suffix.lower() not in ENDINGS:
        raise _native.ParameterError(
            f"{path}: expected the name of a trace file for Perfetto, which ends in {' or '.join(ENDINGS)}"
        )
    check_writable(path)


def window_ns(from_s: float, to_s: float | None) -> list[int]:
    """A window of time in nanoseconds, with both its ends.

    Raises:
        ParameterError: It ends before it begins, or begins at no time.
    """
    until_s = math.inf if to_s is None else to_s
    if not 0 <= from_s <= until_s or math.isinf(from_s):
        raise _native.ParameterError(
            "expected a window from a time of 0 s or later (--from) to no earlier one (--until), found from"
            f" {from_s:g} s to {until_s:g} s"
        )
    return [_ns(from_s), _ns(until_s)]


def _ns(time_s: float) -> int:
    return round(time_s * _NS_PER_S) if time_s < _LATEST_NS / _NS_PER_S else _LATEST_NS


def _nothing(window: list[int], totals: Mapping[str, Any]) -> str:
    first_s, last_s, from_s, to_s = (
        at_ns / _NS_PER_S for at_ns in (totals["first_arrival_ns"], totals["last_completion_ns"], *window)
    )
    end = "on" if window[1] == _LATEST_NS else f"to {to_s:.9g} s"
    return (
        "expected a window (--from, --to) in which a device serves a request, found from"
        f" {from_s:.9g} s {end}: the run goes from {first_s:.9g} s to {last_s:.9g} s"
    )
