"""The compiled core (crate ``sledsim-py``): conversions only, no policy of its own.

Every array is one-dimensional and contiguous; the public API broadcasts and reshapes.
"""

from collections.abc import Callable
from os import PathLike
from typing import Any, NoReturn, SupportsIndex, TypedDict, final, type_check_only

import numpy as np
from numpy.typing import NDArray
from typing_extensions import NotRequired

_F64 = NDArray[np.float64]
_I64 = NDArray[np.int64]
_I32 = NDArray[np.int32]
_Bool = NDArray[np.bool_]
#: Arrivals, first blocks, blocks, writes, metadata, devices, flags and measured times.
_TraceColumns = tuple[_I64, _I64, _I32, _Bool, _Bool, _I32, NDArray[np.uint8], _I64]

#: Called now and then with the work done so far (requests, or bytes of the file read).
_Progress = Callable[[int], object]

__all__ = [
    "Device",
    "FittedWorkload",
    "ParameterError",
    "TipCode",
    "TraceError",
    "TraceReader",
    "TraceStatistics",
    "TraceWriter",
    "Volume",
    "WorkloadFit",
    "__version__",
    "ask_in_this_thread",
    "begin_part",
    "block_checks",
    "check_workload",
    "detections",
    "device_counters",
    "devices",
    "end_interrupted",
    "end_part",
    "evaluate",
    "format_characteristics",
    "leave_interruptions_to_python",
    "past_end_rules",
    "random_workload",
    "read_text",
    "register_scheduler",
    "register_seek_model",
    "residual_vibration",
    "result_columns",
    "row_name",
    "schedule_bounds",
    "seek_profile",
    "simulate",
    "tables",
    "tip_placement",
    "trace_size_bytes",
    "watch_interruptions",
    "workload",
]

__version__: str

class ParameterError(ValueError):
    """A parameter, a name or an option is wrong."""

class TraceError(ValueError):
    """A trace or workload cannot be used: the message names file, place, expected and found."""

@type_check_only
class OptionRow(TypedDict):
    name: str
    kind: str
    unit: str
    default: str
    choices: list[str]
    range: str
    meaning: str

@type_check_only
class TableRow(TypedDict):
    name: str
    aliases: list[str]
    summary: str
    source: str
    disksim: str
    keys: list[str]
    options: list[OptionRow]
    members: NotRequired[list[tuple[str, str, str]]]
    counters: NotRequired[dict[str, str]]
    is_writable: NotRequired[bool]
    parameters: NotRequired[list[tuple[str, str, str, str]]]
    characteristics: NotRequired[list[tuple[str, str]]]
    choices: NotRequired[list[tuple[str, list[tuple[str, str]]]]]

def devices() -> list[tuple[str, str, str]]: ...
def tables() -> dict[str, list[TableRow]]: ...
def row_name(table: str, name: str) -> str: ...
def result_columns() -> list[tuple[str, str, str, bool, str]]: ...
def device_counters() -> list[tuple[str, list[tuple[str, str]]]]: ...
def trace_size_bytes(path: str) -> int: ...
def past_end_rules() -> list[tuple[str, str]]: ...

@final
class TraceReader:
    def __new__(cls, path: str, format: str | None, map: str | None, skip_bad: bool) -> TraceReader: ...
    def next(self, progress: _Progress | None) -> dict[str, NDArray[Any]] | None: ...
    def rest(self, progress: _Progress | None) -> dict[str, NDArray[Any]]: ...
    def about(self) -> dict[str, Any]: ...
    def consumed_bytes(self) -> int: ...

@final
class TraceStatistics:
    def __new__(cls, interleave_sectors: int, bitmap_bytes: int) -> TraceStatistics: ...
    def add(self, columns: dict[str, NDArray[Any]]) -> None: ...
    def summary(self) -> dict[str, Any]: ...

@final
class WorkloadFit:
    def __new__(cls) -> WorkloadFit: ...
    def add(self, columns: dict[str, NDArray[Any]]) -> None: ...
    def finish(self, source: str) -> FittedWorkload: ...

@final
class FittedWorkload:
    @staticmethod
    def parse(text: str, origin: str) -> FittedWorkload: ...
    def text(self) -> str: ...
    def source(self) -> str: ...
    def requests(self) -> int: ...
    def end_block(self) -> int: ...
    def draw(
        self, options: str, capacity_blocks: int, progress: _Progress | None
    ) -> tuple[dict[str, NDArray[Any]], str, int]: ...

@final
class TraceWriter:
    def __new__(cls, format: str) -> TraceWriter: ...
    def describe(self, device_names: dict[int, str], origin_unix_ns: int | None) -> None: ...
    def rows(self, columns: dict[str, NDArray[Any]]) -> bytes: ...
    def left_out(self) -> int: ...

@final
class Volume:
    @staticmethod
    def load(name_or_path: str, settings: dict[str, Any]) -> Volume: ...
    @staticmethod
    def from_parameters(parameters: dict[str, Any], scheduler: str) -> Volume: ...
    @staticmethod
    def faulty(device: Device, plan: str | dict[str, Any], scheduler: str) -> Volume: ...
    def name(self) -> str: ...
    def parameters(self) -> dict[str, Any]: ...
    def state(self) -> tuple[dict[str, Any], str]: ...
    def sectors(self) -> int: ...
    def restart(self) -> list[tuple[str, int, int, float]]: ...

def format_characteristics(
    device: Device, probes: int, sectors: int, sector_bytes: int
) -> dict[str, Any]: ...
def evaluate(
    device: Device,
    variants: list[dict[str, Any]],
    columns: _TraceColumns,
    replay: str,
    scheduler: str,
    scale: float,
    past_end: str,
) -> list[tuple[dict[str, Any] | None, dict[str, float] | None, str | None]]: ...
def block_checks() -> list[tuple[str, str]]: ...
def detections() -> list[tuple[str, str]]: ...
def tip_placement(
    groups: int, tips_per_group: int, others: int, columns: int, is_spread: bool
) -> tuple[float, float, int, NDArray[np.uint32]]: ...

@final
class TipCode:
    def __new__(
        cls, data_tips: int, check_tips: int, sector_bytes: int, detection: str, block_check: str
    ) -> TipCode: ...
    def shape(self) -> tuple[int, int, int]: ...
    def correctable(self) -> list[tuple[int, int]]: ...
    def encode(self, data: bytes) -> list[bytes]: ...
    def decode(self, sectors: list[bytes | None]) -> tuple[bytes | None, list[int], list[int]]: ...
    def trial(self, missing: int, wrong: int, patterns: int, seed: int) -> tuple[int, int, int, int]: ...

@final
class Device:
    @staticmethod
    def load(name_or_path: str, overrides: dict[str, Any]) -> Device: ...
    @staticmethod
    def from_parameters(parameters: dict[str, Any]) -> Device: ...
    @staticmethod
    def restore(
        parameters: dict[str, Any], sources: dict[str, str], paper: dict[str, tuple[float, str]]
    ) -> Device: ...
    def with_parameters(self, overrides: dict[str, Any]) -> Device: ...
    @property
    def kind(self) -> str: ...
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
def random_workload(
    device: Device | Volume, rate_per_s: float, count: int, seed: int, progress: _Progress | None
) -> dict[str, NDArray[Any]]: ...
def read_text(path: str | PathLike[str]) -> str: ...
def ask_in_this_thread(callable: Callable[[], object]) -> None: ...
def watch_interruptions() -> int: ...
def leave_interruptions_to_python(whether: bool) -> None: ...
def begin_part(path: str | PathLike[str]) -> None: ...
def end_part(path: str | PathLike[str]) -> None: ...
def end_interrupted() -> NoReturn: ...
def check_workload(text: str) -> None: ...
def workload(
    device: Device | Volume, text: str, progress: _Progress | None
) -> tuple[dict[str, NDArray[Any]], str, int, list[str]]: ...
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
    target: Device | Volume,
    trace: _TraceColumns,
    replay: str,
    scheduler: str | None,
    scale: float,
    past_end: str,
    progress: _Progress | None,
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]: ...
