"""Devices, policies and seek models that are written in Python."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__)
