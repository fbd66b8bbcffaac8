"""Files that a package reads and writes: texts, tables and folders, whole or not at all."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
