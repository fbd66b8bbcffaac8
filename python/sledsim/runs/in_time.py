"""Writing of a trace file for Perfetto: all phases of a run on a time axis."""

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
from .kept_columns import Columns, check_whole
from .run_settings import RunSettings

#: Endings that the name of a trace file for Perfetto may have; Perfetto accepts any name.
ENDINGS = (".pftrace", ".perfetto-trace")
#: Columns that a run must keep so that its requests can be run again.
NEEDED = ("arrival_ns", "lbn", "blocks", "write", "metadata", "device")
_NS_PER_S = 10**9
_LATEST_NS = 2**63 - 1


class InTime:
    """Base class of a run: a method that writes all its phases to a trace file for Perfetto.

    Attributes:
        columns: Results of the requests, as columns by name.
        totals: Sums and figures over all requests.
        settings: Device, policy and options of the run.
    """

    columns: Mapping[str, NDArray[Any]]
    totals: Mapping[str, Any]
    settings: RunSettings

    @watched
    def write_perfetto(
        self, path: PathLike, from_s: float = 0.0, to_s: float | None = None, progress: Progress = None
    ) -> Path:
        """Write all phases of the run on a time axis, as a trace file for https://ui.perfetto.dev.

        The requests are run again, as by `Run.again`, so that the file also has the parts of a volume; a
        result does not keep these.

        Args:
            path: File whose name ends in ``.pftrace``.
            from_s: Start of the part of the run to write, in seconds of the run; a service that ends after it
                is written.
            to_s: End of the part of the run to write, in seconds of the run; a service that starts at or
                before it is written. None is the end of the run.
            progress: Callback or bar, as for `simulate`.

        Raises:
            NotKeptError: The run did not keep the columns that repeating it needs.
            TraceError: Another version made the result, and the repeated run gives other times.
            ParameterError: The file name has another ending, the end is before the start, or no request was
                served between them.
            OSError: The file cannot be written; no part of it is left.
        """
        window = window_ns(from_s, to_s)
        check_perfetto(path)
        check_whole(self.columns, self.totals)
        columns = {name: self.columns[name] for name in (*NEEDED, *{"kind"} & {*self.columns})}
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
        """Check that a run of another version of sledsim, if repeated, has the same completions.

        Raises:
            TraceError: A request completes at another time than in the result.
        """
        if self.settings.version == _native.__version__ or "completion_ns" not in self.columns:
            return
        from .explanations.repeating import Requests, as_recorded

        ends = self.columns["completion_ns"]
        same = as_recorded(ends, self.settings.version)
        Requests(Columns(self.columns)).run_until(device, policy, [int(np.argmax(ends))], same)


def check_perfetto(path: PathLike) -> None:
    """Check before a long run that a trace file for Perfetto can be written, without leaving a file.

    Raises:
        ParameterError: The file name has another ending.
        OSError: The file cannot be written.
    """
    if Path(path).suffix.lower() not in ENDINGS:
        raise _native.ParameterError(
            f"{path}: expected a name that ends in {' or '.join(ENDINGS)}, for a trace file of Perfetto"
        )
    check_writable(path)


def window_ns(from_s: float, to_s: float | None) -> list[int]:
    """Convert the ends of a time window from seconds to nanoseconds; the window includes both ends.

    Raises:
        ParameterError: The window ends before it starts, or does not start at a finite time of 0 s or later.
    """
    until_s = math.inf if to_s is None else to_s
    if not 0 <= from_s <= until_s or math.isinf(from_s):
        raise _native.ParameterError(
            "expected a time window that starts at 0 s or later (--from) and ends no earlier than it starts"
            f" (--until), found {from_s:g} s to {until_s:g} s"
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
        "expected a time window (--from, --until) in which a device serves a request, found the window from"
        f" {from_s:.9g} s {end}: the run goes from {first_s:.9g} s to {last_s:.9g} s"
    )
