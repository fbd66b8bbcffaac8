"""Devices and policies of installed packages, loaded when a user names or lists them."""

from collections.abc import Callable
from functools import cache
from threading import RLock
from typing import Any

from .. import _native
from ..common import packages

#: Kind of plug-in (a key of `packages.GROUPS`) that adds rows to each core table.
_TABLES = {"kinds": "device", "schedulers": "scheduler"}
#: Core table by the word with which the core names a row in a request for a missing name.
_TABLE_OF = {"kind": "kinds", "scheduler": "schedulers"}
#: Lock that a thread may take twice, since the import of a package may look up another name.
_LOCK = RLock()


@cache
def load_all(table: str) -> None:
    """Add the devices or policies of all installed packages to a core table, once; warn of unusable ones."""
    if table in _TABLES:
        packages.each(_TABLES[table], lambda one: _add(table, one))


def _registry(table: str) -> tuple[Callable[[str], Any], Callable[[str, Any, str], None]]:
    """Return two functions of a core table: one looks up a name, the other registers a class under a name."""
    if table == "kinds":
        from .own_devices import register_device, registered

        return registered, register_device
    from .scheduling import REGISTERED, share_scheduler

    return REGISTERED.get, share_scheduler


def _add(table: str, one: packages.Added) -> None:
    known, register = _registry(table)
    with _LOCK:
        # A name that the user has registered stays.
        if known(one.name) is not None:
            return
        found = one.load()
        try:
            register(one.name, found, one.described(found))
        except _native.ParameterError as error:
            raise one.wrong(f"is invalid: {error}") from None


def _load_missing(core_kind: str, name: str) -> str | None:
    """Load the device or policy called `name`, which the core does not know, from a package that has it."""
    table = _TABLE_OF.get(core_kind)
    if table is None:
        return None
    try:
        found = packages.find(_TABLES[table], name)
        if found is not None:
            _add(table, found)
        else:
            load_all(table)  # The error then lists all names.
    except _native.ParameterError as error:
        return str(error)
    return None


_native.on_missing(_load_missing)
