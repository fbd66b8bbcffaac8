"""003-E-10, Section 1: costs of the hierarchies.

Cost of disk, NVRAM and sleds at several prices of MEMS storage, and prices at which a sled is worth its cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..shared import Range, Result, device, noted, stated
from .charts import intervals, lines
from .inputs import DISK, MEMS, inputs, notes
from .systems import Interval, Observed, observed

_SYSTEMS = ("MMD", "MCD", "MMCD")
#: Prices of a byte of MEMS storage that are tried, in prices of a byte of disk. Paper 003 expects less than
#: 10.
_MEMS_PRICES = (1.0, 2.0, 5.0, 10.0)
#: Range of the capacity of a sled, in GB, that paper 003 expects; MEMS storage is bought in whole sleds.
_SLED_GB = ("1", "10")
#: Size in GB of the write buffer of paper 003, which could also be NVRAM.
_BUFFER_GB = 0.128
_GB = 1e9


@dataclass(frozen=True)
class Prices:
    """Prices of storage per byte, in units of the price of a byte of disk; default: estimates of paper 003.

    Attributes:
        nvram: Price of NVRAM; the paper estimates 1000 times that of disk.
        mems: Price of MEMS storage; the paper estimates at most 10 times that of disk.
    """

    nvram: float = 1000.0
    mems: float = 10.0


@dataclass(frozen=True)
class Hierarchy:
    """A storage hierarchy, with the amount of each kind of storage that has to be bought.

    Attributes:
        name: Name of the hierarchy in tables.
        disk_gb: Gigabytes of disk.
        mems_gb: Gigabytes of MEMS storage.
        nvram_gb: Gigabytes of NVRAM.
    """

    name: str
    disk_gb: float = 0.0
    mems_gb: float = 0.0
    nvram_gb: float = 0.0

    def cost(self, prices: Prices) -> float:
        """Return the cost of the hierarchy, in units of the price of a GB of disk."""
        return self.disk_gb + prices.mems * self.mems_gb + prices.nvram * self.nvram_gb


def hierarchies(disk_gb: float, sled_gb: float) -> list[Hierarchy]:
    """Return the compared hierarchies for a disk of `disk_gb` GB and sleds of `sled_gb` GB each."""
    sleds = -(-disk_gb // sled_gb)
    return [
        Hierarchy("DISK", disk_gb),
        Hierarchy("disk and 128 MB of NVRAM", disk_gb, nvram_gb=_BUFFER_GB),
        Hierarchy("MMD, MCD or MMCD: disk and a sled", disk_gb, sled_gb),
        Hierarchy("disk and 128 MB of a sled", disk_gb, _BUFFER_GB),
        Hierarchy("sleds alone", mems_gb=sleds * sled_gb),
    ]


def sled_as_nvram(prices: Prices, sled_gb: float) -> float:
    """Return the price of MEMS storage per byte at which a sled costs as much as 128 MB of NVRAM."""
    return prices.nvram * _BUFFER_GB / sled_gb


def worth(speedup: Interval, disk_gb: float, sled_gb: float) -> Interval:
    """Return the price of MEMS storage up to which adding a sled lowers the product of cost and response.

    The price is that of a byte, in prices of a byte of disk. `speedup` is the mean response with the disk
    alone over that with disk and sled.
    """
    ends = (speedup.value, speedup.low, speedup.high)
    return Interval(*(max(0.0, end - 1) * disk_gb / sled_gb for end in ends))


def run(quick: bool) -> Result:
    """Compute costs of hierarchies at several prices of MEMS storage, and break-even prices."""
    mems, disk = device(MEMS), device(DISK)
    sled_gb, disk_gb = (one.characteristics()["capacity_bytes"] / _GB for one in (mems, disk))
    prices, seen = Prices(), observed(quick)
    costs = _costs(hierarchies(disk_gb, sled_gb))
    worths = [_worth(one, system, disk_gb, sled_gb) for one in seen for system in _SYSTEMS]
    axes = (
        ("mems_price", "Price of a byte of MEMS over disk (log scale)"),
        ("cost_over_disk", "Cost over that of the disk (log scale)"),
    )
    return Result(
        devices=[mems, disk],
        claims=[
            stated(
                "003-C13",
                "prices of 2002, which 003 cites",
                Range("capacity of a sled (GB)", *_SLED_GB, sled_gb),
            )
        ],
        tables={
            "Cost over the price of MEMS storage": costs,
            "Price at which a sled costs as much as 128 MB of NVRAM": _as_nvram(prices, sled_gb),
            "Price up to which a sled is worth its cost": worths,
        },
        charts={
            "Cost over the price of MEMS storage": partial(lines, costs, *axes, "hierarchy", "prices"),
            "Price up to which a sled is worth its cost": partial(
                intervals, worths, "mems_price", "Break-even price of MEMS over disk (log scale)", least=1e-2
            ),
        },
        notes=[
            *notes(inputs(quick)),
            *noted(
                "003-E-10",
                disk_gb=disk_gb,
                sled_gb=sled_gb,
                as_nvram=sled_as_nvram(prices, sled_gb),
                mems=prices.mems,
                nvram_mb=1e3 * prices.mems * sled_gb / prices.nvram,
                disks=prices.mems * sled_gb / disk_gb,
            ),
        ],
    )


def _costs(all_of_them: Sequence[Hierarchy]) -> list[dict[str, Any]]:
    return [
        {
            "prices": f"NVRAM at {Prices().nvram:g}",
            "hierarchy": one.name,
            "mems_price": price,
            "cost_disk_gb": one.cost(Prices(mems=price)),
            "cost_over_disk": one.cost(Prices(mems=price)) / all_of_them[0].cost(Prices(mems=price)),
        }
        for one in all_of_them
        for price in _MEMS_PRICES
    ]


def _as_nvram(prices: Prices, sled_gb: float) -> list[dict[str, Any]]:
    sizes = (float(_SLED_GB[0]), sled_gb, float(_SLED_GB[1]))
    return [{"sled_bytes": size * _GB, "mems_price": sled_as_nvram(prices, size)} for size in sizes]


def _worth(one: Observed, system: str, disk_gb: float, sled_gb: float) -> dict[str, Any]:
    speedup = one.speedup("DISK", system)
    return {
        "input": one.name,
        "system": system,
        **speedup.columns("disk_over_system"),
        **worth(speedup, disk_gb, sled_gb).columns("mems_price"),
    }
