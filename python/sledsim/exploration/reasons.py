"""Reasons why points have no figures, and for each reason the number of points."""

import re
from collections.abc import Iterable

from .evaluation import Row

#: Text that is added to a reason if other points have the same reason with other numbers.
_AND_SO_ON = " (and others with other numbers)"
_NUMBER = re.compile(r"\d[\d.,e+-]*")


def reasons(rows: Iterable[Row]) -> dict[str, int]:
    """Return the number of rows without figures for each reason, the most frequent reason first."""
    return grouped(row["error"] for row in rows if row["error"] is not None)


def grouped(texts: Iterable[str]) -> dict[str, int]:
    """Return how often each text occurs, the most frequent first; texts that differ in numbers are merged.

    Texts that differ only in numbers count as one: the first of them is returned, with a remark.
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
