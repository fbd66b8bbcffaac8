"""The five papers as programs: each experiment recomputes figures of a paper and judges its claims.

A new experiment is one file in the folder of its paper; sledsim finds the file by its name.
"""

from sledsim.public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
