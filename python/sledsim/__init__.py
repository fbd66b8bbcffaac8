"""Simulator and design tool for MEMS-based (probe) storage.

What users call is here; `results`, `listings`, `tips` and `extend` have the rest of the public names. The
``.pyi`` file beside each lists them.
"""

from . import moved
from .public import lazily

moved.watch()
__getattr__, __dir__ = lazily(__name__, moved.old_name)
