"""The parts of a command of a package: options, tables, progress, and kinds for ``sledsim list``."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
