"""Groups of options of ``sledsim serve``."""

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._native import ParameterError
from ..common.declared import default_of
from ..emulator.serving_options import ServingOptions
from . import command_options as options
from .renamed import taken
from .shared import option

if TYPE_CHECKING:
    from ..emulator.power_cut import PowerCut

_of_address = partial(option, ServingOptions, rich_help_panel="Address and contents")
_of_timing = partial(option, ServingOptions, rich_help_panel="Timing")
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@dataclass(frozen=True)
class Contents:
    """Group of options: the address under which a device is served, and the file with its contents."""

    socket: Annotated[Path | None, _of_address("socket")] = None
    tcp: Annotated[str | None, _of_address("tcp", metavar="ADDRESS:PORT")] = None
    allow_remote: Annotated[bool, _of_address("allow_remote", "; needs --tcp")] = False
    size: Annotated[str | None, _of_address("size_bytes", ". Example: 512M", as_option="--size")] = None
    image: Annotated[Path | None, _of_address("image", as_option="--file")] = None
    members: Annotated[
        Path | None, _of_address("members", "; the contents survive a power failure", metavar="FOLDER")
    ] = None
    read_only: Annotated[bool, _of_address("is_read_only", as_option="--read-only")] = False
    cache: Annotated[str | None, _of_address("cache")] = None
    history: Annotated[Path | None, _of_address("history")] = None
    once: Annotated[bool, options.of_address("--once", help="End when the last client disconnects.")] = False

    @property
    def size_bytes(self) -> int | None:
        """Size of the served device in bytes; the units K, M, G and T are powers of 1,024.

        Raises:
            ParameterError: ``--size`` is not a number of bytes, with or without a unit.
        """
        if self.size is None:
            return None
        found = re.fullmatch(r"(\d+)([kmgt]?)(i?b)?", self.size.strip().lower())
        if found is None:
            expected = "--size: expected a number of bytes, or a number with a unit, K, M, G or T"
            raise ParameterError(f"{expected}, found {self.size!r}")
        return int(found[1]) * _UNITS[found[2]]


@dataclass(frozen=True)
class Timing:
    """Group of options: how the server keeps replies at their simulated times on the real clock."""

    time_scale: Annotated[str, _of_timing("time_scale")] = default_of(ServingOptions, "time_scale")
    realtime: Annotated[
        str,
        options.of_timing(
            help="Real-time priority of the server: auto (if the system grants it), require (exit if the "
            "system refuses it) or off."
        ),
    ] = "auto"
    spin_us: Annotated[float, _of_timing("spin_us", min=0, max=1000)] = default_of(ServingOptions, "spin_us")
    lead: Annotated[str, _of_timing("lead", metavar="auto|off|US")] = default_of(ServingOptions, "lead")
    probe: Annotated[bool, _of_timing("probe", "; the reads take device time like all requests")] = False


@dataclass(frozen=True)
class Power:
    """Group of options: when the power of the served device fails, and which data are then lost."""

    power_cut_at: Annotated[
        float | None,
        options.of_power(
            min=0,
            metavar="S",
            help="Cut the power S seconds after the start. The signal SIGUSR1 cuts it at once. A cut "
            "disconnects the clients and drops outstanding requests; the server ends with status 0. "
            "The file of --file keeps what survives, for the next 'sledsim serve'.",
        ),
    ] = None
    power_cut_after: Annotated[
        int | None,
        options.of_power(
            min=1, metavar="N", help="Cut the power after N replies; replies to trims do not count."
        ),
    ] = None
    power_cut_seed: Annotated[
        int,
        options.of_power(
            min=0,
            metavar="N",
            help="Seed of the random choice of unflushed sectors that survive the power cut: half of them.",
        ),
    ] = 0
    power_cut_torn: Annotated[
        str | None,
        options.of_power(
            help="Contents, after the cut, of the row that the tips are writing: unreadable (reads fail with "
            "EIO until the row is written again), old (the data before the write) or new (the remaining "
            "energy finishes the write). \\[default: unreadable]"
        ),
    ] = None
    old_torn: Annotated[str | None, typer.Option("--torn", hidden=True)] = None

    @property
    def cut(self) -> "PowerCut":
        """Return the planned power failure that the options state; None if none is planned.

        Raises:
            ParameterError: Both names of an option are given, or a value is wrong.
        """
        from ..emulator.power_cut import PowerCut

        torn = taken(self.power_cut_torn, self.old_torn, "--torn of 'sledsim serve'", "--power-cut-torn")
        row = "unreadable" if torn is None else torn
        return PowerCut(self.power_cut_at, self.power_cut_after, self.power_cut_seed, row)
