"""Traces: files, tools, statistics, and workloads drawn at random or fitted to a trace."""

from .. import moved


def __getattr__(name: str) -> object:
    """Return a public name that moved from this package, with a warning (PEP 562)."""
    return moved.in_room(__name__, name)
