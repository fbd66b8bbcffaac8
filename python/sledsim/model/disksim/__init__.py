"""Import of drives from DiskSim's parameter files as device files."""

from .drives import (
    CAPACITIES as CAPACITIES,
    disk_names as disk_names,
    import_disksim as import_disksim,
)
from .imported import ImportedDisk as ImportedDisk
from .keys import AROUND as AROUND, HARMLESS as HARMLESS, MATTERS as MATTERS, Unkeyed as Unkeyed
