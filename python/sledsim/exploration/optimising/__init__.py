"""The best design for a workload: start, search, comparison of the best, and a judgement of it."""

from .optimise import optimise as optimise
from .result import Optimum as Optimum
