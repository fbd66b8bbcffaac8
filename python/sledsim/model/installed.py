"""Devices and policies of installed packages: added when one is named, or all are listed."""

from collections.abc import Callable
from functools import cache
from threading import RLock
from typing import Any

from .. import _native
from ..common import packages

#: Tables of the core that packages add to, each with what errors call a row.
_TABLES = {"kinds": "device", "schedulers": "scheduler"}
#: What the core calls a row of each.
_TABLE_OF = {"kind": "kinds", "scheduler": "schedulers"}
#: One at a time: what a package imports may ask for another name.
_LOCK = RLock()


@cache
def load_all(table: str) -> None:
    """Add all that installed packages have for a table, once; warn of what cannot be added."""
    if table in _TABLES:
        packages.each(_TABLES[table], lambda one: _add(table, one))


def _registry(table: str) -> tuple[Callable[[str], Any], Callable[[str, Any, str], None]]:
    """Load what finds a row that was added, and what adds one; a command that names none loads no NumPy."""
    if table == "kinds":
        from .own_devices import register_device, registered

        return registered, register_device
    from .scheduling import REGISTERED, share_scheduler

    return REGISTERED.get, share_scheduler


def _add(table: str, one: packages.Added) -> None:
    known, register = _registry(table)
    with _LOCK:
        # What a user has registered under the name stays.
        if known(one.name) is not None:
            return
        found = one.load()
        try:
            register(one.name, found, one.described(found))
        except _native.ParameterError as error:
            raise one.wrong(f"is not as it has to be: {error}") from None


def _load_missing(core_kind: str, name: str) -> str | None:
    """Add what a name means that the core does not know; say what is wrong with it."""
    table = _TABLE_OF.get(core_kind)
    if table is None:
        return None
    try:
        found = packages.find(_TABLES[table], name)
        if found is not None:
            _add(table, found)
        else:
            load_all(table)  # The error names what there is.
    except _native.ParameterError as error:
        return str(error)
    return None


_native.on_missing(_load_missing)
