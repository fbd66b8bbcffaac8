"""Server that makes a simulated device a block device for real programs."""

import ipaddress
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.declared import settled
from ..common.endings import PARQUET
from ..common.output_files import PathLike, in_use
from ..common.part_files import made_for
from ..model.volumes import Target, Volume
from ..runs.batches import Note
from ..runs.result_writer import ResultWriter
from ..runs.run_settings import RunSettings
from .lateness import TOLERANCE_US, quantiles_us
from .members import ABOUT, members_of
from .power_cut import Loss, PowerCut
from .served import METADATA_KEY, this_machine
from .serving_options import ServingOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

SECTOR_BYTES = 512
#: Name of the server's Unix socket in a temporary folder.
_SOCKET = "sledsim.sock"
#: Longest lead in microseconds that ``auto`` chooses: half of the tolerance `TOLERANCE_US`.
MOST_LEAD_US = TOLERANCE_US / 2
_LEADS = {"auto": None, "off": 0.0}
_LONGEST_US = 1000.0
#: Interval in seconds between calls of the observer while a volume recovers.
_OBSERVED_EVERY_S = 0.1
#: Seed of the random offsets at which the latency probe reads.
_PROBE_SEED = 1
#: Callback that receives the state of the server, or None between states, and returns False to stop the
#: server.
_Observer = Callable[[Mapping[str, Any] | None], bool]
_Columns = Mapping[str, NDArray[Any]]


class DeviceServer:
    """NBD server of a simulated device; a context manager whose ``with`` block ends with the server closed.

    Args:
        device: A device returned by `device`, or a volume returned by `volume`.
        scheduler: Name of the policy, with options, as for `simulate`; a policy written in Python is not
            possible.
        how: Options of the server; see `ServingOptions`.

    Raises:
        ParameterError: An option has a wrong value; the message states the expected value.
        OSError: A file or an address cannot be used, for instance because another program uses it.
    """

    def __init__(
        self,
        device: Target,
        scheduler: str | None = None,
        **how: "Unpack[ServingOptions]",
    ) -> None:
        asked = settled(how, ServingOptions, DeviceServer.__init__)
        socket, tcp, image, members = (asked[name] for name in ("socket", "tcp", "image", "members"))
        history, power_cut = asked["history"], asked["power_cut"] or PowerCut()
        _check_system()
        _check_address(socket, tcp, asked["allow_remote"])
        self.device, self.size_bytes = device, _size_bytes(device, asked["size_bytes"])
        #: True if the history has all writes; None if there is no history or it is not closed yet.
        self.history_is_whole: bool | None = None
        #: Error that prevented a complete history, or None. After an error, the file keeps its temporary name
        #: that ends in ``.part``.
        self.history_error: OSError | None = None
        asked["cache"] = cache = asked["cache"] or _cache_of(device, members, power_cut)
        of_contents = {name: asked[name] for name in ("image", "history", "cache", "is_read_only")}
        self._members = members_of(device, members, power_cut=power_cut, **of_contents)
        # With contents on members, replies cannot be early: the data are complete only when due.
        lead_us = 0.0 if self._members is not None else _lead_us(asked["lead"])
        self._is_lead_open = lead_us is None
        self._is_unix = tcp is None
        self._history = None if history is None else _history_file(history)
        self._floor: list[dict[str, float]] = []
        kept = {name: asked[name] for name in ("spin_us", "time_scale", "cache")} | {
            "lead_us": lead_us or 0.0
        }
        #: Effect of the power failure; None if power has not failed.
        self.loss: Loss | None = None
        with made_for(None if image is None else Path(image)), ExitStack() as left:
            left.enter_context(nullcontext() if members is None else in_use(Path(members) / ABOUT))
            if socket is None and tcp is None:
                socket = Path(left.enter_context(tempfile.TemporaryDirectory(prefix="sledsim-"))) / _SOCKET
            settings = SimpleNamespace(
                name="",
                description=f"{device.name}, simulated",
                socket=None if socket is None else Path(socket),
                tcp=tcp,
                bytes=self.size_bytes,
                image=None if image is None else Path(image),
                is_read_only=asked["is_read_only"],
                durability=cache,
                time_scale=asked["time_scale"],
                spin_us=asked["spin_us"],
                lead_us=lead_us or 0.0,
                probe_seed=_PROBE_SEED if asked["probe"] else None,
                history=self._history,
                device=device.name,
                power=power_cut,
                members=None if self._members is None else self._members.native,
            )
            self._native = _native.DeviceServer(device._native, scheduler, settings)
            left.callback(self._native.close)
            self._how: dict[str, Any] = {**kept, "notes": _notes(self._native.notes())}
            self._left = left.pop_all()

    def __enter__(self) -> "DeviceServer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left.close()

    @property
    def uri(self) -> str:
        """Address of the server as an NBD URI, with which clients connect."""
        return self._native.uri()

    @property
    def took_over(self) -> bool:
        """True if the server replaced the socket of a server that no longer runs."""
        return self._native.took_over()

    def measure_floor(self, realtime: str = "auto") -> None:
        """Measure the latency of requests with zero service time; `serve` calls this at its start and end.

        Raises:
            ParameterError: Real-time priority is required, and the system refuses it.
        """
        with tempfile.TemporaryDirectory(prefix="sledsim-") as folder:
            path = Path(folder) / _SOCKET if self._is_unix else None
            trips_ns = _native.DeviceServer.floor(path, realtime, self._how["spin_us"])
        found = quantiles_us(np.sort(trips_ns.astype(np.int64)))
        self._floor.append({name: found[name] for name in ("p50", "p99")})
        if self._is_lead_open:
            self._is_lead_open = False
            self._how["lead_us"] = min(found["p50"], MOST_LEAD_US)
            self._native.lead(self._how["lead_us"])

    @property
    def can_lose_power(self) -> bool:
        """True if power can fail: the device is no volume, or the members of the volume keep its contents."""
        return self._members is not None or not isinstance(self.device, Volume)

    @property
    def restart(self) -> list[dict[str, Any]]:
        """Reads by which a volume recovers at the start (`Volume.restart`); empty without recovery."""
        return [] if self._members is None else [row for row in self._members.restart if row["reads"]]

    def _wait_for_restart(self, observe: _Observer) -> bool:
        """Wait until the volume has recovered; return False if `observe` stopped the server before."""
        waits_s = 0.0 if self._members is None else self._members.restarts_s(self._how["time_scale"])
        ready_s = time.monotonic() + waits_s
        while (left_s := ready_s - time.monotonic()) > 0:
            if not observe(None):
                return False
            time.sleep(min(left_s, _OBSERVED_EVERY_S))
        return True

    def cut_power(self) -> None:
        """Cut the power: clients get no more replies, and `serve` ends. Any thread may call this."""
        self._native.cut_power()

    def serve(
        self,
        record: PathLike,
        observe: _Observer = lambda status: True,
        realtime: str = "auto",
        *,
        once: bool = False,
    ) -> bool:
        """Serve clients until `observe` returns False; then reply to all outstanding requests.

        If `observe` returns False again before all replies are sent, or power fails, the server ends at once.
        Requests without a reply are in the record with their simulated completion.

        Args:
            record: File to which the server writes its record of requests during serving; `read_served` reads
                it.
            observe: Callback that returns False to stop the server. It is called every second with the state
                of the server, and more often with None.
            realtime: Real-time priority of the thread that sends replies: ``auto`` (if the system grants it),
                ``require`` (or raise an error) or ``off``.
            once: True to end when the last client disconnects.

        Returns:
            True if a client read or wrote anything; otherwise no file is written.

        Raises:
            ParameterError: Real-time priority is required, and the system refuses it.
            OSError: A file cannot be written.
        """
        if not self._floor:
            self.measure_floor(realtime)
        with ExitStack() as at_last, ResultWriter(record, (PARQUET,)) as writer:

            def add(columns: _Columns, rows: _Columns, names: Sequence[str]) -> None:
                writer.add({**columns, **rows}, names)

            goes_on = observe if self._wait_for_restart(observe) else _ending(observe)
            is_preferred, probed = self._native.serve(realtime, once, goes_on, add)
            loss = self._native.loss()
            self.loss = None if loss is None else Loss(**loss)
            try:
                self.history_is_whole = self._native.close_history()
            except OSError as error:
                # Write all that can be written before the observer is called.
                self.history_is_whole = False
                self.history_error = OSError(
                    error.errno, error.strerror or str(error), f"{self._history}.part"
                )
                at_last.callback(_raise, self.history_error)
            columns, rows, totals = self._native.finish()
            if not totals["requests"]:
                return False
            names = [device["name"] for device in totals["devices"]]
            add(columns, rows, names)
            self.measure_floor(realtime)
            floor = dict(zip(("start", "end"), self._floor, strict=True))
            probe = None if probed is None else {"connection": probed[0], "latency_ns": probed[1].tolist()}
            how = {**this_machine(), **self._how, "realtime": is_preferred, "floor_us": floor, "probe": probe}
            writer.finish(_about(totals), {METADATA_KEY: how})
        return True


def _ending(observe: _Observer) -> _Observer:
    """Return an observer that returns False in its first call, and calls `observe` in all later calls."""
    said = iter([False])
    return lambda status: next(said, None) is None and observe(status)


def _notes(found: list[Note] | None) -> list[dict[str, Any]] | None:
    """Return the notes (metadata) that a volume found on its members at the start, in a form for JSON."""
    if found is None:
        return None
    return [{"member": one[0], "sector": one[1], "words": one[2], "whole": one[3]} for one in found]


def _raise(error: OSError) -> NoReturn:
    raise error


def _check_system() -> None:
    """Check that the system is Linux, whose clocks and sockets the server needs.

    Raises:
        ParameterError: The system is not Linux.
    """
    if not hasattr(_native, "DeviceServer"):
        raise _native.ParameterError(
            "serve needs the clocks and sockets of Linux; on this system, use 'sledsim run'"
        )


def _history_file(path: PathLike) -> Path:
    """Check the path of a history, and return it with links resolved.

    Raises:
        ParameterError: The path is that of a device or a folder, not of a regular file; or another server is
            writing the history.
    """
    found = Path(os.path.realpath(path))
    if found.exists() and not found.is_file():
        raise _native.ParameterError(f"{path}: expected a file or a new name, found a folder or a device")
    part = found.with_name(f"{found.name}.part")
    if os.path.lexists(part):
        raise _native.ParameterError(
            f"history: {part} exists: another server writes it, or wrote it until it was killed."
            " 'sledsim crash' reads it; give another name, or move the file"
        )
    return found


def _cache_of(device: Target, members: PathLike | None, power_cut: PowerCut) -> str:
    """Return the kind of cache of a device; a volume that keeps its contents on members has its own cache."""
    is_on_members = members is not None or (isinstance(device, Volume) and power_cut.is_planned)
    return "none" if is_on_members or not _native.has_write_cache(device._native) else "volatile"


def _size_bytes(device: Target, wanted: int | None) -> int:
    """Return the size of the device in bytes for clients: `wanted`, or the whole capacity if it is None.

    Raises:
        ParameterError: The size exceeds the capacity of the device, or is not a multiple of 512 bytes.
    """
    capacity = _native.sectors(device._native) * SECTOR_BYTES
    size_bytes = capacity if wanted is None else wanted
    if not 0 < size_bytes <= capacity or size_bytes % SECTOR_BYTES:
        raise _native.ParameterError(
            f"size: expected a multiple of {SECTOR_BYTES} up to the {capacity} bytes of {device.name},"
            f" found {size_bytes}"
        )
    return size_bytes


def _lead_us(lead: float | str) -> float | None:
    """Return the time in microseconds by which replies are sent early; None if the server must measure it.

    Raises:
        ParameterError: The value is neither ``auto``, ``off`` nor a number of microseconds in the permitted
            range.
    """
    said = str(lead).strip().lower()
    if said in _LEADS:
        return _LEADS[said]
    try:
        lead_us = float(said)
    except ValueError:
        lead_us = -1.0
    if not 0 <= lead_us <= _LONGEST_US:
        raise _native.ParameterError(
            f"lead: expected auto, off or microseconds from 0 to {_LONGEST_US:g}, found {lead!r}"
        )
    return lead_us


def _check_address(socket: PathLike | None, tcp: str | None, allow_remote: bool) -> None:
    """Check that only one address is given, and that it is a loopback address unless `allow_remote` is True.

    Raises:
        ParameterError: Two addresses are given, or other machines can reach the address although
            `allow_remote` is False.
    """
    if tcp is None:
        if allow_remote:
            raise _native.ParameterError("remote clients: expected a tcp address, found none")
        return
    if socket is not None:
        raise _native.ParameterError(f"expected one address, found two: the socket {socket} and tcp {tcp}")
    try:
        host = ipaddress.ip_address(tcp.rpartition(":")[0].strip("[]"))
    except ValueError:
        # An invalid address raises an error when it is read.
        return
    if not (host.is_loopback or allow_remote):
        raise _native.ParameterError(
            "tcp: expected a loopback address, such as 127.0.0.1:10809, as any client may connect,"
            f" unless remote clients are allowed; found {tcp}"
        )


def _about(totals: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of the result file of a run."""
    settings = RunSettings.taken_from(totals, "served")
    return {**asdict(settings), "totals": {**totals, "remapped": 0, "waited": 0}}
