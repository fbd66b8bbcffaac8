"""Charts of results, and the building blocks of charts in the house style.

The ``.pyi`` file next to this one lists the public names: blocks for the charts of a package. Each is a
function over rows, which are mappings from the names of columns to values.
"""

from ..public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
