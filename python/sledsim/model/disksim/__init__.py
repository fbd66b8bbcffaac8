"""Drives out of the parameter files of DiskSim, as devices."""

from .imported import ImportedDisk
from .importing import disk_names, import_disksim
from .keys import AROUND, HARMLESS, MATTERS, Unkeyed

__all__ = ["AROUND", "HARMLESS", "MATTERS", "ImportedDisk", "Unkeyed", "disk_names", "import_disksim"]
