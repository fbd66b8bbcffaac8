"""The options of ``sledsim serve`` that belong together."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import _native
from . import options
from .renamed import taken

if TYPE_CHECKING:
    from ..emulator.power import PowerCut

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@dataclass(frozen=True)
class Contents:
    """Where the device is found, and what keeps its contents."""

    socket: Annotated[
        Path | None, options.of_address(help="The socket to be made; in a folder of its own if not given.")
    ] = None
    tcp: Annotated[
        str | None,
        options.of_address(metavar="ADDRESS:PORT", help="Listen there instead, such as at 127.0.0.1:10809."),
    ] = None
    allow_remote: Annotated[
        bool,
        options.of_address(
            "--allow-remote", help="With --tcp: listen beyond this machine, too; whoever comes is let in."
        ),
    ] = False
    size: Annotated[
        str | None,
        options.of_address(help="How much of the device clients see, such as 512M or 1G; all if not given."),
    ] = None
    image: Annotated[
        Path | None,
        options.of_address(
            "--file", help="Keep the contents in this file, which is made if it is not there; else in memory."
        ),
    ] = None
    members: Annotated[
        Path | None,
        options.of_address(
            "--members",
            metavar="FOLDER",
            help="Of a volume: keep the contents in this folder, a file for each of its members, which are"
            " made if they are not there. Then it loses power with what they hold, and comes back on them.",
        ),
    ] = None
    read_only: Annotated[bool, options.of_address("--read-only", help="Refuse what would change them.")] = (
        False
    )
    cache: Annotated[
        str,
        options.of_address(
            help="What a loss of power can take: none (what was answered stays), volatile (what was not"
            " flushed does not) or lying (flushes are answered and ignored)."
        ),
    ] = "none"
    history: Annotated[
        Path | None,
        options.of_address(help="Keep all that is written in this file, for 'sledsim crash'."),
    ] = None
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

    time_scale: Annotated[
        str,
        options.of_timing(
            help="Seconds that a simulated second takes: 10 is ten times as slow, 1/50 is 50 times as fast."
        ),
    ] = "1"
    realtime: Annotated[
        str,
        options.of_timing(
            help="Real-time priority: auto (if the system lets it), require (or there is no serving) or off."
        ),
    ] = "auto"
    spin_us: Annotated[
        float, options.of_timing(min=0, max=1000, help="Microseconds before an answer that are not slept.")
    ] = 80.0
    lead: Annotated[
        str,
        options.of_timing(
            metavar="auto|off|US",
            help="Microseconds by which certain answers are sent early, for the way to the client; auto is"
            " what the way of a request takes that costs nothing.",
        ),
    ] = "off"
    probe: Annotated[
        bool,
        options.of_timing(
            "--probe",
            help="Let a client of the server's own read 4 KiB now and then, and measure what it sees. The"
            " device takes time for its requests, as for any others.",
        ),
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
        from ..emulator.power import PowerCut

        torn = taken(self.power_cut_torn, self.old_torn, "--torn of 'sledsim serve'", "--power-cut-torn")
        row = "unreadable" if torn is None else torn
        return PowerCut(self.power_cut_at, self.power_cut_after, self.power_cut_seed, row)
