"""Simulator and design tool for MEMS-based (probe) storage.

The functions that users call are here. The other public names are in `results`, `listings`, `options`, `tips`
and `extend`; the ``.pyi`` file beside each module lists them.
"""

from . import moved
from .public import lazily

moved.watch()
__getattr__, __dir__ = lazily(__name__, moved.old_name)
