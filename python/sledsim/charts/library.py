"""The module Altair, which is imported when the first chart is drawn."""

from typing import TYPE_CHECKING, Any

__all__ = ["alt"]


class _WhenUsed:
    """Stand-in for the module altair, which imports altair at its first use."""

    def __getattr__(self, name: str) -> Any:
        from .rendering import alt

        return getattr(alt, name)


if TYPE_CHECKING:
    import altair as alt
else:
    alt = _WhenUsed()
