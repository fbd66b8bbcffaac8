"""Error-correcting codes that spread a block over tips, and placement of its tips (001-F21, F22)."""

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
    """Result of decoding a block from its tip sectors.

    Attributes:
        data: Data of the block; None if too many tip sectors are wrong or missing.
        erased: Indices of the tips that returned no data or whose tip sector failed its own check.
        wrong: Indices of further tips whose wrong data only the code over the tips revealed.
    """

    data: bytes | None
    erased: tuple[int, ...]
    wrong: tuple[int, ...]

    @property
    def lost(self) -> bool:
        """True if the data of the block cannot be restored."""
        return self.data is None


@called_by_users
@dataclass(frozen=True)
class TipCode:
    """A Reed-Solomon code over the tips of a block, with a check in each tip sector, from `tip_code`.

    Attributes:
        data_tips: Number of tips with data.
        check_tips: Number of tips that the Reed-Solomon code adds to those with data.
        sector_bytes: Number of bytes of data in a tip sector.
        detection: Check that each tip sector has on its own, one of `detections`.
        block_check: Check over the data of the whole block, one of `block_checks`.
    """

    data_tips: int
    check_tips: int
    sector_bytes: int
    detection: str
    block_check: str

    def __post_init__(self) -> None:
        self._native  # noqa: B018 - invalid codes are refused at once.

    @property
    def _native(self) -> _native.TipCode:
        sizes = (self.data_tips, self.check_tips, self.sector_bytes)
        return _native.TipCode(*sizes, self.detection, self.block_check)

    @property
    def tips(self) -> int:
        """Number of tips of a block: for data, for the check of the block, and for the Reed-Solomon code."""
        tips, _, _ = self._native.shape()
        return tips

    @property
    def block_bytes(self) -> int:
        """Number of bytes in a block."""
        return self.data_tips * self.sector_bytes

    @property
    def overhead(self) -> float:
        """Share by which the code enlarges the data: bytes on the medium over bytes of data, minus 1."""
        tips, block_bytes, stored_bytes = self._native.shape()
        return tips * stored_bytes / block_bytes - 1

    @property
    def correctable(self) -> list[tuple[int, int]]:
        """Pairs of numbers: missing tips, and the most tips with wrong data that can be corrected besides."""
        return self._native.correctable()

    def encode(self, data: bytes) -> NDArray[np.uint8]:
        """Encode the data of a block as tip sectors, an array of the shape (tips, bytes per tip sector).

        Raises:
            ParameterError: The data do not have the length of a block.
        """
        return np.array([list(sector) for sector in self._native.encode(data)], dtype=np.uint8)

    @renamed
    def decode(self, tip_sectors: NDArray[np.uint8], erased: Collection[int] = ()) -> DecodedBlock:
        """Decode a block from its tip sectors.

        Args:
            tip_sectors: Tip sectors in the form that `encode` returns; they may be damaged.
            erased: Indices of the tips that returned no data.

        Raises:
            ParameterError: The number or length of the tip sectors is wrong, or an index in `erased` exceeds
                the tips.
        """
        for tip in erased:
            if not 0 <= tip < self.tips:
                raise _native.ParameterError(f"erased: expected tips from 0 to {self.tips - 1}, found {tip}")
        read = [None if tip in erased else bytes(sector) for tip, sector in enumerate(tip_sectors)]
        data, lost, wrong = self._native.decode(read)
        return DecodedBlock(None if data is None else bytes(data), tuple(lost), tuple(wrong))

    def trial(self, missing: int = 0, wrong: int = 0, patterns: int = 1000, seed: int = 1) -> dict[str, int]:
        """Encode random blocks, damage some of their tips, and count how many blocks are decoded correctly.

        Args:
            missing: Number of tips, chosen at random, that return no data.
            wrong: Number of further tips whose tip sectors, checks included, are overwritten by random bytes.
            patterns: Number of random blocks to try.
            seed: Seed of the random data, the choice of tips and the overwriting bytes.

        Returns:
            ``patterns``, ``recovered`` (read as written), ``lost`` (and known to be lost), ``silent`` (read
            with wrong data).

        Raises:
            ParameterError: The block has fewer tips than `missing` and `wrong` together.
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
    """Make the error-correcting code of a block over its tips (001-F21).

    Byte j of every tip sector belongs to codeword j, so a tip is one symbol of each codeword; a tip sector
    with a wrong check is an erasure, and the horizontal code corrects twice as many erasures as errors.

    Args:
        data_tips: Number of tips with data: ``tips_per_block`` of a device.
        check_tips: Number of tips that the Reed-Solomon code adds; a block has at most 255 tips in all.
        sector_bytes: Bytes of data in a tip sector.
        detection: Check that each tip sector has on its own, one of `detections`.
        block_check: Check over the data of the whole block, one of `block_checks`. It has tip sectors of its
            own: one if the tip sector holds 4 bytes or more.

    Raises:
        ParameterError: No code has these sizes, or the name of a check is unknown.
    """
    return TipCode(data_tips, check_tips, sector_bytes, detection, block_check)


def detections() -> dict[str, str]:
    """List the checks that a tip sector can have on its own, for `tip_code`."""
    return dict(_native.detections())


def block_checks() -> dict[str, str]:
    """List the checks that the data of a whole block can have, for `tip_code`."""
    return dict(_native.block_checks())


@dataclass(frozen=True, eq=False, repr=False)
class TipPlacement(Shown):
    """Placement of the tips of blocks in the array of tips, made by `tip_placement`.

    Attributes:
        tips_per_row: Number of tips in a row of the array; tip `n` stands in row ``n // tips_per_row``.
        tips: Indices of the tips of each block, shape (blocks, tips of a block).
        distance: Least distance between two tips of the same block; neighbouring tips have distance 1.
        distance_bound: Upper bound of `distance` for this number of blocks, if the array of tips were very
            large.
        harmless_defect_tips: Largest connected group of tips that has no two tips of one block; a defect
            under it harms each block at most once.
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
        blocks: Number of blocks side by side, counted over all groups of tips.
        tips_per_block: Number of tips of each block, data and checks.
        spread: True to place the tips of each block far apart, in the best arrangement that is found
            (001-F22); False to place them side by side.
        spare_tips: Number of tips that belong to no block; they follow after all others.
        tips_per_row: Number of tips in a row of the array; None makes the array as square as possible.

    Raises:
        ParameterError: The numbers make no array of tips.
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
    """Return the code of blocks on a device: data tips and sector size are from its `parameters`.

    Raises:
        ParameterError: No code has these sizes, or the name of a check is unknown.
    """
    tips, sector_bytes = int(parameters["tips_per_block"]), int(parameters["sector_data_bytes"])
    return tip_code(tips, check_tips, sector_bytes, detection, block_check)


def most_hits(placement: TipPlacement, defects: Sequence[Collection[int]]) -> list[int]:
    """Return for each defect, a set of tips, how many of its tips belong to the block it hits most."""
    blocks = np.full(int(placement.tips.max()) + 1, -1)
    blocks[placement.tips.ravel()] = np.repeat(np.arange(len(placement.tips)), placement.tips.shape[1])
    found = []
    for defect in defects:
        hit = [int(blocks[tip]) for tip in defect if tip < len(blocks) and blocks[tip] >= 0]
        found.append(max((hit.count(block) for block in hit), default=0))
    return found
