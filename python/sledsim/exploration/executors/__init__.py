"""Where the points of a study are run: one file an executor."""

from .executor_table import EXECUTORS as EXECUTORS, executor as executor
