"""Web pages in one house style, which work offline: what a page is, how it looks, and what it does.

The ``.pyi`` file beside it lists the public names: blocks for the pages of a package, and for results that
show themselves in a session and in a notebook.
"""

from ..public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
