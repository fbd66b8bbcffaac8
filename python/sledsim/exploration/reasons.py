"""Reasons why points have no figures, with counts."""

import re
from collections.abc import Iterable

from .evaluation import Row

#: Text after a reason that stands for similar ones.
_AND_SO_ON = " (and others with other numbers)"
_NUMBER = re.compile(r"\d[\d.,e+-]*")


def reasons(rows: Iterable[Row]) -> dict[str, int]:
    """Count the reasons why rows have no figures, the most frequent first."""
    return grouped(row["error"] for row in rows if row["error"] is not None)


def grouped(texts: Iterable[str]) -> dict[str, int]:
    """Count texts, the most frequent first; texts that differ only in numbers are one.

    The first text stands for all similar ones, and reports them.
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
