"""Runs whose columns are frozen: ``python -m tests.frozen`` writes their hashes.

The frozen figures are sledsim's own and need not be right: a difference shows that a change has altered them.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sledsim

FILE = Path(__file__).with_suffix(".json")
#: Columns by topic; all other columns are of the requests.
GROUPS = {
    "times": ("arrival_ns", "start_ns", "completion_ns", "queue_length"),
    "energy": ("energy_j", "seek_j", "settle_j", "actuation_j", "tips_j", "electronics_j", "startup_j"),
}
_POLICIES = (
    *("fcfs", "sptf", "sptf_driver", "look_lbn", "clook_cyl", "vscan_lbn", "sstf_lbn", "sdf", "satf"),
    *("asptf:weight=5", "wptf", "zsptf", "pyramid", "sptf+deadline:after_ms=3", "fcfs+priority:first=reads"),
)
_DEVICES = (
    *("sigmetrics00", "sigmetrics00-cantilevers", "disksim-g2", "hong03", "mascots03-power", "emsoft08"),
    *("osdi00-erase", "cf-card", "atlas10k", "cheetah4lp", "hp-c2247a"),
)
_VOLUMES = {
    "raid5": {},
    "mirror": {"intent_s": "0.01"},
    "stripe": {"stripe_unit_kib": "8"},
    "metadata": {"metadata_mb": "20"},
    "write-buffer": {"buffer_mb": "1", "clean_after_ms": "2"},
    "metadata+write-buffer": {"metadata_mb": "20", "buffer_mb": "1"},
    "virtual-disk": {"cache_mb": "4"},
    "cache": {"cache_mb": "1", "writes": "back"},
    "merge": {},
}
_FAULTS: dict[str, dict[str, Any]] = {
    "codes": {"check_tips": 2, "spare_tips": 64, "manufacture": {"tip_failure_probability": 0.02}},
    "life": {"life": {"age_hours": 1.0, "media_defects_per_hour": 1e4, "tip_failures_per_tip_hour": 1e-2}},
}
_POWER = ("timeout:ms=1", "immediate", "oracle", "adaptive")
_REPLAYS = ("closed:outstanding=8,think_ms=0.2,think=exponential", "think")


def _requests(target: Any, rate: float, name: str = "random") -> sledsim.Trace:
    return sledsim.workload(name, target, rate=rate, count=1500, seed=7)


def _run(target: Any, rate: float, policy: str | None = None, name: str = "random") -> sledsim.Run:
    return sledsim.simulate(target, _requests(target, rate, name), policy)


def _replayed(replay: str) -> sledsim.Run:
    device = sledsim.device("osdi00")
    drawn, once = _requests(device, 900), _run(device, 900)
    columns = (drawn.arrival_ns, drawn.lbn, drawn.blocks, drawn.op)
    return sledsim.simulate(device, sledsim.Trace(*columns, response_ns=once.response_ns), replay=replay)


def runs() -> dict[str, Callable[[], sledsim.Run]]:
    """Return every frozen run by its name."""
    osdi00 = sledsim.device("osdi00")
    return {
        **{f"policy {name}": lambda name=name: _run(osdi00, 1200, name) for name in _POLICIES},
        **{f"device {name}": lambda name=name: _run(sledsim.device(name), 60) for name in _DEVICES},
        **{
            f"volume {name}": lambda name=name, options=options: _run(
                sledsim.volume(name, **options), 80, name="mixture"
            )
            for name, options in _VOLUMES.items()
        },
        **{
            f"faults {name}": lambda plan=plan: _run(sledsim.with_faults(osdi00, plan), 500)
            for name, plan in _FAULTS.items()
        },
        **{
            f"power {name}": lambda name=name: _run(sledsim.device("osdi00-power", power_policy=name), 50)
            for name in _POWER
        },
        **{f"replay {name}": lambda name=name: _replayed(name) for name in _REPLAYS},
    }


def hashes(run: sledsim.Run) -> dict[str, str]:
    """Return a hash of each group of columns: names, types and bytes."""
    found = {}
    named = [name for names in GROUPS.values() for name in names]
    # The hashes are older than the column "kind", which says that no request is a flush.
    assert (run.columns["kind"] < 2).all()
    others = tuple(name for name in run.columns if name not in (*named, "kind"))
    for group, names in {**GROUPS, "phases": others}.items():
        sum_ = hashlib.sha256()
        for name in names:
            column = run.columns[name]
            sum_.update(f"{name} {column.dtype.str}".encode() + column.tobytes())
        found[group] = sum_.hexdigest()[:16]
    return found


def main() -> None:
    """Write the hashes of the present runs."""
    found = {name: hashes(run()) for name, run in runs().items()}
    FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
