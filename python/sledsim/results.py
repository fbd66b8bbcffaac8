"""Classes of results, for annotations; functions of `sledsim` create the objects."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__)
