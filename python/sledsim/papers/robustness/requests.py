"""Functions that make the requests of loads in the robustness study, from a number of requests and a seed."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from sledsim import Trace, bundled_trace, device, workload

from ..p001.file_layouts import file_trace
from ..shared.disk_traces import database


#: The cache keeps requests until all devices and volumes that are compared with them have been run.
@lru_cache(maxsize=600)
def _files(layout: str, count: int, seed: int) -> Trace:
    """Draw reads of whole files, placed as a layout of paper 001 says."""
    return file_trace(layout, count, seed)


def _drawn_database(model: str, rate_per_s: float, count: int, seed: int) -> Trace:
    """Draw the requests that replace the trace TPC-C on the device `model`."""
    return database(device(model), rate_per_s, count, seed)


@lru_cache(maxsize=600)
def _day(name: str, count: int, seed: int) -> Trace:
    """Draw the first `count` requests of a day of paper 003, such as ``1999-01-13``, from its Table 2."""
    return workload("metadata", device("atlas10k"), day=name, count=count, seed=seed)


@cache
def _capture(name: str, count: int, seed: int) -> Trace:
    """Return the bundled capture `name`; `count` and `seed` have no effect."""
    del count, seed
    return bundled_trace(name).transfers()


#: Functions that make requests, by the name that TOML files and ledgers use.
MAKERS: Mapping[str, Callable[..., Trace]] = {
    "scheduling files": _files,
    "scheduling drawn_database": _drawn_database,
    "hierarchies day": _day,
    "formats capture": _capture,
}
