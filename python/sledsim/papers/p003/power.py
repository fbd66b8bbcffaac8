"""Power saved by three strategies that paper 003 cites (003-C14), on a device with assumed powers."""

from typing import Any

from sledsim import Device, device as own_device, studies

from ..shared import SHAPE, Claim, device, stated

#: Device of paper 003 with an assumed power for each use, each with a range in its device file.
_DEVICE = "hong03-power"
#: Powers that are varied over their ranges; True if the highest value of the power gives the least saving.
#: The strategies save least if waiting draws little power, and if rest and work draw much.
POWERS = {
    "electronics_power_mw": False,
    "seek_power_mw": True,
    "actuation_power_mw": False,
    "tip_power_mw": True,
    "inactive_power_mw": True,
}
#: Number of requests that the device may hold; further requests wait and can be merged, and the device stays
#: busy.
_DEPTH = 8
_ALONE = ("aggressive spin-down", "merging", "sub-sector access")
#: Capture on which the powers are varied over their ranges.
_CAPTURE = "demo"


def study() -> studies.Study:
    """Run the power strategies on every capture; a sector is a whole row of the active tips."""
    return studies.run("power-strategies", device(_DEVICE), sector="row", depth=_DEPTH)


def over_ranges() -> list[dict[str, Any]]:
    """Return a table row per change of the assumed powers: energy that three strategies save together.

    Saved energy is a share. Each power, and then all powers together, is set to both ends of its range.
    """
    base = device(_DEVICE)
    rows = [{"changed": "nothing", "saved": _all_three(base)}]
    # Ranges come from the device file, because a power that a perturbation sets has no range.
    certainty = own_device(_DEVICE).certainty
    ranges = {key: [certainty[key][end] for end in ("low", "high")] for key in POWERS}
    for key, ends in ranges.items():
        rows += [
            {"changed": f"{key} = {end:g}", "saved": _all_three(base.with_parameters(**{key: end}))}
            for end in ends
        ]
    least = {key: ends[POWERS[key]] for key, ends in ranges.items()}
    most = {key: ends[not POWERS[key]] for key, ends in ranges.items()}
    for name, powers in (("all, so that least is saved", least), ("all, so that most is saved", most)):
        rows.append({"changed": name, "saved": _all_three(base.with_parameters(**powers))})
    return rows


def _all_three(model: Device) -> float:
    found = studies.run("power-strategies", model, traces=[_CAPTURE], sector="row", depth=_DEPTH)
    (saved,) = (row["saved"] for row in found.table.to_pylist() if row["strategy"] == "all three")
    return float(saved)


def decide(made: studies.Study, ranges: list[dict[str, Any]]) -> Claim:
    """Judge claim 003-C14 from the result of `study` and the rows of `over_ranges`."""
    rows = made.table.to_pylist()
    alone = [[row["saved"] for row in rows if row["strategy"] == name] for name in _ALONE]
    together = [row for row in rows if row["strategy"] == "all three"]
    saved = [row["saved"] for row in together]
    responses = [row["response_ratio"] for row in together]
    possible = [row["saved"] for row in ranges]
    captures = "own captures"
    return stated(
        "003-C14",
        *((captures, _range(found), min(found) > 0) for found in alone),
        f"the powers and workloads of the cited work; {_range(possible)} over the ranges of assumed ones",
        (captures, f"{min(responses):.2f} to {max(responses):.2f}", max(responses) <= 1 + SHAPE),
        device=_DEVICE,
        saved=_range(saved),
    )


def _range(shares: list[float]) -> str:
    return " to ".join(dict.fromkeys(f"{share:.1%}" for share in (min(shares), max(shares))))
