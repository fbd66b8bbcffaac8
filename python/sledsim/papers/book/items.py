"""What the five papers print, and where each piece of it is here: nothing of them is silently left out."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """A figure, table, equation or section of a paper, or what it leaves to later work.

    Attributes:
        paper: The number of the paper.
        printed: What it is there.
        here: Where it is here: experiments, studies, devices and volumes by their names.
        lacks: What of it is not here, and why; empty where it is whole.
    """

    paper: str
    printed: str
    here: tuple[str, ...]
    lacks: str = ""


_TRACES_000 = (
    "its traces of 1999 are not published: drawn streams and, with --traces, real disks stand for them"
)
_DRAWN_000 = "its traces of 1999 are not published: drawn streams stand for them"
_TRACES_001 = (
    "neither trace is published: drawn requests, captures and, with --traces, real ones stand for them"
)
_TRACES_003 = (
    "its two days of 1999 are not published: drawn days, captures and, with --traces, a week of 1992"
)
_DRAWN_003 = "its two days of 1999 are not published: drawn days stand for them"
_TRACES_004 = "its traces: own captures of the same file systems stand for them"
_CARD = f"the powers of its card, and {_TRACES_004}"

#: What is lacking of a trace or a table is that it was not published.
ITEMS = (
    Item("000", "Equations 1 to 6, Table 1: seeks, turnarounds, settling", ("mascots03", "data-sheet")),
    Item("000", "Figure 1: where data lie", ("mascots03", "000-E-1")),
    Item("000", "Figure 2: seek-time equivalence regions", ("000-E-1", "seek-map", "equivalence-regions")),
    Item("000", "Figure 3: zones and their order", ("000-E-2", "zone-threshold")),
    Item("000", "Equation 7, sections 5 and 6: the policies", ("000-E-3", "000-E-5")),
    Item("000", "Figure 4: policies inside the zones", ("000-E-3",), _TRACES_000),
    Item("000", "Section 7.2: sizes of zones and thresholds", ("000-E-2", "000-E-4"), _TRACES_000),
    Item("000", "Section 7.3, Figure 5: zones and the policies of disks", ("000-E-5",), _TRACES_000),
    Item("000", "Section 8: what a decision costs", ("000-E-6",), "its processor and its tables in hardware"),
    Item("000", "Figure 6: pyramids of zones", ("000-E-7",), _TRACES_000),
    Item("000", "Section 9: layouts by zones", ("000-E-8",)),
    Item("000", "Section 10: by how much the variation is lower", ("000-E-5",)),
    Item("000", "Introduction: beside disks", ("000-E-10",), "the densities and powers of those disks"),
    Item("000", "Section 7: the two traces", ("000-E-9",), _DRAWN_000),
    Item("000", "Section 7.2: zones of unequal sizes", ("000-E-11",)),
    Item("000", "Section 6: deciding not after every request", ("000-E-12",)),
    Item(
        "001",
        "Section 2, Figures 1 to 4, Table 1: the device",
        ("001-E-10", "osdi00", "data-sheet"),
        "the disks compared with",
    ),
    Item("001", "Figure 5: schedulers on a disk", ("001-E-1", "atlas10k")),
    Item("001", "Figure 6: schedulers on the device", ("001-E-2",)),
    Item("001", "Figure 7: schedulers on Cello and TPC-C", ("001-E-3",), _TRACES_001),
    Item("001", "Figure 8: schedulers and settling", ("001-E-4",)),
    Item("001", "Figure 9: subregions", ("001-E-5", "subregions")),
    Item("001", "Figure 10: large requests", ("001-E-6", "large-requests")),
    Item(
        "001",
        "Figure 11: layouts of files",
        ("001-E-7",),
        "sizes beyond the printed quantiles, and how popular files are",
    ),
    Item("001", "Table 2: read-modify-write", ("001-E-8", "read-modify-write", "read-modify-write-sequence")),
    Item(
        "001",
        "Section 6: codes, spare tips, remapping",
        ("001-E-11", "error-correction", "tip-spread", "data-loss"),
    ),
    Item("001", "Section 6: RAID-5 and striping", ("001-E-9", "raid5"), "its rate and its stripe unit"),
    Item("001", "Starting up", ("001-E-11", "start-up")),
    Item(
        "001", "Section 7: power", ("001-E-12", "power-strategies"), "powers of the device and of the disks"
    ),
    Item("001", "Section 7: seeks by linear feedback", ("001-E-13", "seek-models")),
    Item("001", "Section 7: media that have to be erased", ("001-E-14", "osdi00-erase")),
    Item(
        "002",
        "Figures 1 to 4, equations 1 to 5, Table 1: both designs",
        ("002-E-1", "sigmetrics00"),
    ),
    Item("002", "Table 2: random requests", ("002-E-1",)),
    Item(
        "002",
        "Introduction and section 3: the disk beside it",
        ("002-E-1", "cheetah4lp"),
        "its demerit's trace",
    ),
    Item("002", "Figure 5: seek times", ("002-E-2", "seek-distance", "seek-distribution")),
    Item("002", "Figure 6: acceleration", ("002-E-3", "sensitivity-acceleration")),
    Item("002", "Figure 7: access velocity", ("002-E-4", "sensitivity-velocity")),
    Item("002", "Figure 8: width of a bit", ("002-E-5", "sensitivity-bit-width")),
    Item("002", "Figure 9: resonant frequency", ("002-E-6", "sensitivity-frequency")),
    Item("002", "Figure 10: time constants of settling", ("002-E-7", "sensitivity-settling")),
    Item("002", "Figure 11: schedulers on a disk", ("002-E-8", "cheetah4lp")),
    Item("002", "Figure 12: schedulers on the device", ("002-E-9",)),
    Item("002", "Figure 13: schedulers on Cello and TPC-C", ("002-E-10",), _TRACES_001),
    Item("002", "Figure 14: schedulers and settling", ("002-E-11",)),
    Item(
        "002",
        "Later work: actuators, other designs",
        ("slew-limit", "seek-models"),
        "no wear, no applications",
    ),
    Item("003", "Figures 1 and 2, Table 1: the device", ("003-E-1", "hong03")),
    Item("003", "Table 2: the traces", ("003-E-1",), _TRACES_003),
    Item("003", "Figure 3: times between arrivals", ("003-E-2",), _TRACES_003),
    Item("003", "Figure 4: responses of the hierarchies", ("003-E-3",), _TRACES_003),
    Item("003", "Figure 5: variation of the hierarchies", ("003-E-4",), _TRACES_003),
    Item("003", "Figure 6: scaled traces", ("003-E-5",), _DRAWN_003),
    Item("003", "Size of the write buffer", ("003-E-6",), _TRACES_003),
    Item("003", "What the improvements hang on", ("003-E-9",), _TRACES_003),
    Item("003", "Losing a device or power", ("003-E-8",)),
    Item("003", "Section 1: prices", ("003-E-10",), "prices are estimates of the paper, and can be set"),
    Item("003", "Later work: a virtual disk", ("003-E-7", "virtual-disk")),
    Item("003", "Strategies that save power", ("003-E-1", "power-strategies"), "powers and workloads cited"),
    Item("003", "Section 3: what is cited of metadata", ("003-E-1",), "the file systems that were measured"),
    Item("004", "Equations 1 to 6, Table 1: format, response, energy", ("emsoft08", "004-E-5")),
    Item("004", "Introduction, Figure 1: densities, capacities, prices", ("004-E-5", "emsoft08"), "prices"),
    Item("004", "Figure 2: three configurations", ("004-E-1",)),
    Item("004", "Figure 3: active probes", ("004-E-2",), _TRACES_004),
    Item("004", "Figure 4: sectors side by side", ("004-E-3",), _TRACES_004),
    Item("004", "Sections 5.3 and 5.4: sizes of sectors", ("004-E-4", "004-E-5"), _TRACES_004),
    Item("004", "Section 9: related layouts", ("004-E-3",), "their own codes and overheads; prices"),
    Item("004", "Figure 5: the design space, and picks", ("004-E-5",), _TRACES_004),
    Item(
        "004",
        "Figure 6: designs and a flash card",
        ("004-E-6", "cf-card"),
        _CARD,
    ),
    Item(
        "004",
        "Figure 7: traces and a flash card",
        ("004-E-7", "cf-card"),
        _CARD,
    ),
    Item("004", "Section 8: enhancements", ("004-E-8",), "scaling of the voltage only as half the power"),
    Item("004", "Section 7.3: scheduling by zones", ("004-E-9",)),
)
