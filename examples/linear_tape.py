"""Model a linear tape as a custom device: ``python examples/linear_tape.py``.

The tape winds from end to end under a head that reads a band of tracks at once: a *wrap*. Data go forward
along the first wrap, back along the second, and so on (serpentine). A *locate* moves from the current place
to the start of a request: the tape winds at locate speed while the head steps to another wrap. Blocks with
distant numbers may lie beside each other, so the order of service decides how long a batch of reads takes.

The parameters are rounded from figures published for drives of the sixth LTO generation.
"""

import itertools
from dataclasses import dataclass, field
from typing import ClassVar

import sledsim
from sledsim import extend
from sledsim.model.own_devices import Served

_BLOCK_BYTES = 1 << 16
_SECTORS = _BLOCK_BYTES // 512


@dataclass
class LinearTape:
    """Tape drive with one tape. Data lie on wraps (tracks end to end, forward and back in turn)."""

    length_m: float = extend.parameter(846.0, "Length of the tape that holds data", 1, 2000)
    wraps: int = extend.parameter(136, "Number of wraps, recorded forward and back in turn", 1, 10_000)
    wrap_mb: float = extend.parameter(18_382.0, "Data on a wrap, in units of 10^6 bytes", 1, 1e6)
    rate_mb_per_s: float = extend.parameter(160.0, "Data rate under the head", 1, 10_000)
    locate_m_per_s: float = extend.parameter(10.0, "Speed at which the tape winds without reading", 0.1, 50)
    turn_s: float = extend.parameter(1.0, "Time to stop and start again, once per locate", 0, 60)
    wrap_change_s: float = extend.parameter(1.0, "Time to step the head to another wrap", 0, 60)
    active_power_w: float = extend.parameter(30.0, "Power while the tape moves", 0, 1000)
    idle_power_w: float = extend.parameter(10.0, "Power while the tape stands still", 0, 1000)
    #: Descriptions of the figures that `characteristics` returns, for the data sheet.
    meanings: ClassVar = {
        "wrap_time_s": "Time to read a wrap",
        "longest_locate_s": "Time of a locate from one end to the other",
    }

    block_bytes: int = field(default=_BLOCK_BYTES, init=False)
    blocks: int = field(default=0, init=False)
    #: Number of the block at whose beginning the head is.
    head: int = field(default=0, init=False)
    located: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.blocks = self.wraps * self.wrap_blocks

    @property
    def wrap_blocks(self) -> int:
        """Number of blocks on a wrap, which is a track over the whole length of the tape."""
        return max(1, int(self.wrap_mb * 1e6) // _BLOCK_BYTES)

    @property
    def cylinders(self) -> int:
        """Number of wraps; policies that order requests by cylinder treat a wrap as a cylinder."""
        return self.wraps

    def place(self, lbn: int) -> tuple[int, int, int]:
        """Return the cylinder and the track of a block, both of which are its wrap, and y, which is 0."""
        wrap = lbn // self.wrap_blocks
        return wrap, wrap, 0

    def along_m(self, lbn: int) -> float:
        """Return the distance of a block from the tape's front in m; every second wrap runs backwards."""
        wrap, at = divmod(lbn, self.wrap_blocks)
        share = at / self.wrap_blocks
        return self.length_m * (share if wrap % 2 == 0 else 1 - share)

    def locate_s(self, begin: int, to: int) -> float:
        """Return the time in s to wind from the beginning of block `begin` to the beginning of block `to`."""
        if begin == to:
            return 0.0
        winding_s = abs(self.along_m(to) - self.along_m(begin)) / self.locate_m_per_s
        changes = begin // self.wrap_blocks != to // self.wrap_blocks
        # The head steps while the tape winds.
        return self.turn_s + max(winding_s, self.wrap_change_s * changes)

    def positioning_s(self, now_s: float, request: extend.DeviceRequest) -> float:
        """Return the locate time to a request in s; it does not depend on the time `now_s`."""
        return self.locate_s(self.head, request.lbn)

    def serve(self, now_s: float, request: extend.DeviceRequest) -> Served:
        """Serve a request: locate its first block, then transfer; step the head at each end of a wrap."""
        locate_s = self.positioning_s(now_s, request)
        end = request.lbn + request.blocks
        steps = (end - 1) // self.wrap_blocks - request.lbn // self.wrap_blocks
        switching_s = steps * max(self.turn_s, self.wrap_change_s)
        transfer_s = request.blocks * _BLOCK_BYTES / (self.rate_mb_per_s * 1e6)
        self.located += locate_s > 0
        # The last block has no successor: the head stays at its end.
        self.head = min(end, self.blocks - 1)
        return {
            "positioning_s": locate_s,
            "switching_s": switching_s,
            "switches": steps,
            "transfer_s": transfer_s,
            "electronics_j": self.active_power_w * (locate_s + switching_s + transfer_s),
        }

    def counts(self) -> dict[str, float]:
        """Return the number of locates for which the tape had to move."""
        return {"locates": self.located}

    def characteristics(self) -> dict[str, float]:
        """Return the figures for the data sheet."""
        return {
            "wrap_time_s": self.wrap_blocks * _BLOCK_BYTES / (self.rate_mb_per_s * 1e6),
            "longest_locate_s": self.turn_s + self.length_m / self.locate_m_per_s,
        }


def best_by_hand(tape: LinearTape, lbn: list[int], blocks: list[int]) -> float:
    """Return the least total locate time in s of all orders of a few reads, by trying every order."""

    def total_s(order: tuple[int, ...]) -> float:
        head, total = tape.head, 0.0
        for at in order:
            total += tape.locate_s(head, lbn[at])
            head = min(lbn[at] + blocks[at], tape.blocks - 1)
        return total

    return min(map(total_s, itertools.permutations(range(len(lbn)))))


def main() -> None:
    """Print the total locate time of 60 reads under three policies, and its excess over the lower bound."""
    extend.register_device("linear-tape", LinearTape)
    tape = sledsim.device("linear-tape")
    batch = sledsim.random_workload(tape, rate_per_s=1, count=60, seed=1)
    found = sledsim.schedule_bounds(tape, batch, ["fcfs", "clook_lbn", "sptf"], steps=200, moves=200_000)
    print(f"{'order':10} {'locates':>9} {'over the bound':>15}")
    for name, schedule in {**found.schedules, "best found": found.best}.items():
        above = schedule.total_s / found.lower_bound_s - 1
        print(f"{name:10} {schedule.total_s:7,.0f} s {above:15.1%}")
    few = {name: column[:8] for name, column in batch.columns().items() if name in ("lbn", "blocks", "write")}
    exact = sledsim.schedule_bounds(tape, few, "sptf")
    first, last = few["lbn"] // _SECTORS, (few["lbn"] + few["blocks"] - 1) // _SECTORS
    by_hand_s = best_by_hand(LinearTape(), first.tolist(), (last - first + 1).tolist())
    print(f"first 8 reads: best order {exact.best.total_s:.3f} s; all orders tried: {by_hand_s:.3f} s")


if __name__ == "__main__":
    main()
