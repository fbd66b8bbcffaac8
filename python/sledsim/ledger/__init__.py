"""The ledger of a study: files to which the results of finished points are added, one row per point."""

from .contents import Contents as Contents
from .ledger import Ledger as Ledger
from .ledger_merging import merge as merge
from .point_keys import key_of as key_of, point_key as point_key
