"""The module Altair, imported only when the first chart is drawn."""

from typing import TYPE_CHECKING, Any

__all__ = ["alt"]


class _WhenUsed:
    """Stand-in for the module altair: importing it costs nothing, and the first use imports altair."""

    def __getattr__(self, name: str) -> Any:
        from .rendering import alt

        return getattr(alt, name)


if TYPE_CHECKING:
    import altair as alt
else:
    alt = _WhenUsed()
