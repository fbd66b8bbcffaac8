"""Charts in notebooks, each with a picture that is visible without network and in a saved notebook."""

from functools import cache
from typing import Any

from .rendering import alt, as_png, as_svg, specification

#: MIME type of Vega-Lite charts, which notebooks draw themselves.
_VEGALITE = f"application/vnd.vegalite.{alt.SCHEMA_VERSION.partition('.')[0]}+json"
#: Largest number of characters of an SVG picture; a larger one is stored as PNG, which takes less space.
_LARGEST_SVG = 500_000


def offline(chart: Any) -> Any:
    """Return the chart in a form that notebooks store with a picture, so that it is visible without network.

    Altair alone loads its scripts from the network. A renderer that the user has enabled by
    ``altair.renderers.enable`` is used without the picture.
    """
    made, kind = chart.copy(deep=False), chart.__class__
    # The method is in a subclass, because Altair writes all attributes of an instance into the specification.
    object.__setattr__(made, "__class__", _with_picture(kind))
    return made


@cache
def _with_picture(kind: Any) -> type[Any]:
    """Return a subclass of a chart class that adds the picture; copies of a chart keep the subclass."""

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
    """Restore a chart from a pickle: from its class, its arguments and its keywords."""
    made = object.__new__(_with_picture(kind))
    object.__setattr__(made, "_args", args)
    object.__setattr__(made, "_kwds", keywords)
    return made
