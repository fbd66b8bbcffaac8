"""Groups of options that functions take by name, such as ``**how: Unpack[SweepOptions]``."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__)
