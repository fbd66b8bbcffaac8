"""Runs: simulating, comparing, curves over load with their statistics, bounds, validation, designs."""

from .. import moved


def __getattr__(name: str) -> object:
    """A public name of the module that this room was, which warns (PEP 562)."""
    return moved.in_room(__name__, name)
