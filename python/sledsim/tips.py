"""Codes of a block over its tips, and the places of these tips (001-F21, F22)."""

from .public import lazily

__getattr__, __dir__ = lazily(__name__)
