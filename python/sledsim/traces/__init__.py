"""Traces: files, tools, statistics, random workloads, and workloads fitted to a trace."""

from .. import moved


def __getattr__(name: str) -> object:
    """Return a public name that moved from this package, with a warning (PEP 562)."""
    return moved.in_room(__name__, name)
