"""Why points have no figures, and how many for each reason."""

import re
from collections.abc import Iterable

from .evaluation import Row

#: Behind a reason that others are like.
_AND_SO_ON = " (and others with other numbers)"
_NUMBER = re.compile(r"\d[\d.,e+-]*")


def reasons(rows: Iterable[Row]) -> dict[str, int]:
    """Why rows have no figures, and how many for each reason, the most frequent first."""
    return grouped(row["error"] for row in rows if row["error"] is not None)


def grouped(texts: Iterable[str]) -> dict[str, int]:
    """How often each text comes, the most frequent first; those that differ in numbers alone are one.

    Of these the first stands for all, and says that it is one of several.
    """
    counts: dict[str, int] = {}
    first: dict[str, str] = {}
    several: set[str] = set()
    for text in texts:
        pattern = _NUMBER.sub("#", text)
        counts[pattern] = counts.get(pattern, 0) + 1
        if first.setdefault(pattern, text) != text:
            several.add(pattern)
    ordered = sorted(counts, key=lambda pattern: -counts[pattern])
    return {f"{first[one]}{_AND_SO_ON if one in several else ''}": counts[one] for one in ordered}
