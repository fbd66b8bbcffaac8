"""Requests that stand for those of a paper, made from a number of them and a seed; a load names them."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from sledsim import Trace, bundled_trace, device, workload

from ..p001.file_layouts import file_trace
from ..shared.disk_traces import database


#: Requests are made once for what is compared under them: of the devices that are looked at, and some.
@lru_cache(maxsize=600)
def _files(layout: str, count: int, seed: int) -> Trace:
    """Whole files where the file system puts them under a layout."""
    return file_trace(layout, count, seed)


def _drawn_database(model: str, rate_per_s: float, count: int, seed: int) -> Trace:
    """What stands for TPC-C on a device."""
    return database(device(model), rate_per_s, count, seed)


@lru_cache(maxsize=600)
def _day(name: str, count: int, seed: int) -> Trace:
    """The beginning of a day that is drawn by the counts of 003's Table 2."""
    return workload("metadata", device("atlas10k"), day=name, count=count, seed=seed)


@cache
def _capture(name: str, count: int, seed: int) -> Trace:
    """An own capture, whatever the number and the seed."""
    del count, seed
    return bundled_trace(name).transfers()


#: By their names in the tables and in ledgers.
MAKERS: Mapping[str, Callable[..., Trace]] = {
    "scheduling files": _files,
    "scheduling drawn_database": _drawn_database,
    "hierarchies day": _day,
    "formats capture": _capture,
}
