"""000-E-4, Sections 7.2 and 7.3: sizes of zones.

ZSPTF and ZTSPTF with zones of 60 x 600, 120 x 1200 and 240 x 2400 bits over the load.
"""

from sledsim.files import PathLike

from ..shared import HP, Result
from .comparisons import claims
from .inputs import inputs, notes

_SMALL, _MIDDLE, _LARGE = "zsptf:zone=60x600", "zsptf", "zsptf:zone=240x2400"
_POLICIES = (_SMALL, _MIDDLE, _LARGE)
#: Policies on which the paper makes no claim; a quick run leaves them out on inputs that arrive in bursts.
_SHOWN = ("ztsptf:zone=60x600", "ztsptf", "ztsptf:zone=240x2400")


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Run ZSPTF and ZTSPTF with zones of three sizes on every input."""
    used = inputs(quick, traces)
    policies = [_POLICIES if quick and one.is_bursty else _POLICIES + _SHOWN for one in used]
    measured = [(one, one.curves(names)) for one, names in zip(used, policies, strict=True)]
    return Result(
        devices=[one.device for one in used[:2]],
        claims=claims("000-E-4", measured),
        tables={f"Zone sizes on {one.name}": curves.table() for one, curves in measured},
        charts={
            f"Zone sizes on {one.name}; 120 x 1200 bits by default": curves.plot for one, curves in measured
        },
        notes=notes(used),
    )


#: Names of the real traces that the experiment can use.
NEEDS = HP
