"""The compiled core (crate ``sledsim-py``): conversions only, no policy of its own.

Every array is one-dimensional and contiguous; the public API broadcasts and reshapes.
"""

from collections.abc import Callable
from typing import Any, SupportsIndex, final

import numpy as np
from numpy.typing import NDArray

_F64 = NDArray[np.float64]
_I64 = NDArray[np.int64]
_I32 = NDArray[np.int32]
_Bool = NDArray[np.bool_]

#: Called now and then with the work done so far (requests, or bytes of the file read).
_Progress = Callable[[int], object]

__all__ = [
    "Device",
    "ParameterError",
    "TraceError",
    "TraceReader",
    "TraceStatistics",
    "TraceWriter",
    "__version__",
    "check_workload",
    "devices",
    "formats",
    "parameter_choices",
    "parameter_keys",
    "past_end_rules",
    "random_workload",
    "register_scheduler",
    "register_seek_model",
    "replay_options",
    "replays",
    "residual_vibration",
    "schedule_bounds",
    "scheduler_options",
    "scheduler_wrappers",
    "schedulers",
    "seek_profile",
    "simulate",
    "trace_size_bytes",
    "workload",
    "workload_options",
    "workloads",
]

__version__: str

class ParameterError(ValueError):
    """A parameter, a name or an option is wrong."""

class TraceError(ValueError):
    """A trace or workload cannot be used: the message names file, place, expected and found."""

def devices() -> list[tuple[str, str]]: ...
def schedulers() -> list[tuple[str, str]]: ...
def scheduler_wrappers() -> list[tuple[str, str]]: ...
def scheduler_options(name: str) -> list[tuple[str, str, str]]: ...
def formats() -> list[tuple[str, str, bool]]: ...
def trace_size_bytes(path: str) -> int: ...
def workloads() -> list[tuple[str, str]]: ...
def workload_options(name: str) -> list[tuple[str, str, str, str]]: ...
def replays() -> list[tuple[str, str]]: ...
def replay_options(name: str) -> list[tuple[str, str, str]]: ...
def past_end_rules() -> list[tuple[str, str]]: ...
def parameter_keys() -> list[tuple[str, str, str]]: ...
def parameter_choices() -> list[tuple[str, list[tuple[str, str]]]]: ...

@final
class TraceReader:
    def __new__(cls, path: str, format: str | None, map: str | None, skip_bad: bool) -> TraceReader: ...
    def next(self) -> dict[str, NDArray[Any]] | None: ...
    def rest(self, progress: _Progress | None) -> dict[str, NDArray[Any]]: ...
    def about(self) -> dict[str, Any]: ...
    def consumed_bytes(self) -> int: ...

@final
class TraceStatistics:
    def __new__(cls, interleave_sectors: int, bitmap_bytes: int) -> TraceStatistics: ...
    def add(self, columns: dict[str, NDArray[Any]]) -> None: ...
    def summary(self) -> dict[str, Any]: ...

@final
class TraceWriter:
    def __new__(cls, format: str) -> TraceWriter: ...
    def describe(self, device_names: dict[int, str], origin_unix_ns: int | None) -> None: ...
    def rows(self, columns: dict[str, NDArray[Any]]) -> bytes: ...
    def left_out(self) -> int: ...

@final
class Device:
    @staticmethod
    def load(name_or_path: str, overrides: dict[str, Any]) -> Device: ...
    @staticmethod
    def from_parameters(parameters: dict[str, Any]) -> Device: ...
    def with_parameters(self, overrides: dict[str, Any]) -> Device: ...
    def parameters(self) -> dict[str, Any]: ...
    def sources(self) -> dict[str, str]: ...
    def paper(self) -> dict[str, tuple[float, str]]: ...
    def characteristics(self) -> dict[str, float | int]: ...
    def seek_x_s(self, x0_m: _F64, x1_m: _F64) -> _F64: ...
    def seek_y_s(self, y0_m: _F64, d0: _I64, y1_m: _F64, d1: _I64) -> _F64: ...
    def turnaround_s(self, y_m: _F64, d: _I64) -> _F64: ...
    def locate(self, lbn: _I64) -> dict[str, NDArray[Any]]: ...

def register_scheduler(
    name: str,
    description: str,
    make: Callable[[], tuple[Callable[..., SupportsIndex], Callable[..., object] | None]],
) -> None: ...
def register_seek_model(name: str, description: str, function: Callable[..., _F64]) -> None: ...
def seek_profile(
    device: Device, axis: int, from_: tuple[float, float], to: tuple[float, float], points: int
) -> dict[str, _F64]: ...
def residual_vibration(
    device: Device, from_m: _F64, to_m: _F64, natural_frequency_per_s: float
) -> dict[str, _F64]: ...
def random_workload(device: Device, rate_per_s: float, count: int, seed: int) -> dict[str, NDArray[Any]]: ...
def check_workload(text: str) -> None: ...
def workload(device: Device, text: str) -> tuple[dict[str, NDArray[Any]], str, int, list[str]]: ...
def schedule_bounds(
    device: Device,
    lbn: _I64,
    blocks: _I32,
    write: _Bool,
    schedulers: list[str],
    steps: int,
    changes: int,
    seed: int,
    progress: _Progress | None,
) -> dict[str, Any]: ...
def simulate(
    device: Device,
    arrival_ns: _I64,
    lbn: _I64,
    blocks: _I32,
    write: _Bool,
    metadata: _Bool,
    traced_device: _I32,
    flags: NDArray[np.uint8],
    response_ns: _I64,
    replay: str,
    scheduler: str,
    scale: float,
    past_end: str,
    progress: _Progress | None,
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]: ...
