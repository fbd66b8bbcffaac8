"""Figures with their intervals, from replications or batches, and what is best of several."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
