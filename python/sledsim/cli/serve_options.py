"""The options of ``sledsim serve`` that belong together."""

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import _native
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
    """Where the device is found, and what keeps its contents."""

    socket: Annotated[Path | None, _of_address("socket")] = None
    tcp: Annotated[str | None, _of_address("tcp", metavar="ADDRESS:PORT")] = None
    allow_remote: Annotated[bool, _of_address("allow_remote", ". With --tcp")] = False
    size: Annotated[str | None, _of_address("size_bytes", ": 512M, 1G", as_option="--size")] = None
    image: Annotated[Path | None, _of_address("image", as_option="--file")] = None
    members: Annotated[
        Path | None, _of_address("members", ". Then it loses power with what they hold", metavar="FOLDER")
    ] = None
    read_only: Annotated[bool, _of_address("is_read_only", as_option="--read-only")] = False
    cache: Annotated[str, _of_address("cache")] = default_of(ServingOptions, "cache")
    history: Annotated[Path | None, _of_address("history")] = None
    once: Annotated[bool, options.of_address("--once", help="End when the last client has gone.")] = False

    @property
    def size_bytes(self) -> int | None:
        """The size with its binary unit.

        Raises:
            ParameterError: It is none.
        """
        if self.size is None:
            return None
        found = re.fullmatch(r"(\d+)([kmgt]?)(i?b)?", self.size.strip().lower())
        if found is None:
            expected = "--size: expected bytes, or a number with K, M, G or T"
            raise _native.ParameterError(f"{expected}, found {self.size!r}")
        return int(found[1]) * _UNITS[found[2]]


@dataclass(frozen=True)
class Timing:
    """How simulated time is kept."""

    time_scale: Annotated[str, _of_timing("time_scale")] = default_of(ServingOptions, "time_scale")
    realtime: Annotated[
        str,
        options.of_timing(
            help="Real-time priority: auto (if the system lets it), require (or there is no serving) or off."
        ),
    ] = "auto"
    spin_us: Annotated[float, _of_timing("spin_us", min=0, max=1000)] = default_of(ServingOptions, "spin_us")
    lead: Annotated[str, _of_timing("lead", metavar="auto|off|US")] = default_of(ServingOptions, "lead")
    probe: Annotated[
        bool, _of_timing("probe", ". The device takes time for its requests, as for any others")
    ] = False


@dataclass(frozen=True)
class Power:
    """When power is cut, and how."""

    power_cut_at: Annotated[
        float | None,
        options.of_power(
            min=0,
            metavar="S",
            help="Cut the power that many seconds of the clock after the start. SIGUSR1 cuts it, too, at"
            " once: clients are gone, nothing that waits is answered, and the server ends with status 0."
            " --file has what is left, for the next 'sledsim serve'.",
        ),
    ] = None
    power_cut_after: Annotated[
        int | None,
        options.of_power(
            min=1, metavar="REQUESTS", help="Cut it when so many reads and writes have been answered."
        ),
    ] = None
    power_cut_seed: Annotated[
        int,
        options.of_power(
            min=0, metavar="N", help="Decides which half of the sectors that were not flushed is kept."
        ),
    ] = 0
    power_cut_torn: Annotated[
        str | None,
        options.of_power(
            help="Contents of the row that was under the tips: unreadable (if not given: neither the old nor"
            " the new contents, EIO until it is written again), old or new (there was energy left to write"
            " it)."
        ),
    ] = None
    old_torn: Annotated[str | None, typer.Option("--torn", hidden=True)] = None

    @property
    def cut(self) -> "PowerCut":
        """The plan.

        Raises:
            ParameterError: It cannot be.
        """
        from ..emulator.power_cut import PowerCut

        torn = taken(self.power_cut_torn, self.old_torn, "--torn of 'sledsim serve'", "--power-cut-torn")
        row = "unreadable" if torn is None else torn
        return PowerCut(self.power_cut_at, self.power_cut_after, self.power_cut_seed, row)
