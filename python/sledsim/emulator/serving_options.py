"""Options of a served device, each declared once: Python and ``sledsim serve`` take them from here."""

from typing import Annotated, TypedDict

from ..common.declared import Declared, document_options
from ..common.output_files import PathLike
from .power_cut import PowerCut


class ServingOptions(TypedDict, total=False):
    """The address of a served device, its contents, its clock, and how it loses power.

    Attributes:
        tcp: Port 0 is any free one.
        members: Then the volume loses power with what they hold, and comes back on them.
        history: Until it is closed, it is ``NAME.part``.
        lead: That is no more than `MOST_LEAD_US`.
        probe: The device takes time for its requests, as for any others.
    """

    socket: Annotated[
        PathLike | None,
        Declared("Path of the socket; one in a folder of its own without this and without TCP"),
    ]
    tcp: Annotated[str | None, Declared("Address and port to listen at instead, such as 127.0.0.1:10809")]
    allow_remote: Annotated[
        bool, Declared("Listen at an address that other machines reach: whoever comes is let in", False)
    ]
    size_bytes: Annotated[int | None, Declared("Size that clients see; the whole device if not given")]
    image: Annotated[
        PathLike | None,
        Declared("File of the contents, which is made if it is not there; memory if not given"),
    ]
    members: Annotated[
        PathLike | None,
        Declared("Folder in which each member of a volume keeps its contents, in place of one file"),
    ]
    cache: Annotated[
        str,
        Declared(
            "Data that a loss of power can take: none (replies are durable), volatile (all that was not"
            " flushed) or lying (flushes are ignored, too)",
            "none",
        ),
    ]
    history: Annotated[PathLike | None, Declared("File for all that is written, for 'sledsim crash'")]
    time_scale: Annotated[
        str,
        Declared(
            "Seconds of the clock in a simulated second: 10 is ten times as slow, 1/50 is 50 times as fast",
            "1",
        ),
    ]
    is_read_only: Annotated[bool, Declared("Refuse what would change the contents", False)]
    spin_us: Annotated[float, Declared("Busy-wait for the last N microseconds before a reply", 80.0)]
    lead: Annotated[
        float | str,
        Declared(
            "Microseconds by which certain replies are sent early: a number, off, or auto,"
            " the time of a request that costs nothing",
            "off",
        ),
    ]
    probe: Annotated[
        bool,
        Declared("Let a client of the server read 4 KiB now and then, and measure its response times", False),
    ]
    power_cut: Annotated[
        PowerCut | None, Declared("The time and kind of a loss of power; by `cut_power` alone if not given")
    ]


document_options(ServingOptions)
