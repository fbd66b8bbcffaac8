"""What follows from Table 1 of 002 alone, and its arithmetic on figures that it prints."""

from .claims import Claim, claim
from .figures import Figure
from .findings import Statement

#: Of the Cheetah disk, as 002 prints them (section 3.2).
_DISK_ACCESS_MS, _DISK_DEMERIT_MS = 12.2, 0.16
#: The mean access of Table 2, for the arithmetic of 002-C10.
_PRINTED_ACCESS_MS = 1.96


def parameter_claims(found: dict[str, float | int]) -> list[Claim]:
    """What follows from Table 1 alone; `found` are the device's characteristics."""
    settle = Figure("settling time", "0.72", found["settle_s"] * 1e3, "ms")
    turnaround = Figure("turnaround", "0.35", found["turnaround_s"] * 1e3, "ms")
    gross = Figure("capacity before servo bursts", "2.56", found["capacity_gross_bytes"] / 1e9, "GB")
    return [
        claim("002-C1", "One time constant of the resonance settles the sled (Eq 3).", settle),
        claim("002-C2", "Reversing the sled from and to access velocity takes 2v/a (Eq 5).", turnaround),
        claim(
            "002-C3",
            f"Total capacity, read as decimal and before servo bursts are taken off: formatted it is"
            f" {found['capacity_bytes'] / 1e9:.3f} GB.",
            gross,
        ),
    ]


def disk_claims(access_s: float) -> list[Claim]:
    """The sled's mean access beside printed figures of a disk, which is not simulated."""
    factor = _DISK_ACCESS_MS / (access_s * 1e3)
    printed = _DISK_ACCESS_MS / _PRINTED_ACCESS_MS
    return [
        claim(
            "002-C10",
            "Access is five times as fast as on a disk; read as at least five. The disk's access time is the"
            f" printed one, and so are both of the second factor, which is arithmetic on {_DISK_ACCESS_MS:g}"
            f" and {_PRINTED_ACCESS_MS:g} ms.",
            Statement(
                f"mean access of the disk ({_DISK_ACCESS_MS:g} ms) over that of the sled",
                "a factor of 5",
                f"{factor:.2f} (by the printed access time {printed:.2f})",
                holds=min(factor, printed) >= 5 and max(factor, printed) < 10,
                in_shape=True,
            ),
            reason="The printed access times themselves give more than five; the disk is not simulated here.",
        ),
        claim(
            "002-C11",
            "The disk model's demerit figure in parts of the disk's mean access: arithmetic on printed"
            f" figures, {_DISK_DEMERIT_MS:g} over {_DISK_ACCESS_MS:g} ms; nothing is simulated.",
            Figure("demerit over mean access", "1.3", 100 * _DISK_DEMERIT_MS / _DISK_ACCESS_MS, "%"),
        ),
    ]
