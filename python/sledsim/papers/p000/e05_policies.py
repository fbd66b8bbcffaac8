"""000-E-5, Figure 5: ZSPTF and the policies of disks.

Response time and its variation under FCFS, C-SCAN, SSTF, SPTF, ASPTF(5) and ZSPTF over the load.
"""

from collections.abc import Sequence
from dataclasses import replace

from ...common.files import PathLike
from ...runs.curves import Curves
from ..shared.claims import Claim, stated
from ..shared.experiments import Experiment, Result
from ..shared.findings import Statement
from ..shared.hp_disks import HP
from ..shared.policy_curves import CV2
from .comparisons import Said, alike, elsewhere, larger, on_all, slightly_larger
from .inputs import BUSY, Input, inputs, notes, synthetic

_POLICIES = ("fcfs", "cscan", "sstf_track", "sptf", "asptf", "zsptf")
_USER, _SERVER, _LIGHT, _MODERATE, _HEAVY = ("user",), ("server",), ("light",), ("moderate",), ("heavy",)
#: Rates at the edge of what ZSPTF sustains, and requests enough for its queue to reach its length.
_EDGE, _COUNT, _REPLICATIONS = (1900.0, 2000.0), 20_000, 4
#: Section 8: the variation of SPTF in percent above that of ZSPTF; section 10: how much lower the latter is.
_HIGHER, _LOWER = (16, 700), (50, 160)

_C11 = [
    Said(other, "zsptf", printed, bands, larger, like)
    for like, bands, printed in ((_SERVER, _HEAVY, "up to 2.8"), (_USER, BUSY, "2 to 27"))
    for other in ("cscan", "sstf_track")
]
_C12 = [
    Said("zsptf", other, printed, bands, holds)
    for bands, printed, holds in ((_LIGHT, "up to 1.07", slightly_larger), (_MODERATE, "1.1 to 1.4", larger))
    for other in ("sptf", "asptf")
]
_C13 = [
    Said("asptf", "zsptf", "1.2 to 2.6", _HEAVY, larger, _SERVER),
    Said("zsptf", "sptf", "almost one", _HEAVY, alike, _SERVER),
]
_C14 = [Said("zsptf", other, "1.3 to 1.76", _HEAVY, larger, _USER) for other in ("sptf", "asptf")]
_C15 = [
    Said("zsptf", "asptf", "alike", _LIGHT, alike, figure=CV2),
    Said("zsptf", "asptf", "1.08 to 1.44", BUSY, larger, figure=CV2),
]
_C16 = [
    Said("sptf", "zsptf", "1.16 to 1.45", BUSY, larger, _SERVER, CV2),
    Said("sptf", "zsptf", "1.83 to 8", BUSY, larger, _USER, CV2),
]
_C17 = [
    *(Said(other, "fcfs", "more than one", BUSY, larger, figure=CV2) for other in ("cscan", "zsptf")),
    Said("cscan", "zsptf", "alike", ("light", *BUSY), alike, figure=CV2),
]


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Six policies on every input, and three of them at the edge of saturation."""
    used = inputs(quick, traces)
    measured = [(one, one.curves(_POLICIES)) for one in used]
    edge = replace(synthetic("server", quick, _COUNT, _REPLICATIONS), loads={"heavy": _EDGE})
    at_edge = edge, edge.curves(("sptf", "asptf", "zsptf"))
    bursty = [(one, curves) for one, curves in measured if one.is_bursty]
    return Result(
        devices=[one.device for one in used[:2]],
        claims=[*_responses(measured, [at_edge, *bursty]), *_variations(measured), _conclusion()],
        tables={
            **{f"Figure 5 on {one.name}": curves.table() for one, curves in measured},
            f"At the edge of saturation, on {edge.name}": at_edge[1].table(),
        },
        charts={f"Figure 5 on {one.name}": curves.plot for one, curves in measured},
        notes=[
            *notes(used),
            "The paper's means under loads that are above what a policy sustains depend on the length of its"
            " hour; here such a policy is saturated and has none. It counts as slower than one that is not. A"
            " policy whose queue has not come to rest has no mean either, and is not told apart.",
        ],
    )


def _responses(
    measured: Sequence[tuple[Input, Curves]], heavy: Sequence[tuple[Input, Curves]]
) -> list[Claim]:
    return [
        elsewhere(
            "000-C11",
            on_all(_C11, measured),
        ),
        elsewhere(
            "000-C12",
            on_all(_C12, measured),
        ),
        elsewhere(
            "000-C13",
            on_all(_C13, heavy),
        ),
        elsewhere(
            "000-C14",
            on_all(_C14, measured),
        ),
    ]


def _variations(measured: Sequence[tuple[Input, Curves]]) -> list[Claim]:
    return [
        elsewhere(
            "000-C15",
            on_all(_C15, measured),
        ),
        elsewhere(
            "000-C16",
            on_all(_C16, measured),
        ),
        elsewhere(
            "000-C17",
            on_all(_C17, measured),
        ),
    ]


def _conclusion() -> Claim:
    """Two sentences of the paper beside each other: no input decides."""
    least, most = (100 * higher / (100 + higher) for higher in _HIGHER)
    low, high = _LOWER
    return stated(
        "000-C21",
        Statement(
            "how much lower the variation under ZSPTF is, from section 8's SPTF 16 to 700 % higher",
            f"{low} to {high} %",
            f"{least:.0f} to {most:.0f} %",
            holds=low >= least and high <= most,
        ),
        reason="Nothing can be more than 100 % lower. Section 8 has SPTF 16 to 45 % (server) and 83 to 700 %"
        " (user) above ZSPTF (000-C16); 50 to 160 % is not found there in any reading. The contradiction is"
        " one of the text with itself: no input decides it.",
    )


ROW = Experiment.of(run, 11, 12, 13, 14, 15, 16, 17, 21, needs=HP)
