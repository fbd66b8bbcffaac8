"""Bounds on the best order in which a batch of waiting requests can be served."""

from .batch_bounds import Bounds as Bounds, Schedule as Schedule, read_bounds as read_bounds
from .proofs import Certificate as Certificate, RequestSet as RequestSet
from .search import schedule_bounds as schedule_bounds
