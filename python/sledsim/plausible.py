"""Comparisons on plausible devices, with the share of devices in which each holds."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
