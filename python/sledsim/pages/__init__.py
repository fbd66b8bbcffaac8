"""Offline web pages in one style: their structure, look and behaviour.

The ``.pyi`` file beside this one lists the public names: blocks for the pages of a package, and for results
that display themselves in a session and in a notebook.
"""

from ..public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
