"""Altair, of which charts are made: it is loaded when the first one is drawn."""

from typing import TYPE_CHECKING, Any

__all__ = ["alt"]


class _WhenUsed:
    """Stands for the module, so that files that draw can name it at their top."""

    def __getattr__(self, name: str) -> Any:
        from .rendering import alt

        return getattr(alt, name)


if TYPE_CHECKING:
    import altair as alt
else:
    alt = _WhenUsed()
