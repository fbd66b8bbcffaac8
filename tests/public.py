"""The public names of the package in all modules."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from sledsim.public import FOR_PACKAGES as BLOCKS, homes

#: Modules that users name, each with a list of its names.
MODULES = (
    "sledsim",
    "sledsim.results",
    "sledsim.listings",
    "sledsim.extend",
    "sledsim.options",
    "sledsim.tips",
)
#: Modules with building blocks for packages, of which the papers are one.
FOR_PACKAGES = tuple(f"sledsim.{name}" for name in BLOCKS)


def public_names() -> Mapping[str, Any]:
    """Return every public name without its module, with its object; modules are left out."""
    found = {}
    for module in MODULES:
        for name, home in homes(module).items():
            if home != ".":
                found[name] = getattr(import_module(module), name)
    return found
