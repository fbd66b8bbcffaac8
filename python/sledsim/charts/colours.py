"""The colours of all charts; a scheduler has one colour in every chart."""

import re
from collections import Counter
from collections.abc import Sequence
from zlib import crc32

#: Colours that most colour-blind readers can distinguish (Okabe and Ito).
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#999933"]
#: Schedulers that share each of `COLOURS`; the second and third scheduler of a colour have dashes.
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
    """Return the colour and the pattern of dashes of each scheduler of a chart.

    A built-in scheduler has the same style in every chart. Schedulers of the user, and built-in ones with
    options, take a colour that the chart uses least.

    Args:
        names: Schedulers as a chart names them: ``sptf``, ``SPTF``, ``asptf:weight=2`` or ``sptf = satf``.

    Returns:
        The colour, and the number of its pattern of dashes from 0, by name.
    """
    plain = {name: name.split(" = ")[0].lower().replace("-", "") for name in names}
    kinds = {name: re.split("[:(,]", own)[0] for name, own in plain.items()}
    found = {name: _KNOWN[own] for name, own in plain.items() if own in _KNOWN}
    # Variants of built-in schedulers that the chart does not have choose first: the colour is free.
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
