"""The building blocks of experiments, of which most take their names from here."""

from sledsim.public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
