"""The comparing claims of 004: formats of a mobile device, and a flash card, under own captures."""

from collections.abc import Iterable
from functools import cache, partial

from ...traces.files import bundled_trace
from ...traces.trace import Trace
from .settings import LeftOut, Load, Made, Setting, said

_PROBES, _SECTORS = (64, 128, 256, 512), (1, 2, 4, 8, 16)


@cache
def capture(name: str, count: int, seed: int) -> Trace:
    """An own capture, whatever the number and the seed."""
    del count, seed
    return bundled_trace(name).transfers()


def _formats(formats: Iterable[str]) -> dict[str, Made]:
    return {f"f{one}": Made("emsoft08", {"format": one}) for one in formats}


_CAPTURE = {
    "ext3": Load(
        partial(capture, "ext3-4k"),
        replay="closed:outstanding=1",
        says="the own capture ext3-4k, one request after the other",
        is_drawn=False,
    )
}
_SIDE_BY_SIDE = [f"f256x{sectors}x512" for sectors in _SECTORS]

SETTINGS = (
    Setting(
        "004-probes",
        _formats(f"{probes}x1x512" for probes in _PROBES),
        _CAPTURE,
        (
            said(
                "004-C6",
                "twice as many probes halve the response (at most 60 % of it is left), up to 256",
                *(f"mean(f{2 * probes}x1x512) < 60% * mean(f{probes}x1x512)" for probes in (64, 128)),
            ),
            said(
                "004-C8",
                "energy is least with 256 probes",
                *(f"energy(f256x1x512) < energy(f{probes}x1x512)" for probes in (64, 128, 512)),
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "004-sectors",
        _formats(f"256x{sectors}x512" for sectors in _SECTORS),
        _CAPTURE,
        (
            said(
                "004-C7a",
                "with 256 probes eight sectors side by side respond soonest",
                *(f"mean(f256x8x512) < mean({other})" for other in _SIDE_BY_SIDE if other != "f256x8x512"),
            ),
            said(
                "004-C7b",
                "and take the least energy",
                *(
                    f"energy(f256x8x512) < energy({other})"
                    for other in _SIDE_BY_SIDE
                    if other != "f256x8x512"
                ),
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "004-sizes",
        _formats(f"256x1x{size}" for size in (512, 1024, 2048, 4096, 8192)),
        _CAPTURE,
        (
            said(
                "004-C18",
                "sectors as large as the file system's block, 4 KiB, respond soonest at least energy",
                *(
                    f"{figure}(f256x1x4096) < {figure}(f256x1x{size})"
                    for figure in ("mean", "energy")
                    for size in (512, 1024, 2048, 8192)
                ),
            ),
        ),
        scheduler="fcfs",
    ),
    Setting(
        "004-card",
        {
            **_formats(("2048x1x4096", *(f"4096x{sectors}x4096" for sectors in _SECTORS))),
            "card": Made("cf-card"),
        },
        _CAPTURE,
        (
            said(
                "004-C12a",
                "the quickest design responds at most 25 % later than the flash card",
                "mean(f4096x1x4096) < 1.25 * mean(card)",
            ),
            said(
                "004-C12b",
                "it takes more energy than the card, by at most 19 %",
                "energy(f4096x1x4096) > energy(card)",
                "energy(f4096x1x4096) < 1.19 * energy(card)",
            ),
            said(
                "004-C17a", "4096 probes respond sooner than 2048", "mean(f4096x1x4096) < mean(f2048x1x4096)"
            ),
            said(
                "004-C17b",
                "of 4096 probes those with one sector of 4 KiB respond soonest",
                *(f"mean(f4096x1x4096) < mean(f4096x{sectors}x4096)" for sectors in _SECTORS if sectors > 1),
            ),
        ),
        scheduler="fcfs",
    ),
)
LEFT_OUT = (
    LeftOut("004-C4", "the format of most capacity", "capacity is arithmetic: no uncertain number is in it"),
    LeftOut("004-C9", "what is lost with 512 probes", "capacity is arithmetic: no uncertain number is in it"),
    LeftOut(
        "004-C10", "what eight sectors earn back", "capacity is arithmetic: no uncertain number is in it"
    ),
)
