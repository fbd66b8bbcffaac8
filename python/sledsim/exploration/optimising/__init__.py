"""The search for the best design for a workload: search, comparison of the best, test on new requests."""

from .best_design import optimise as optimise
from .optimum import Optimum as Optimum
