"""Citations in texts for users: papers are named by venue, without ids such as ``001-F10``."""

import re

#: Name of the conference or report of each paper, by the number with which the code cites the paper.
_VENUES = {
    "000": "MASCOTS 2003",
    "001": "OSDI 2000",
    "002": "SIGMETRICS 2000",
    "003": "Hong's metadata study",
    "004": "EMSOFT 2008",
}
_ID = r"(?:00[0-4]-)?[A-Z]\d+(?:\.\.[A-Z]?\d+)?"
#: Pattern of source ids in parentheses, such as ``(001-F10, C6)``, with the blank before them.
_IDS = re.compile(rf" ?\((?=00[0-4]-){_ID}(?:, {_ID})*\)")
#: Pattern of a paper's number, alone (``001 Table 1``) or with a source id (``002-F1``).
_PAPER = re.compile(r"(?<![\d.,])(00[0-4])(?:-[A-Z]\d+)?(?![\w-]|[.,]\d)")


def cited(text: str) -> str:
    """Return a text without source ids such as ``001-F10``; numbers of papers become names of conferences."""
    text = _PAPER.sub(lambda found: _VENUES[found[1]], _IDS.sub("", text))
    for venue in _VENUES.values():
        if text.count(venue) > 1:
            text = text.replace(f" ({venue})", "")
    return text.strip()
