"""Web pages that work offline, in one style: structure (HTML), look (CSS) and behaviour (script).

The ``.pyi`` file next to this one lists the public names, with which an installed package builds pages, and
results that sessions and notebooks display.
"""

from ..public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
