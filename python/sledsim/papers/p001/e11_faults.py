"""001-E-11, Section 6: failing tips, defects, remapping and start-up.

Codes over tips tested with real data, cost of remapping to requests, and times to start devices.
"""

from functools import partial
from typing import Any

import numpy as np

from sledsim import Device, Run, studies, with_faults
from sledsim.charts import alt, names, plot, readable, tips
from sledsim.extend import Target
from sledsim.studies import SERVICE_PHASES, corrected, phases_ns

from ..shared import Claim, Figure, Result, Statement, device, noted, random_workload, simulate, stated

#: Number of check tips of the code. Then codes and faults of the device, which paper 001 does not print.
_CHECK_TIPS = 4
_CODE: dict[str, Any] = {"check_tips": _CHECK_TIPS, "detection": "crc16", "block_check": "crc32c"}
_BROKEN = {
    "check_tips": _CHECK_TIPS,
    "manufacture": {"tip_failure_probability": 1e-3, "media_defects": 50.0},
    "defects": {"cylinders": 100, "rows": 27},
}
_SPARES = {**_BROKEN, "spare_tips": 16, "remapping": "spare-tip"}
#: Share of bad blocks, and number of reserve blocks, for remapping as on disks.
_BAD, _RESERVE = 0.001, 20_000
_RATE_PER_S = 500.0
_COUNT, _COUNT_QUICK = 50_000, 10_000
_PATTERNS, _PATTERNS_QUICK = 20_000, 2_000
_START_MS = 0.5
#: Maximum number of tips that a defect of the medium affects, as 001 expects.
_DEFECT_TIPS = 4


def run(quick: bool) -> Result:
    """Test codes on real data, run the same requests with and without faults, and time the start-up."""
    model = device("osdi00")
    patterns = _PATTERNS_QUICK if quick else _PATTERNS
    code = studies.run("error-correction", model, count=patterns, **_CODE)
    codes = studies.run("error-correction", model)
    spread = studies.run("tip-spread", model, check_tips=_CHECK_TIPS)
    start = studies.run("start-up", model)
    rows = _remapping(model, _COUNT_QUICK if quick else _COUNT)
    one, *_, many = start.table.to_pylist()
    return Result(
        devices=[model],
        claims=[
            stated(
                "001-C18",
                (
                    f"{one['start_s'] * 1e3:.3f} ms; {one['first_access_s'] * 1e3:.3f} ms to the furthest"
                    " cylinder",
                    one["start_s"] < _START_MS * 1e-3,
                ),
            ),
            _recovered(code.table.to_pylist()),
            _spares(rows),
        ],
        tables={
            "Errors corrected by a code of four check tips": code.table,
            "Codes over tips, and their checks": corrected(codes.table),
            "Defects over neighbouring tips": spread.table,
            "Cost of remapping": rows,
            "Starting devices": start.table,
        },
        charts={
            "Codes over tips": codes.plot,
            "Defects over neighbouring tips": spread.plot,
            "Cost of remapping": partial(_chart, rows),
            "Starting devices": start.plot,
        },
        notes=noted(
            "001-E-11",
            **_masked(code.table.to_pylist()),
            same=rows[1]["same_times"],
            requests=rows[1]["requests"],
            disks=many["devices"],
            minutes=many["disks_s"] / 60,
        ),
    )


def _recovered(rows: list[dict[str, Any]]) -> Claim:
    """Judge claim 001-C26: blocks with up to four missing tips are recovered by the code (section 6.1)."""
    missing = [row for row in rows if not row["overwritten"] and 0 < row["missing"] <= _DEFECT_TIPS]
    recovered, tried = (sum(row[key] for row in missing) for key in ("recovered", "patterns"))
    return stated(
        "001-C26",
        (f"{recovered:,} of {tried:,}, with {_CHECK_TIPS} check tips", recovered == tried > 0),
    )


def _spares(rows: list[dict[str, Any]]) -> Claim:
    """Judge claim 001-C27: spare tips leave service times unchanged; remapping as on disks lengthens them."""
    whole, tips, *others = rows
    return stated(
        "001-C27",
        Figure(
            "requests with unchanged times under spare tips",
            str(whole["requests"]),
            tips["same_times"],
            exact=True,
        ),
        *(
            Statement(
                f"remapped requests, {row['remapping']} as on disks",
                "different times",
                f"{row['remapped_later_s'] * 1e3:.3f} ms longer on average",
                holds=row["remapped_later_s"] > 0,
            )
            for row in others
        ),
    )


def _masked(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return values for the notes: recovered blocks with missing tips, from the rows of the code study."""
    missing = [row for row in rows if not row["overwritten"]]
    within = [row for row in missing if row["missing"] <= _CHECK_TIPS]
    recovered, tried = (sum(row[key] for row in within) for key in ("recovered", "patterns"))
    beyond = missing[-1]
    code = {"silent": sum(row["silent"] for row in rows), "code_tips": rows[0]["block_tips"]}
    return {"tried": tried, "check_tips": _CHECK_TIPS, "recovered": recovered, "beyond": beyond, **code}


def _remapping(model: Device, count: int) -> list[dict[str, Any]]:
    """Run the same requests without faults and with each way of remapping; return a table row for each."""
    blocks = int(model.characteristics()["blocks"])
    bad = np.flatnonzero(np.random.default_rng(1).random(blocks - _RESERVE) < _BAD)
    reserve = {"reserve_blocks": _RESERVE}
    listed = {"bad_blocks": [{"lbn": int(lbn), "blocks": 1} for lbn in bad], **reserve}
    trace = random_workload(with_faults(model, reserve), rate_per_s=_RATE_PER_S, count=count)
    devices: dict[str, Target] = {
        "no faults": model,
        "spare tips": with_faults(model, _SPARES),
        "slips": with_faults(model, {**listed, "remapping": "slip"}),
        "elsewhere": with_faults(model, {**listed, "remapping": "elsewhere"}),
    }
    runs = {name: simulate(each, trace, "sptf") for name, each in devices.items()}
    return [_row(name, found, runs["no faults"]) for name, found in runs.items()]


def _row(name: str, found: Run, whole: Run) -> dict[str, Any]:
    times = ("start_ns", "completion_ns", *SERVICE_PHASES)
    same = np.all([found.columns[name] == whole.columns[name] for name in times], axis=0)
    remapped = found.columns["remapped_blocks"] > 0
    summary = found.summary()
    later = (phases_ns(found, SERVICE_PHASES) - phases_ns(whole, SERVICE_PHASES))[remapped]
    return {
        "remapping": name,
        "requests": len(same),
        "remapped_requests": int(np.count_nonzero(remapped)),
        "same_times": int(np.count_nonzero(same)),
        "mean_service_s": float(summary["mean_service_s"]),
        "remapped_later_s": float(later.mean()) * 1e-9 if len(later) else 0.0,
        "mean_response_s": float(summary["mean_response_s"]),
        "lost_blocks": int(found.columns["lost_blocks"].sum()),
    }


def _chart(rows: list[dict[str, Any]]) -> Any:
    values = [{**row, "ms": row["remapped_later_s"] * 1e3} for row in rows if row["remapped_requests"]]
    bars = plot(
        values,
        x=alt.X("ms:Q", title="Longer service of remapped requests (ms)"),
        y=alt.Y("remapping:N", title=None, sort=names(values, "remapping")),
        tooltip=tips("remapping:N", "remapped_requests:Q", "ms:Q | | .4f"),
    )
    return readable(bars.mark_bar().properties(width=480, height=alt.Step(28)))
