"""Parts for the commands of packages: options, tables, progress, and kinds for ``sledsim list``."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
