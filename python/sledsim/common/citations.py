"""Citations for readers: papers by their venues, without ids of the reading notes."""

import re

#: Venues of the papers, by the numbers under which the code cites them.
_VENUES = {
    "000": "MASCOTS 2003",
    "001": "OSDI 2000",
    "002": "SIGMETRICS 2000",
    "003": "Hong's metadata study",
    "004": "EMSOFT 2008",
}
_ID = r"(?:00[0-4]-)?[A-Z]\d+(?:\.\.[A-Z]?\d+)?"
#: Ids of the reading notes in parentheses, with the blank before them, such as ``(001-F10, C6)``.
_IDS = re.compile(rf" ?\((?=00[0-4]-){_ID}(?:, {_ID})*\)")
#: Number of a paper, with or without an id, that is not part of a longer number: ``001 Table 1``, ``002-F1``.
_PAPER = re.compile(r"(?<![\d.,])(00[0-4])(?:-[A-Z]\d+)?(?![\w-]|[.,]\d)")


def cited(text: str) -> str:
    """Return a text without ids, and with venues in place of paper numbers."""
    text = _PAPER.sub(lambda found: _VENUES[found[1]], _IDS.sub("", text))
    for venue in _VENUES.values():
        if text.count(venue) > 1:
            text = text.replace(f" ({venue})", "")
    return text.strip()
