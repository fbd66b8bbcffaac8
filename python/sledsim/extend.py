"""Base classes and functions for devices, policies and seek models in Python."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__)
