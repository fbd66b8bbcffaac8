"""Charts of results, and the building blocks of charts in the house style.

The ``.pyi`` file next to this one lists the public functions, with which installed packages draw charts of
their own. Each function takes rows; a row maps names of columns to values.
"""

from ..public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
