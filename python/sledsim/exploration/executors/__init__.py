"""Executors of the points of a study, one file each."""

from .executor_table import EXECUTORS as EXECUTORS, executor as executor
