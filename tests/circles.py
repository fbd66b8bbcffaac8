"""Circles of imports: groups of files each of which reaches all others of its group."""

from collections.abc import Hashable, Iterator, Mapping, Set as AbstractSet
from typing import TypeVar

_Node = TypeVar("_Node", bound=Hashable)
Arrows = Mapping[_Node, AbstractSet[_Node]]


def circles(arrows: Arrows[_Node]) -> list[list[_Node]]:
    """List the groups of nodes that reach each other (Kosaraju and Sharir); a node may reach itself alone.

    Args:
        arrows: The imports of each node.
    """
    back: dict[_Node, set[_Node]] = {}
    for own, used in arrows.items():
        for one in used:
            back.setdefault(one, set()).add(own)
    seen: set[_Node] = set()
    order = [one for at in arrows if at not in seen for one in _walk(at, arrows, seen)]
    seen = set()
    groups = [[*_walk(at, back, seen)] for at in reversed(order) if at not in seen]
    return [group for group in groups if len(group) > 1 or group[0] in arrows.get(group[0], ())]


def _walk(at: _Node, arrows: Arrows[_Node], seen: set[_Node]) -> Iterator[_Node]:
    """Yield all new nodes that a node reaches, and then the node."""
    seen.add(at)
    for one in arrows.get(at, ()):
        if one not in seen:
            yield from _walk(one, arrows, seen)
    yield at
