"""The ledger of a study: rows of points by what they are of, in files to which lines are only added."""

from .contents import Contents as Contents
from .ledger import Ledger as Ledger
from .ledger_merging import merge as merge
from .point_keys import key_of as key_of, point_key as point_key
