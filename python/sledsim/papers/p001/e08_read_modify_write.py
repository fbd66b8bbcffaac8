"""001-E-8, Table 2: read-modify-write.

Times to read 8 or 334 blocks, to return to their start and to write them, on the device and on a disk.
"""

from collections.abc import Mapping
from typing import Any

from sledsim import studies
from sledsim.studies import DISK

from ..shared import Figure, Finding, Result, Statement, device, noted, stated

#: Table 2 for the sled: printed times in ms, by number of blocks and phase of the read-modify-write.
_PRINTED = {
    8: {"first_s": "0.13", "reposition_s": "0.07", "second_s": "0.13", "total_s": "0.33"},
    334: {"first_s": "2.19", "reposition_s": "0.07", "second_s": "2.19", "total_s": "4.45"},
}
#: Table 2 for the disk: printed times in ms, by number of blocks and phase of the read-modify-write.
_PRINTED_DISK = {
    8: {"first_s": "0.14", "reposition_s": "5.86", "second_s": "0.14", "total_s": "6.14"},
    334: {"first_s": "6.00", "reposition_s": "0.00", "second_s": "6.00", "total_s": "12.00"},
}
_PHASES = {"first_s": "read", "reposition_s": "reposition", "second_s": "write", "total_s": "total"}


def run(quick: bool) -> Result:
    """Compute the times to read blocks, to reposition and to write them; `quick` has no effect."""
    model = device("osdi00")
    study = studies.run("read-modify-write", model, blocks=list(_PRINTED))
    sequence = studies.run("read-modify-write-sequence", model)
    rows = [row for row in study.table.to_pylist() if row["operation"] == "read-modify-write"]
    found, on_disk = (
        {row["blocks"]: row for row in rows if row["device"] == name} for name in (model.name, DISK)
    )
    means = " and ".join(
        f"{row['mean_reposition_s'] * 1e3:.3f} ms on average for {blocks} blocks"
        for blocks, row in found.items()
    )
    return Result(
        devices=[model, device(DISK)],
        claims=[
            stated("001-C15", *_figures(_PRINTED, found)),
            stated("001-C16", *_figures(_PRINTED_DISK, on_disk)),
        ],
        tables={
            "Read-modify-write and verify after write": study.table,
            "Read-modify-write in sequence": sequence.table,
        },
        charts={"Table 2: read-modify-write": study.plot, "In sequence": sequence.plot},
        notes=noted("001-E-8", means=means, in_sequence=_in_sequence(sequence.table.to_pylist())),
    )


def _in_sequence(rows: list[dict[str, Any]]) -> str:
    """Return a note on the time of blocks that are each read, modified and written before the next one."""
    pairs = [row for row in rows if row["order"].startswith("each pair") and row["blocks"] == 8]
    times = ", ".join(
        f"{row['operation_s'] * 1e3:.2f} ms on {row['device']} {row['drive']} ({row['factor']:.2f} times)"
        for row in pairs
        if row["operation"] == "read-modify-write"
    )
    return f"Read, modified and written one after the other, 8 blocks take {times} the time of reading."


def _figures(table: Mapping[int, Mapping[str, str]], found: Mapping[int, Mapping[str, Any]]) -> list[Finding]:
    """Compare times (`found`) with those in Table 2 (`table`), both by number of blocks and phase.

    A printed time of 0 has no ratio, so it is compared as a statement.
    """
    findings: list[Finding] = []
    for blocks, phases in table.items():
        for phase, printed in phases.items():
            quantity, ours_ms = f"{_PHASES[phase]}, {blocks} blocks", found[blocks][phase] * 1e3
            nothing = Statement(quantity, f"{printed} ms", f"{ours_ms:.4f} ms", f"{ours_ms:.2f}" == printed)
            findings.append(Figure(quantity, printed, ours_ms, "ms") if float(printed) else nothing)
    return findings
