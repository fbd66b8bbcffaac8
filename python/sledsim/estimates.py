"""Figures with confidence intervals, from replications or batches, and the best of several."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
