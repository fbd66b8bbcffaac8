"""The search for the best design for a workload: start, search, comparison of the best, and judgement."""

from .best_design import optimise as optimise
from .optimum import Optimum as Optimum
