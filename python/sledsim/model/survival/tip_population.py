"""The tips of a device and the defects of its medium."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MediaDefects:
    """Defects of the medium, each the same rectangle of tip sectors under a few neighbouring tips.

    The tips of a block are spread (001-F22): the tips under a defect are of as many different blocks, those
    that are numbered one after the other. A rectangle that sticks out of the region of a tip is cut off.

    Attributes:
        mean: Mean number on a device over its life.
        tips: Shares of those over 1, 2, 3, ... tips.
        cylinders: Of the rectangle.
        rows: Of the rectangle.
        region_cylinders: Of the region of a tip.
        region_rows: Tip sectors of a column of it.
    """

    mean: float = 0.0
    tips: tuple[float, ...] = (1.0,)
    cylinders: int = 1
    rows: int = 1
    region_cylinders: int = 1
    region_rows: int = 1

    @property
    def places(self) -> int:
        """Tip sectors under a tip."""
        return self.region_cylinders * self.region_rows

    @property
    def origins(self) -> tuple[int, int]:
        """Where a rectangle may begin, in cylinders and rows: all whose rectangles touch the region."""
        return self.region_cylinders + self.cylinders - 1, self.region_rows + self.rows - 1

    @property
    def mean_tips(self) -> float:
        """Tips under a defect."""
        shares = enumerate(self.tips, 1)
        return sum(count * share for count, share in shares) / sum(self.tips)

    @property
    def is_single(self) -> bool:
        """Whether each is one tip sector."""
        return self.cylinders == self.rows == 1 and not any(self.tips[1:])


@dataclass(frozen=True)
class TipPopulation:
    """The tips of a device, their failures, and the defects under them.

    Attributes:
        tracks: Groups of tips that share spares.
        blocks: Blocks side by side in a track.
        block_tips: Tips of a block, data and checks.
        check_tips: How many of them may be missing.
        spare_tips: Spares of each track.
        dead_at_manufacture: That a tip never works.
        failures_per_tip: Mean failures of a tip over the life.
        defects: Of the medium.
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
        """Tips of a track, without spares."""
        return self.blocks * self.block_tips

    @property
    def groups(self) -> int:
        """Blocks side by side, in all tracks."""
        return self.tracks * self.blocks

    def spares_left(self, dead: int) -> int:
        """Spares that save data, with so many tips dead from the start; below 0 tips that have none.

        Without a code nothing tells what was under a tip that fails: a spare holds what is written later.
        """
        left = self.spare_tips - dead
        return left if self.check_tips else min(left, 0)

    @property
    def defects_per_sector(self) -> float:
        """Mean number of defects over a tip sector."""
        found = self.defects
        columns, rows = found.origins
        covered = found.cylinders * found.rows / (columns * rows)
        return found.mean * found.mean_tips * covered / (self.tracks * self.tips)

    @property
    def events_by_size(self) -> list[float]:
        """At a place of a track: the mean number of events that take 0, 1, 2, ... of its tip sectors.

        The blocks under a defect follow one another, from one track to the next and from the last to the
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
