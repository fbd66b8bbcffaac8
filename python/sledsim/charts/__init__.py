"""Charts of results, and the building blocks of charts in the style of sledsim.

The ``.pyi`` file next to this one lists the public functions, with which installed packages draw their
charts. Each function takes rows; a row is a mapping from names of columns to values.
"""

from ..public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
