"""Tips of a device with their failures, and defects of its medium."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MediaDefects:
    """Defects of the medium: each spoils a rectangle of tip sectors, of a fixed size, under a few tips.

    The tips of a block are spread (001-F22): the tips under a defect belong to different blocks with
    consecutive numbers. A rectangle that extends beyond the region of a tip is cut off.

    Attributes:
        mean: Mean number of defects on a device over its life.
        tips: Shares of the defects that lie under 1, 2, 3, ... tips.
        cylinders: Number of cylinders that a defect covers.
        rows: Number of rows that a defect covers.
        region_cylinders: Number of cylinders in the region of a tip.
        region_rows: Number of rows in the region of a tip.
    """

    mean: float = 0.0
    tips: tuple[float, ...] = (1.0,)
    cylinders: int = 1
    rows: int = 1
    region_cylinders: int = 1
    region_rows: int = 1

    @property
    def places(self) -> int:
        """Number of tip sectors in the region of a tip."""
        return self.region_cylinders * self.region_rows

    @property
    def origins(self) -> tuple[int, int]:
        """Number of positions, in cylinders and in rows, at which a defect overlaps a tip's region."""
        return self.region_cylinders + self.cylinders - 1, self.region_rows + self.rows - 1

    @property
    def mean_tips(self) -> float:
        """Mean number of tips whose regions a defect touches."""
        shares = enumerate(self.tips, 1)
        return sum(count * share for count, share in shares) / sum(self.tips)

    @property
    def is_single(self) -> bool:
        """True if each defect is one tip sector under one tip."""
        return self.cylinders == self.rows == 1 and not any(self.tips[1:])


@dataclass(frozen=True)
class TipPopulation:
    """Tips of a device, their failures, and the defects under them.

    Attributes:
        tracks: Number of groups of tips in the device; each group has its own spares.
        blocks: Number of blocks that one group of tips accesses at the same time.
        block_tips: Number of tips of a block, check tips included.
        check_tips: Number of tips of a block whose loss the error-correcting code corrects.
        spare_tips: Number of spare tips in each group.
        dead_at_manufacture: Probability that a tip does not work from the beginning.
        failures_per_tip: Mean number of failures of a tip over the life of the device.
        defects: Defects of the medium.
    """

    tracks: int
    blocks: int
    block_tips: int
    check_tips: int
    spare_tips: int
    dead_at_manufacture: float
    failures_per_tip: float
    defects: MediaDefects = MediaDefects()

    @property
    def tips(self) -> int:
        """Number of tips of a group, spare tips excluded."""
        return self.blocks * self.block_tips

    @property
    def groups(self) -> int:
        """Number of blocks side by side over the tips of all groups: `tracks` times `blocks`."""
        return self.tracks * self.blocks

    def spares_left(self, dead: int) -> int:
        """Return the spares left if `dead` tips never worked; negative if such tips outnumber the spares.

        Without a code the data under a failing tip are unknown: its spare only holds later writes.
        """
        left = self.spare_tips - dead
        return left if self.check_tips else min(left, 0)

    @property
    def defects_per_sector(self) -> float:
        """Mean number of defects that cover a tip sector."""
        found = self.defects
        columns, rows = found.origins
        covered = found.cylinders * found.rows / (columns * rows)
        return found.mean * found.mean_tips * covered / (self.tracks * self.tips)

    @property
    def events_by_size(self) -> list[float]:
        """Mean number of events in a life that spoil 0, 1, 2, ... tip sectors at one place of a track.

        Blocks under a defect have consecutive numbers, from one track to the next and from the last to the
        first.
        """
        found = self.defects
        rates = [0.0] * (len(found.tips) + 1)
        rates[1] = self.tips * self.failures_per_tip
        columns, rows = found.origins
        at_place = found.mean * found.cylinders * found.rows / (columns * rows)
        for size, share in enumerate(found.tips, 1):
            each = at_place * share / sum(found.tips) / self.groups
            if self.tracks == 1:
                rates[size] += each * self.blocks
                continue
            for part in range(1, size):
                rates[part] += 2 * each
            rates[size] += each * (self.blocks - size + 1)
        return rates
