"""Compare disks with their measured traces, with cache rules chosen on all other drives.

The script needs the measured traces beside the checkout (shared/traces/disksim-valid); without them it ends.
"""

from itertools import product
from pathlib import Path

import numpy as np

import sledsim

MEASURED = Path(__file__).parents[2] / "shared" / "traces" / "disksim-valid"
#: Drives with their traces.
DRIVES = {
    **{
        "atlas10k": "atlas10k",
        "atlas-iii": "atlas_III",
        "barracuda": "barracuda",
        "cheetah4lp": "cheetah4LP",
    },
    **{"dec-rz26": "dec_rz26", "hp-c2247a": "hp_c2247a", "hp-c2490a": "hp_c2490a", "st41601n": "st41601n"},
}
#: Rules to choose: writes with the overhead of a hit, and continuation of read-ahead by tracks.
WRITE_HITS = ["every", "sequential"]
BY_TRACKS = ["to-track-end", "adaptive"]
AS_BUILT = (WRITE_HITS[0], BY_TRACKS[0])


def demerit_ms(name: str, rules: tuple[str, str]) -> float:
    """Return the demerit figure of a drive under these rules; rules for other drives have no effect."""
    built_in = sledsim.device(name)
    parameters = built_in.parameters
    changes: dict[str, str] = {}
    if parameters["write_back"]:
        changes["write_hits"] = rules[0]
    if parameters["read_ahead"] in BY_TRACKS:
        changes["read_ahead"] = rules[1]
    trace = sledsim.read_trace(MEASURED / f"{DRIVES[name]}.trace.zst")
    return 1e3 * sledsim.validate(sledsim.device(name, **changes), trace).demerit_s


def main() -> None:
    """Print the table."""
    if not MEASURED.is_dir():
        print("leave_one_out: the measured traces are not beside this checkout: nothing to do")
        return
    choices = list(product(WRITE_HITS, BY_TRACKS))
    found = {name: {rules: demerit_ms(name, rules) for rules in choices} for name in DRIVES}
    print(
        "demerit in ms: as built in; with the rules that suit the other seven best (least product); with each"
    )
    print(f"{'drive':12}{'built in':>9}{'left out':>9}  {'rules chosen without it':28}", end="")
    print("".join(f"{' / '.join(rules):>28}" for rules in choices))
    for name, by_rules in found.items():
        others = [found[other] for other in DRIVES if other != name]
        chosen = min(choices, key=lambda rules: np.prod([other[rules] for other in others]))
        print(f"{name:12}{by_rules[AS_BUILT]:9.3f}{by_rules[chosen]:9.3f}  {' / '.join(chosen):28}", end="")
        print("".join(f"{by_rules[rules]:28.3f}" for rules in choices))


main()
