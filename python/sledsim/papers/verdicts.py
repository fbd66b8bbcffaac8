"""How a claim can stand."""

from enum import Enum


class Verdict(Enum):
    """How a claim stands, from the best to the worst."""

    REPRODUCED = "reproduced"
    SHAPE = "shape"
    UNPUBLISHED = "input not published"
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


_MEANINGS = {
    Verdict.REPRODUCED: "Computed here to the printed digits or within 1 %; a statement in words holds.",
    Verdict.SHAPE: "Right in shape, or within 15 %; the reason says why not nearer.",
    Verdict.UNPUBLISHED: "Needs hardware, a trace or a figure that is not in the paper's text.",
    Verdict.CONTRADICTS: "Does not follow from the paper's own parameters; the reason says why.",
}
