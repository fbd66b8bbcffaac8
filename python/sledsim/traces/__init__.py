"""Traces: reading and writing files, tools, statistics, random workloads, and fitted workloads."""

from .. import moved


def __getattr__(name: str) -> object:
    """Return a public name that has moved to another package, with a warning (PEP 562)."""
    return moved.in_room(__name__, name)
