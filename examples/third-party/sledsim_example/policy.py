"""The policy ``oldest-near``; ``sledsim run demo --scheduler oldest-near:depth=4`` uses it."""

from dataclasses import dataclass

import numpy as np

import sledsim
from sledsim.model.scheduling import Waiting


@dataclass
class OldestNear:
    """Policy that chooses the nearest of the `depth` oldest requests."""

    depth: int = sledsim.extend.parameter(8, "Number of the oldest requests to choose from", 1, 10_000)

    def choose(self, now_s: float, waiting: Waiting) -> np.intp:
        """Return the index of the request with the shortest positioning time among the `depth` oldest."""
        return np.argmin(waiting["positioning_s"][: self.depth])
