"""Reduction of the writes that make a disk image bad to a small set of lost or kept writes.

The method follows Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002.
"""

from collections.abc import Callable, Iterable, Mapping

#: Largest number of runs of the checker for the reduction of one image.
MOST_CHECKS = 300


def shrunk(open_writes: Mapping[int, tuple[str, str]], fails: Callable[[str], bool]) -> tuple[str, int]:
    """Find a choice with few lost writes, or with few kept writes, whose image is still bad.

    Args:
        open_writes: Two texts for each open write, by number of the write: its open sectors, and those of
            them that the bad image contains, such as ``0-3+6``.
        fails: Function that makes and checks the image of a choice, and returns True if the image is bad.

    Returns:
        The choice, and the number of checker runs.
    """
    asked = _Asked(fails)
    live = {number: _numbers(all_) for number, (all_, _) in open_writes.items()}
    state = {number: _numbers(kept) for number, (_, kept) in open_writes.items()}
    # Prefer choices in which each write is kept or lost as a whole.
    for number in [number for number, kept in state.items() if kept and kept != live[number]]:
        for whole in (live[number], frozenset[int]()):
            if asked(_named({**state, number: whole}, live)):
                state[number] = whole
                break
    lost = [number for number in state if state[number] != live[number]]
    kept = [number for number in state if state[number]]

    def losing(some: Iterable[int]) -> str:
        return _named({**live, **{number: state[number] for number in some}}, live)

    def keeping(some: Iterable[int]) -> str:
        nothing = dict.fromkeys(state, frozenset[int]())
        return _named({**nothing, **{number: state[number] for number in some}}, live)

    fewest_lost = _fewest(lost, lambda some: asked(losing(some)))
    if len(fewest_lost) <= 1:
        return losing(fewest_lost), asked.times
    fewest_kept = _fewest(kept, lambda some: asked(keeping(some)))
    if len(fewest_kept) < len(fewest_lost):
        return keeping(fewest_kept), asked.times
    return losing(fewest_lost), asked.times


class _Asked:
    """Cache of the checks of choices; after `MOST_CHECKS` checks, every other choice counts as good."""

    def __init__(self, fails: Callable[[str], bool]) -> None:
        self._fails = fails
        self._known: dict[str, bool] = {}

    @property
    def times(self) -> int:
        return len(self._known)

    def __call__(self, choice: str) -> bool:
        if choice not in self._known:
            if len(self._known) >= MOST_CHECKS:
                return False
            self._known[choice] = self._fails(choice)
        return self._known[choice]


def _fewest(items: list[int], fails: Callable[[list[int]], bool]) -> list[int]:
    """Return a small subset for which `fails` returns True, as `fails` must do for the set `items`."""
    if not items or fails([]):
        return []
    parts = 2
    while len(items) > 1:
        size = -(-len(items) // parts)
        chunks = [items[at : at + size] for at in range(0, len(items), size)]
        rests = [[item for item in items if item not in chunk] for chunk in chunks]
        found = next((some for some in [*chunks, *rests] if len(some) < len(items) and fails(some)), None)
        if found is not None:
            parts = 2 if found in chunks else max(parts - 1, 2)
            items = found
        elif parts >= len(items):
            break
        else:
            parts = min(2 * parts, len(items))
    return items


def _named(state: dict[int, frozenset[int]], live: dict[int, frozenset[int]]) -> str:
    """Return the choice that keeps the sectors `state`, as a list of lost or of kept writes (the shorter)."""
    lost = {number: live[number] - kept for number, kept in state.items() if kept != live[number]}
    kept = {number: sectors for number, sectors in state.items() if sectors}
    if not lost:
        return "all"
    if not kept:
        return "none"
    name, named = ("lost", lost) if len(lost) <= len(kept) else ("kept", kept)
    items = (
        str(number) if sectors == live[number] else f"{number}/{_text(sectors)}"
        for number, sectors in named.items()
    )
    return f"{name}={','.join(items)}"


def _numbers(text: str) -> frozenset[int]:
    """Parse a text of sectors such as ``0-3+6``; return the set of their numbers."""
    found: set[int] = set()
    for part in filter(None, text.split("+")):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def _text(sectors: Iterable[int]) -> str:
    """Return sectors as a text such as ``0-3+6``."""
    ranges: list[list[int]] = []
    for sector in sorted(sectors):
        if ranges and ranges[-1][1] == sector - 1:
            ranges[-1][1] = sector
        else:
            ranges.append([sector, sector])
    return "+".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
