"""Simulator and design tool for MEMS-based (probe) storage.

The functions that users call are here; `results`, `listings`, `options`, `tips` and `extend` have the other
public names. The ``.pyi`` file beside each lists them.
"""

from . import moved
from .public import lazily

moved.watch()
__getattr__, __dir__ = lazily(__name__, moved.old_name)
