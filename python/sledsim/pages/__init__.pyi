from ..common import units as units
from ..common.grids import of_rows as of_rows
from ..common.html_text import printable as printable
from ..common.shown import (
    Form as Form,
    Result as Result,
    Shown as Shown,
    clipped as clipped,
    counted as counted,
)
from .page import About as About, document as document, drawing as drawing
from .templates import environment as environment
