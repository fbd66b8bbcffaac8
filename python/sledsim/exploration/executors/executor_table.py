"""The table of executors, the places where points are run; ``--on`` names one of them."""

from ... import _native
from . import cluster, threads
from .executor_protocol import Executor

EXECUTORS = {row.name: row for row in (threads.ROW, cluster.LOCAL, cluster.DASK)}


def executor(text: str | None) -> tuple[Executor, str]:
    """Return the executor that ``--on`` names, and the text after its colon; `text` None means threads.

    Raises:
        ParameterError: No executor has this name.
    """
    name, _, where = (text or threads.ROW.name).partition(":")
    if name not in EXECUTORS or (name == threads.ROW.name and where):
        known = ", ".join(f"{row.form} ({row.description})" for row in EXECUTORS.values())
        raise _native.ParameterError(f"on = {text!r}: expected one of {known}")
    return EXECUTORS[name], where.removeprefix("//")
