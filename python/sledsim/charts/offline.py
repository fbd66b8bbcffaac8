"""Charts in notebooks, with a picture that stays visible offline and in a saved notebook."""

from functools import cache
from typing import Any

from .rendering import alt, as_png, as_svg, specification

#: MIME type with which notebooks draw Vega-Lite themselves.
_VEGALITE = f"application/vnd.vegalite.{alt.SCHEMA_VERSION.partition('.')[0]}+json"
#: Largest SVG picture in characters; larger pictures are stored as PNG, which is smaller.
_LARGEST_SVG = 500_000


def offline(chart: Any) -> Any:
    """Return the chart with a picture that notebooks store in addition to the scripts.

    Altair's own way loads the scripts from the network. Another renderer that the user has enabled
    (``altair.renderers.enable``) is used instead.
    """
    made, kind = chart.copy(deep=False), chart.__class__
    # Altair takes an attribute of an instance for part of the specification.
    object.__setattr__(made, "__class__", _with_picture(kind))
    return made


@cache
def _with_picture(kind: Any) -> type[Any]:
    """Return a subclass of a chart class whose charts, and copies of charts, are shown with a picture."""

    def bundle(self: Any, *args: Any, **options: Any) -> Any:
        if alt.renderers.active != "default":
            return kind._repr_mimebundle_(self, *args, **options)
        found = specification(self)
        picture = as_svg(found)
        small = len(picture) <= _LARGEST_SVG
        image = {"image/svg+xml": picture} if small else {"image/png": as_png(found)}
        return {_VEGALITE: found, **image, "text/plain": f"<sledsim chart: {kind.__name__}>"}

    def reduced(self: Any) -> Any:
        return _restored, (kind, self._args, self._kwds)

    return type(kind.__name__, (kind,), {"_repr_mimebundle_": bundle, "__reduce__": reduced})


def _restored(kind: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Restore a pickled chart."""
    made = object.__new__(_with_picture(kind))
    object.__setattr__(made, "_args", args)
    object.__setattr__(made, "_kwds", keywords)
    return made
