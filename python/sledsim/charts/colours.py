"""The colours of all charts; a scheduler has the same colour in every chart."""

import re
from collections import Counter
from collections.abc import Sequence
from zlib import crc32

#: Colours by Okabe and Ito, which most colour-blind readers can distinguish.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#999933"]
#: Names of schedulers by colour: row i lists the schedulers that are drawn in colour i of `COLOURS`. The line
#: of the first name in a row is solid; those of the second and third are dashed.
_SCHEDULERS = (
    ("fcfs", "vscan_lbn"),
    ("clook_lbn", "cscan", "clook_cyl"),
    ("sptf", "sptf_driver", "look_lbn"),
    ("zsptf", "look_cyl"),
    ("sstf_lbn", "sstf_track", "sstf_cyl"),
    ("asptf", "asatf", "vscan_cyl"),
    ("satf", "zfcfs", "sdf"),
    ("ztsptf", "pyramid", "wptf"),
)
_KNOWN = {name: (at, dashes) for at, own in enumerate(_SCHEDULERS) for dashes, name in enumerate(own)}


def scheduler_styles(names: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Return the colour and the dash pattern of each scheduler in a chart.

    A built-in scheduler has the same style in every chart. A custom scheduler, or a built-in scheduler with
    options, gets the colour that the chart uses least.

    Args:
        names: Names of schedulers in the chart, such as ``sptf``, ``SPTF`` or ``asptf:weight=2``; or a joint
            name such as ``sptf = satf`` for schedulers whose lines coincide.

    Returns:
        The colour and the number of the dash pattern of each name; number 0 is a solid line.
    """
    plain = {name: name.split(" = ")[0].lower().replace("-", "") for name in names}
    kinds = {name: re.split("[:(,]", own)[0] for name, own in plain.items()}
    found = {name: _KNOWN[own] for name, own in plain.items() if own in _KNOWN}
    # A scheduler with options chooses before custom schedulers: if the plain scheduler is not in the chart,
    # its colour is free.
    turns = sorted(plain, key=lambda name: (kinds[name] not in _KNOWN, kinds[name] in plain.values()))
    for name in turns:
        if name not in found:
            used, kind = Counter(at for at, _ in found.values()), kinds[name]
            first = _KNOWN[kind][0] if kind in _KNOWN else crc32(plain[name].encode()) % len(COLOURS)
            turn = [(first + at) % len(COLOURS) for at in range(len(COLOURS))]
            at = min(turn, key=lambda at: used[at])
            dashes = {dashes for other, dashes in found.values() if other == at}
            found[name] = at, next(one for one in range(len(names)) if one not in dashes)
    return {name: (COLOURS[found[name][0]], found[name][1]) for name in names}
