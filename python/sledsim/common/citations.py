"""Citations as people read them: papers by where they appeared, and no ids of the reading notes."""

import re

#: Where the papers appeared, by the numbers under which the code cites them.
_VENUES = {
    "000": "MASCOTS 2003",
    "001": "OSDI 2000",
    "002": "SIGMETRICS 2000",
    "003": "Hong's metadata study",
    "004": "EMSOFT 2008",
}
_ID = r"(?:00[0-4]-)?[A-Z]\d+(?:\.\.[A-Z]?\d+)?"
#: Ids of the reading notes in parentheses, with the blank before them: ``(001-F10, C6)``.
_IDS = re.compile(rf" ?\((?=00[0-4]-){_ID}(?:, {_ID})*\)")
#: A paper's number, with an id or not, that is no part of a longer one: ``001 Table 1``, ``002-F1``.
_PAPER = re.compile(r"(?<![\d.,])(00[0-4])(?:-[A-Z]\d+)?(?![\w-]|[.,]\d)")


def cited(text: str) -> str:
    """A text without ids, in which papers have the names of where they appeared."""
    text = _PAPER.sub(lambda found: _VENUES[found[1]], _IDS.sub("", text))
    for venue in _VENUES.values():
        if text.count(venue) > 1:
            text = text.replace(f" ({venue})", "")
    return text.strip()
