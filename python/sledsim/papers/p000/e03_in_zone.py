"""000-E-3, Figure 4: policies inside the zones.

Response time and its variation under FCFS, ZFCFS, ZSPTF and ZTSPTF over the load.
"""

from ...common.files import PathLike
from ..shared.experiments import Experiment, Result
from ..shared.hp_disks import HP
from ..shared.policy_curves import CV2
from .comparisons import Said, alike, elsewhere, larger, on_all
from .inputs import BUSY, inputs, notes

_POLICIES = ("fcfs", "zfcfs", "zsptf", "ztsptf")
_USER, _SERVER, _ANY = ("user",), ("server",), ("light", *BUSY)
_SOONER = (Said("ztsptf", "zsptf", "1.31 to 2.22", BUSY, larger, _USER),)
_VARIATION = (
    Said("zsptf", "ztsptf", "up to 1.15", ("moderate",), larger, _USER, CV2),
    Said("zsptf", "ztsptf", "alike", ("light", "heavy"), alike, _USER, CV2),
    Said("zsptf", "ztsptf", "alike", _ANY, alike, _SERVER, CV2),
    Said("ztsptf", "zsptf", "alike", _ANY, alike, _SERVER),
)


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """First come, first served, and three policies inside zones of 120 x 1200 bits."""
    used = inputs(quick, traces)
    measured = [(one, one.curves(_POLICIES)) for one in used]
    return Result(
        devices=[one.device for one in used[:2]],
        claims=[
            elsewhere(
                "000-C6",
                on_all(_SOONER, measured),
            ),
            elsewhere(
                "000-C7",
                on_all(_VARIATION, measured),
            ),
        ],
        tables={f"Figure 4 on {one.name}": curves.table() for one, curves in measured},
        charts={f"Figure 4 on {one.name}": curves.plot for one, curves in measured},
        notes=notes(used),
    )


ROW = Experiment.of(run, 6, 7, needs=HP)
