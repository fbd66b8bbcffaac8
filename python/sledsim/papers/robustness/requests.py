"""Makers of requests in place of a paper's requests, from a count and a seed; loads refer to them by name."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from sledsim import Trace, bundled_trace, device, workload

from ..p001.file_layouts import file_trace
from ..shared.disk_traces import database


#: Requests are cached for all subjects compared under them, on the devices at work and some more.
@lru_cache(maxsize=600)
def _files(layout: str, count: int, seed: int) -> Trace:
    """Make requests for whole files, at the places of the file system under a layout."""
    return file_trace(layout, count, seed)


def _drawn_database(model: str, rate_per_s: float, count: int, seed: int) -> Trace:
    """Draw the requests that replace TPC-C on a device."""
    return database(device(model), rate_per_s, count, seed)


@lru_cache(maxsize=600)
def _day(name: str, count: int, seed: int) -> Trace:
    """Draw the beginning of a day from the counts of 003's Table 2."""
    return workload("metadata", device("atlas10k"), day=name, count=count, seed=seed)


@cache
def _capture(name: str, count: int, seed: int) -> Trace:
    """Return our capture; count and seed have no effect."""
    del count, seed
    return bundled_trace(name).transfers()


#: Makers by name in the tables and in ledgers.
MAKERS: Mapping[str, Callable[..., Trace]] = {
    "scheduling files": _files,
    "scheduling drawn_database": _drawn_database,
    "hierarchies day": _day,
    "formats capture": _capture,
}
