"""The charts of results, and what charts are made of, in the house style.

The ``.pyi`` file beside it lists the public names: blocks for the charts of a package, each a function over
rows, which are mappings from the names of columns to values.
"""

from ..public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
