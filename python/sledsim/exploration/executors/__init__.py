"""Where the points of a study are run: one file an executor."""

from .registry import EXECUTORS as EXECUTORS, executor as executor
