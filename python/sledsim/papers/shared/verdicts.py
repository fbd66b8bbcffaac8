"""The verdicts that a claim of a paper can get, from best to worst, with their meanings."""

from enum import Enum
from typing import Any

from sledsim.files import checked


class Verdict(Enum):
    """The verdict on a claim; members are ordered from best to worst."""

    REPRODUCED = "reproduced"
    SHAPE = "shape"
    UNPUBLISHED = "input not published"
    NOT_BORNE_OUT = "not borne out"
    CONTRADICTS = "contradicts"

    @property
    def meaning(self) -> str:
        """Meaning of the verdict in a sentence."""
        return _MEANINGS[self]

    @property
    def severity(self) -> int:
        """Position of the verdict in the order from best to worst."""
        return list(Verdict).index(self)

    @property
    def key(self) -> str:
        """Name of the verdict in small letters and underscores, for CSS classes and keys."""
        return self.name.lower()


def named(key: str, value: Any) -> Verdict:
    """Return the verdict whose value is the text `value`; error messages name its place in a file, `key`."""
    return Verdict(checked.text(key, value))


_MEANINGS = {
    Verdict.REPRODUCED: "Our number has the printed digits or is within 1 %; a statement in words holds.",
    Verdict.SHAPE: "Our number is within 15 %, or right in shape or in direction; the reason says which.",
    Verdict.UNPUBLISHED: "The claim cannot be tried: it needs hardware, or a figure that is not printed.",
    Verdict.NOT_BORNE_OUT: "The paper's input is not published; on other inputs the claim does not hold.",
    Verdict.CONTRADICTS: "The claim does not follow from the paper's own parameters; the reason says why.",
}
