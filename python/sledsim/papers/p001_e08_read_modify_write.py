"""001-E-8: Table 2, read-modify-write of a small and of a track-sized request."""

from .. import device_studies
from ..models import device
from .claims import claim
from .experiments import Result
from .figures import Figure

#: Table 2 in milliseconds, the sled's columns.
_PRINTED = {
    8: {"first_s": "0.13", "reposition_s": "0.07", "second_s": "0.13", "total_s": "0.33"},
    334: {"first_s": "2.19", "reposition_s": "0.07", "second_s": "2.19", "total_s": "4.45"},
}
_PHASES = {"first_s": "read", "reposition_s": "reposition", "second_s": "write", "total_s": "total"}


def run(quick: bool) -> Result:
    """Read, turn round, write; there is nothing to shorten for `quick`."""
    model = device("osdi00")
    study = device_studies.run("read-modify-write", model)
    found = {row["blocks"]: row for row in study.table.to_pylist() if row["operation"] == "read-modify-write"}
    figures = [
        Figure(f"{_PHASES[phase]}, {blocks} blocks", printed, found[blocks][phase] * 1e3, "ms")
        for blocks, phases in _PRINTED.items()
        for phase, printed in phases.items()
    ]
    means = " and ".join(
        f"{row['mean_reposition_s'] * 1e3:.3f} ms on average for {blocks} blocks"
        for blocks, row in found.items()
    )
    return Result(
        devices=[model],
        claims=[
            claim(
                "001-C15",
                "What was read is written back after a turnaround, in the other direction; read as a"
                " turnaround in the centre.",
                *figures,
            )
        ],
        tables={"Read-modify-write and verify after write": study.table},
        charts={"Table 2: read-modify-write": study.plot},
        notes=[
            "The verdict takes the turnaround in the centre, and blocks in as few rows as they need."
            f" Simulated at random places, where springs help or hinder and blocks straddle rows,"
            f" repositioning takes {means}.",
            "The disk's columns of Table 2 are not computed: there is no disk here.",
        ],
    )
