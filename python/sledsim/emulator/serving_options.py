"""Options of a served device, for `DeviceServer` and for ``sledsim serve``."""

from typing import Annotated, TypedDict

from ..common.declared import Declared, document_options
from ..common.output_files import PathLike
from .power_cut import PowerCut


class ServingOptions(TypedDict, total=False):
    """Options of a served device: address, contents, clock and power failure.

    Attributes:
        tcp: Port 0 selects any free port.
        members: Members keep their contents when power fails, and the volume recovers from them.
        history: The file has the name ``NAME.part`` until the server closes it.
        lead: The lead that ``auto`` measures is limited to `MOST_LEAD_US` microseconds.
        probe: Requests of the probe are served like those of other clients, and so influence them.
    """

    socket: Annotated[
        PathLike | None,
        Declared("Path of the Unix socket (default: a new folder; no socket if a TCP address is given)"),
    ]
    tcp: Annotated[
        str | None, Declared("TCP address and port in place of the socket, such as 127.0.0.1:10809")
    ]
    allow_remote: Annotated[
        bool, Declared("Listen at an address that other machines reach; any client may connect", False)
    ]
    size_bytes: Annotated[int | None, Declared("Size that clients see (default: the whole device)")]
    image: Annotated[
        PathLike | None,
        Declared("File that keeps the contents, created if missing (default: memory)"),
    ]
    members: Annotated[
        PathLike | None,
        Declared("Folder in which each member of a volume keeps its contents in a file"),
    ]
    cache: Annotated[
        str | None,
        Declared(
            "Data that a power failure can destroy: none; volatile: all data that were not flushed;"
            " lying: also flushed data, as flushes are ignored (default: volatile for a device with a write"
            " cache, otherwise none)"
        ),
    ]
    history: Annotated[PathLike | None, Declared("File that records all writes, for 'sledsim crash'")]
    time_scale: Annotated[
        str,
        Declared(
            "Seconds of the clock per simulated second: 10 is ten times as slow, 1/50 is 50 times as fast",
            "1",
        ),
    ]
    is_read_only: Annotated[bool, Declared("Refuse commands that change the contents", False)]
    spin_us: Annotated[float, Declared("Microseconds of busy waiting before each reply is due", 80.0)]
    lead: Annotated[
        float | str,
        Declared(
            "Microseconds by which replies are sent early: a number, off, or auto:"
            " the measured latency of a request with zero service time",
            "off",
        ),
    ]
    probe: Annotated[
        bool,
        Declared(
            "Run a client in the server that reads 4 KiB at intervals and measures its response times", False
        ),
    ]
    power_cut: Annotated[
        PowerCut | None,
        Declared("Time and kind of a power failure; by default power fails only by `cut_power`"),
    ]


document_options(ServingOptions)
