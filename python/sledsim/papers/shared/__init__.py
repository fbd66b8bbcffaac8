"""Classes and functions that the experiments of the papers share, such as claims, findings and curves."""

from sledsim.public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
