"""Executors, which simulate the points of a study, with one file for each executor."""

from .executor_table import EXECUTORS as EXECUTORS, executor as executor
