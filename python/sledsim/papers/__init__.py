"""The papers, executable: every experiment computes the paper's figures again and says how each claim stands.

A new experiment is one file in the room of its paper, which is found by its name.
"""

from sledsim.public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
