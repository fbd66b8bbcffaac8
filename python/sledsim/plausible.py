"""Claims that compare something, tried on plausible devices: in which part of these each holds."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
