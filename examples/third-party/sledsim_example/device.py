"""The device ``belt``; ``sledsim check-device belt`` checks it."""

from dataclasses import dataclass, field

import sledsim
from sledsim.model.own_devices import Served


@dataclass
class Belt:
    """An endless loop of tape that runs under one head."""

    turn_ms: float = sledsim.extend.parameter(40.0, "Time for a turn of the loop", 1, 10_000)
    turn_blocks: int = sledsim.extend.parameter(20_000, "Blocks of 512 bytes on the loop", 1, 10_000_000)

    blocks: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.blocks = self.turn_blocks

    def positioning_s(self, now_s: float, request: sledsim.extend.DeviceRequest) -> float:
        """Return the time in seconds until the first block of a request comes to the head."""
        turn_s = self.turn_ms * 1e-3
        return (request.lbn / self.blocks * turn_s - now_s) % turn_s

    def serve(self, now_s: float, request: sledsim.extend.DeviceRequest) -> Served:
        """Serve a request: wait for its first block, then let its blocks pass under the head."""
        return {
            "positioning_s": self.positioning_s(now_s, request),
            "transfer_s": request.blocks / self.blocks * self.turn_ms * 1e-3,
        }
