"""Files that a package reads and writes (texts, tables, folders), each complete or absent."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
