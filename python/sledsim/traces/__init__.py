"""Traces: files, tools, statistics, and workloads drawn at random or fitted to a trace."""

from .. import moved


def __getattr__(name: str) -> object:
    """A public name of the module that this room was, which warns (PEP 562)."""
    return moved.in_room(__name__, name)
