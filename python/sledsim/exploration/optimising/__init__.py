"""The best design for a workload: start, search, comparison of the best, and what is left under new requests."""

from .optimise import optimise as optimise
from .result import Optimum as Optimum
