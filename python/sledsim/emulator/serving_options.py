"""Options of a served device, each declared once, for Python and for ``sledsim serve``."""

from typing import Annotated, TypedDict

from ..common.declared import Declared, document_options
from ..common.output_files import PathLike
from .power_cut import PowerCut


class ServingOptions(TypedDict, total=False):
    """Address, contents, clock and loss of power of a served device.

    Attributes:
        tcp: Port 0 takes any free port.
        members: The members keep their contents over a loss of power, and the volume recovers from these
            contents.
        history: The file is named ``NAME.part`` until it is closed.
        lead: The automatic value is at most `MOST_LEAD_US`.
        probe: Requests of the probe take device time like all requests.
    """

    socket: Annotated[
        PathLike | None,
        Declared("Path of the Unix socket (default: in a new folder; with TCP, no socket)"),
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
        Declared("Folder in which each member of a volume keeps its contents, in place of one file"),
    ]
    cache: Annotated[
        str,
        Declared(
            "Data that a loss of power can destroy: none (replies are durable), volatile (all data not"
            " flushed) or lying (flushes are ignored, too)",
            "none",
        ),
    ]
    history: Annotated[PathLike | None, Declared("File that records all writes, for 'sledsim crash'")]
    time_scale: Annotated[
        str,
        Declared(
            "Wall-clock seconds per simulated second: 10 is ten times as slow, 1/50 is 50 times as fast",
            "1",
        ),
    ]
    is_read_only: Annotated[bool, Declared("Refuse commands that change the contents", False)]
    spin_us: Annotated[float, Declared("Number of microseconds of busy waiting before each reply", 80.0)]
    lead: Annotated[
        float | str,
        Declared(
            "Microseconds by which replies are sent early: a number, off, or auto,"
            " the measured latency of a request of zero service time",
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
        Declared("Time and kind of a loss of power; by default only `cut_power` cuts the power"),
    ]


document_options(ServingOptions)
