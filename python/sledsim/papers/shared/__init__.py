"""Building blocks of experiments; most experiments import their names from here."""

from sledsim.public import lazily

__getattr__, __dir__ = lazily(__name__, checks=False)
