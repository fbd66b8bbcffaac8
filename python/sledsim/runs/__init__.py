"""Runs: simulating, what comparisons and curves hold, their statistics, bounds, validation."""

from .. import moved


def __getattr__(name: str) -> object:
    """A public name of the module that this room was, which warns (PEP 562)."""
    return moved.in_room(__name__, name)
