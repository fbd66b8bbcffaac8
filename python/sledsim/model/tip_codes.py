"""The code of a block over its tips: what is correctable, and reading damaged blocks (001-F21, F22)."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.deprecation import renamed
from ..common.grids import facts
from ..common.shown import Form, Shown
from ..common.signatures import called_by_users


@dataclass(frozen=True)
class DecodedBlock:
    """What came of reading a block.

    Attributes:
        data: The data; None where they are lost.
        erased: Tips that were missing, or whose check was wrong.
        wrong: Tips besides those that the horizontal code found to be wrong.
    """

    data: bytes | None
    erased: tuple[int, ...]
    wrong: tuple[int, ...]

    @property
    def lost(self) -> bool:
        """Whether the block is lost."""
        return self.data is None


@called_by_users
@dataclass(frozen=True)
class TipCode:
    """A Reed-Solomon code across the tips of a block with a check down each tip sector, made by `tip_code`.

    Attributes:
        data_tips: Tips over which the data lie.
        check_tips: Tips that the horizontal code adds.
        sector_bytes: Data in a tip sector.
        detection: The vertical check: one of `detections`.
        block_check: The check over the data of a block: one of `block_checks`.
    """

    data_tips: int
    check_tips: int
    sector_bytes: int
    detection: str
    block_check: str

    def __post_init__(self) -> None:
        self._native  # noqa: B018 - what cannot be is refused when it is made.

    @property
    def _native(self) -> _native.TipCode:
        sizes = (self.data_tips, self.check_tips, self.sector_bytes)
        return _native.TipCode(*sizes, self.detection, self.block_check)

    @property
    def tips(self) -> int:
        """Tips of a block: those with data, those with the block check, those of the horizontal code."""
        tips, _, _ = self._native.shape()
        return tips

    @property
    def block_bytes(self) -> int:
        """Bytes of a block."""
        return self.data_tips * self.sector_bytes

    @property
    def overhead(self) -> float:
        """Bytes on the medium over bytes of data, less 1."""
        tips, block_bytes, stored_bytes = self._native.shape()
        return tips * stored_bytes / block_bytes - 1

    @property
    def correctable(self) -> list[tuple[int, int]]:
        """For each number of erasures the most errors besides that are corrected with them."""
        return self._native.correctable()

    def encode(self, data: bytes) -> NDArray[np.uint8]:
        """The tip sectors of a block: bytes of shape (tips, bytes on the medium).

        Raises:
            ParameterError: The data are no block.
        """
        return np.array([list(sector) for sector in self._native.encode(data)], dtype=np.uint8)

    @renamed
    def decode(self, tip_sectors: NDArray[np.uint8], erased: Collection[int] = ()) -> DecodedBlock:
        """Read a block.

        Args:
            tip_sectors: As `encode` gives them, damaged or not.
            erased: Tips that gave nothing.

        Raises:
            ParameterError: There are not as many tip sectors, one has another length, or an erased tip is not
                there.
        """
        for tip in erased:
            if not 0 <= tip < self.tips:
                raise _native.ParameterError(f"erased: expected tips from 0 to {self.tips - 1}, found {tip}")
        read = [None if tip in erased else bytes(sector) for tip, sector in enumerate(tip_sectors)]
        data, lost, wrong = self._native.decode(read)
        return DecodedBlock(None if data is None else bytes(data), tuple(lost), tuple(wrong))

    def trial(self, missing: int = 0, wrong: int = 0, patterns: int = 1000, seed: int = 1) -> dict[str, int]:
        """Write random blocks, take tips away, overwrite others, and read.

        Args:
            missing: Tips that give nothing, at random places.
            wrong: Tips besides whose sectors are overwritten with something random, check and all.
            patterns: Blocks.
            seed: Of data, places and what they are overwritten with.

        Returns:
            ``patterns``, ``recovered`` (read as they were written), ``lost`` (and known to be), ``silent``
            (read as something else).

        Raises:
            ParameterError: There are not as many tips.
        """
        counts = self._native.trial(missing, wrong, patterns, seed)
        return dict(zip(("patterns", "recovered", "lost", "silent"), counts, strict=True))


def tip_code(
    data_tips: int = 64,
    check_tips: int = 4,
    sector_bytes: int = 8,
    detection: str = "crc16",
    block_check: str = "crc32c",
) -> TipCode:
    """The code of a block over its tips (001-F21).

    Byte j of every tip sector belongs to codeword j, so that a tip is one symbol of each; a tip sector with a
    wrong check is an erasure, of which the horizontal code corrects twice as many as of errors.

    Args:
        data_tips: Tips over which the data lie: ``tips_per_block`` of a device.
        check_tips: Tips that the horizontal code adds; 255 in all at most.
        sector_bytes: Data in a tip sector.
        detection: One of `detections`.
        block_check: One of `block_checks`: what is put together of a block's tips is compared with it. It
            lies in tip sectors of its own, one where these have 4 bytes or more.

    Raises:
        ParameterError: There is no such code.
    """
    return TipCode(data_tips, check_tips, sector_bytes, detection, block_check)


def detections() -> dict[str, str]:
    """The vertical checks, for `tip_code`."""
    return dict(_native.detections())


def block_checks() -> dict[str, str]:
    """The checks over the data of a block, for `tip_code`."""
    return dict(_native.block_checks())


@dataclass(frozen=True, eq=False, repr=False)
class TipPlacement(Shown):
    """Where the tips of blocks stand in the array of tips, made by `tip_placement`.

    Attributes:
        tips_per_row: Tips in a row of the array; tip `n` stands in row ``n // columns``.
        tips: The numbers of the tips: (blocks side by side, tips of a block).
        distance: The least distance of two tips of a block, where neighbours are 1 apart.
        distance_bound: What no placement of so many blocks in a large array exceeds.
        harmless_defect_tips: A defect over so many tips that hang together hits no block twice.
    """

    columns: int
    tips: NDArray[np.uint32]
    distance: float
    distance_bound: float
    harmless_defect_tips: int

    def _form(self) -> Form:
        figures = {
            "columns": self.columns,
            "distance": self.distance,
            "distance_bound": self.distance_bound,
            "harmless_defect_tips": self.harmless_defect_tips,
        }
        line = f"of {' by '.join(map(str, self.tips.shape))} tips, {self.distance:.1f} tips apart"
        return Form("Placement of blocks over tips", [facts(figures)], line=line, calls=("tips",))


@renamed
def tip_placement(
    blocks: int,
    tips_per_block: int,
    spread: bool = True,
    spare_tips: int = 0,
    tips_per_row: int | None = None,
) -> TipPlacement:
    """Place the tips of blocks in an array of tips.

    Args:
        blocks: Blocks side by side, in all tracks.
        tips_per_block: Tips of each, data and checks.
        spread: Far from each other: the colouring of the array with the largest least distance that is found
            (001-F22). If not, side by side.
        spare_tips: Tips that belong to no block; they come last.
        tips_per_row: Tips in a row of the array; None is as nearly square as there is.

    Raises:
        ParameterError: There is no such array.
    """
    tips = blocks * tips_per_block + spare_tips
    wide = tips_per_row if tips_per_row is not None else max(1, math.ceil(math.sqrt(max(tips, 0))))
    try:
        found = _native.tip_placement(blocks, tips_per_block, spare_tips, wide, spread)
    except OverflowError:
        raise _native.ParameterError(
            f"blocks = {blocks}, tips_per_block = {tips_per_block}, spare_tips = {spare_tips},"
            f" tips_per_row = {wide}: expected whole numbers from 0 to {2**32 - 1}"
        ) from None
    distance, bound, harmless, numbers = found
    return TipPlacement(wide, numbers.reshape(blocks, tips_per_block), distance, bound, harmless)


def code_of(parameters: Mapping[str, float], check_tips: int, detection: str, block_check: str) -> TipCode:
    """The code of a device's blocks.

    Raises:
        ParameterError: There is no such code.
    """
    tips, sector_bytes = int(parameters["tips_per_block"]), int(parameters["sector_data_bytes"])
    return tip_code(tips, check_tips, sector_bytes, detection, block_check)


def most_hits(placement: TipPlacement, defects: Sequence[Collection[int]]) -> list[int]:
    """Of each defect, a collection of tips, how many tips of one block it hits at most."""
    blocks = np.full(int(placement.tips.max()) + 1, -1)
    blocks[placement.tips.ravel()] = np.repeat(np.arange(len(placement.tips)), placement.tips.shape[1])
    found = []
    for defect in defects:
        hit = [int(blocks[tip]) for tip in defect if tip < len(blocks) and blocks[tip] >= 0]
        found.append(max((hit.count(block) for block in hit), default=0))
    return found
