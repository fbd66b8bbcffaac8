"""Charts in notebooks: with a picture, so that they are seen offline and in a notebook that was saved."""

from functools import cache
from typing import Any

from .rendering import alt, as_png, as_svg, specification

#: What notebooks that draw Vega-Lite by themselves take.
_VEGALITE = f"application/vnd.vegalite.{alt.SCHEMA_VERSION.partition('.')[0]}+json"
#: A larger picture has so many points that it is smaller as PNG.
_LARGEST_SVG = 500_000


def offline(chart: Any) -> Any:
    """The chart, whose picture a notebook keeps beside what is drawn by scripts.

    Altair's own way loads the scripts from the network. Another renderer that the user has enabled
    (``altair.renderers.enable``) is used instead.
    """
    made, kind = chart.copy(deep=False), chart.__class__
    # Altair takes an attribute that is set for one of the specification.
    object.__setattr__(made, "__class__", _with_picture(kind))
    return made


@cache
def _with_picture(kind: Any) -> type[Any]:
    """The class of charts like these, which are shown with a picture; their copies are of it, too."""

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
    """A chart that was pickled."""
    made = object.__new__(_with_picture(kind))
    object.__setattr__(made, "_args", args)
    object.__setattr__(made, "_kwds", keywords)
    return made
