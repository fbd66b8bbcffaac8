"""Experiments on five papers: each recomputes a table or figure of a paper and judges the paper's claims.

An experiment is a Python file in the folder of its paper; sledsim finds the file by its name.
"""

from sledsim.public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
