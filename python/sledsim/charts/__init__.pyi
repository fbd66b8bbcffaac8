from .design_chart import trade_offs as trade_offs
from .grammar import (
    alt as alt,
    colour as colour,
    grouped as grouped,
    groups as groups,
    lines as lines,
    log_axis as log_axis,
    names as names,
    plot as plot,
    rule as rule,
    side_by_side as side_by_side,
    ticked as ticked,
    tips as tips,
    unfolded as unfolded,
)
from .rendering import as_svg as as_svg, libraries as libraries, specification as specification
from .style import COLOURS as COLOURS, readable as readable, save_charts as save_charts
