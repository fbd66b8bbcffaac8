"""The options that say when a device stalls or is slow."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from . import options

if TYPE_CHECKING:
    from ..model.systems import Target

_AGAIN = "may be given several times; 'sledsim list episodes' says what the keys mean."


@dataclass(frozen=True)
class Episodes:
    """Times in which devices begin nothing, or are slow."""

    stall: Annotated[
        list[str] | None,
        options.of_device(
            metavar="at=S,ms=MS[,every=S]",
            help="The device begins nothing for so long, such as 'at=10,ms=500,every=30'; with device=NAME "
            f"one of a volume; {_AGAIN}",
        ),
    ] = None
    slow: Annotated[
        list[str] | None,
        options.of_device(
            metavar="at=S,ms=MS,factor=N[,every=S]",
            help="Services that begin within take so many times as long, such as 'at=5,ms=2000,factor=4'; "
            f"{_AGAIN}",
        ),
    ] = None

    def on(self, target: "Target") -> "Target":
        """The device or volume with the episodes that are given.

        Raises:
            ParameterError: One cannot be.
        """
        given = {"stall": self.stall, "slow": self.slow}
        texts = [f"{kind}:{text}" for kind, all_texts in given.items() for text in all_texts or ()]
        if not texts:
            return target
        from ..model.systems import with_episodes

        return with_episodes(target, texts)
