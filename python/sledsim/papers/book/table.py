"""Every experiment: one row each, in the order of the papers."""

from ..p000.table import EXPERIMENTS as OF_000
from ..p001.table import EXPERIMENTS as OF_001
from ..p002.table import EXPERIMENTS as OF_002
from ..p003.table import EXPERIMENTS as OF_003
from ..p004.table import EXPERIMENTS as OF_004
from ..shared.experiments import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (*OF_000, *OF_001, *OF_002, *OF_003, *OF_004)
