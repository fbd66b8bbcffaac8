"""Lists of all named things: devices, policies, formats, volumes, and their options."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__)
