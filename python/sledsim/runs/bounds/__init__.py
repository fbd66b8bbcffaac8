"""How far schedules are from the best: bounds on a batch of requests that wait at once."""

from .result import Bounds, Schedule, read_bounds
from .search import schedule_bounds
from .verification import Certificate, RequestSet

__all__ = ["Bounds", "Certificate", "RequestSet", "Schedule", "read_bounds", "schedule_bounds"]
