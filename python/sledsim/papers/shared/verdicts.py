"""How a claim can stand."""

from enum import Enum
from typing import Any

from sledsim.files import checked


class Verdict(Enum):
    """How a claim stands, from the best to the worst."""

    REPRODUCED = "reproduced"
    SHAPE = "shape"
    UNPUBLISHED = "input not published"
    NOT_BORNE_OUT = "not borne out"
    CONTRADICTS = "contradicts"

    @property
    def meaning(self) -> str:
        """What the verdict says, in a sentence."""
        return _MEANINGS[self]

    @property
    def severity(self) -> int:
        """Its place in the order from the best to the worst."""
        return list(Verdict).index(self)

    @property
    def key(self) -> str:
        """A name without spaces."""
        return self.name.lower()


def named(key: str, value: Any) -> Verdict:
    """A check, as those of `checked`: the verdict of that name."""
    return Verdict(checked.text(key, value))


_MEANINGS = {
    Verdict.REPRODUCED: "Computed here to the printed digits or within 1 %; a statement in words holds.",
    Verdict.SHAPE: "Within 15 %, right in shape, or in direction alone on another input; see the reason.",
    Verdict.UNPUBLISHED: "Nobody can try it: needs hardware or a figure that is not in the paper's text.",
    Verdict.NOT_BORNE_OUT: "Tried on another input than the paper's, which is not published: not so there.",
    Verdict.CONTRADICTS: "Does not follow from the paper's own parameters; the reason says why.",
}
