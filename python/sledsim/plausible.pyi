from .exploration.measuring import Answer as Answer, Measurement as Measurement, Question as Question
from .exploration.settings import (
    Load as Load,
    Made as Made,
    Setting as Setting,
    said as said,
)
from .uncertainty.deciding import one_split as one_split
from .uncertainty.draws import DRAWS as DRAWS, Doubt as Doubt, drawn_share as drawn_share
