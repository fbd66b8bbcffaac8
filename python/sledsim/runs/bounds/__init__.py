"""How far schedules are from the best: bounds on a batch of requests that wait at once."""

from .result import Bounds as Bounds, Schedule as Schedule, read_bounds as read_bounds
from .search import schedule_bounds as schedule_bounds
from .verification import Certificate as Certificate, RequestSet as RequestSet
