"""The papers, executable: every experiment computes the paper's figures again and says how each claim stands.

A new experiment is one file here and one row in `EXPERIMENTS`.
"""

import difflib
import re

from .. import _native
from ..files import PathLike
from . import (
    p000_e01_equivalence_regions,
    p000_e02_zones,
    p000_e03_in_zone,
    p000_e04_zone_sizes,
    p000_e05_policies,
    p000_e06_decision_cost,
    p000_e07_pyramid,
    p000_e08_zone_layout,
    p001_e01_disk,
    p001_e02_scheduling,
    p001_e04_settling,
    p001_e05_subregions,
    p001_e06_large_requests,
    p001_e07_layouts,
    p001_e08_read_modify_write,
    p001_e09_raid5,
    p001_e10_data_sheet,
    p001_e11_faults,
    p001_e12_power,
    p001_e13_seek_control,
    p001_e14_erasing,
    p002_e01_random,
    p002_e02_seeks,
    p002_e03_acceleration,
    p002_e04_velocity,
    p002_e05_bit_width,
    p002_e06_frequency,
    p002_e07_settling,
    p002_e08_disk,
    p002_e09_scheduling,
    p002_e11_settling,
    p003_e01_traces,
    p003_e02_arrivals,
    p003_e03_response,
    p003_e04_variation,
    p003_e05_scaled,
    p003_e06_buffer,
    p003_e07_virtual_disk,
    p003_e08_crash,
    p004_e02_probes,
    p004_e03_parallelism,
    p004_e05_space,
    p004_e06_devices,
    p004_e07_traces,
    p004_e08_enhancements,
    p004_e09_zones,
)
from .book import check_book, write_book
from .claims import Claim, claim
from .experiments import PAPERS, Chapter, Experiment, Result
from .figures import Bound, Figure
from .findings import Elsewhere, Finding, Statement, Unpublished
from .hp_disks import check_traces
from .records import Record
from .verdict_table import verdict_rows
from .verdicts import Verdict

__all__ = [
    "EXPERIMENTS",
    "PAPERS",
    "Bound",
    "Chapter",
    "Claim",
    "Elsewhere",
    "Experiment",
    "Figure",
    "Finding",
    "Record",
    "Result",
    "Statement",
    "Unpublished",
    "Verdict",
    "check_book",
    "check_traces",
    "claim",
    "experiment",
    "run",
    "verdict_rows",
    "write_book",
]


def _ids(paper: str, *numbers: int) -> tuple[str, ...]:
    return tuple(f"{paper}-C{number}" for number in numbers)


EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "000-E-1",
        "Figure 2: seek-time equivalence regions",
        "The time of seeks from four places to all others, and the extents of the areas of equal time.",
        _ids("000", 1, 2, 5),
        p000_e01_equivalence_regions.run,
    ),
    Experiment(
        "000-E-2",
        "Figure 3 and section 7.2: zones and their thresholds",
        "The order of zones, and seeks from a zone's centre to its borders.",
        _ids("000", 3),
        p000_e02_zones.run,
    ),
    Experiment(
        "000-E-3",
        "Figure 4: policies inside the zones",
        "Response time and its variation under FCFS, ZFCFS, ZSPTF and ZTSPTF over the load.",
        _ids("000", 6, 7),
        p000_e03_in_zone.run,
        p000_e03_in_zone.run,
    ),
    Experiment(
        "000-E-4",
        "Sections 7.2 and 7.3: sizes of zones",
        "ZSPTF and ZTSPTF with zones of 60 x 600, 120 x 1200 and 240 x 2400 bits over the load.",
        _ids("000", 8, 9, 10),
        p000_e04_zone_sizes.run,
        p000_e04_zone_sizes.run,
    ),
    Experiment(
        "000-E-5",
        "Figure 5: ZSPTF and the policies of disks",
        "Response time and its variation under FCFS, C-SCAN, SSTF, SPTF, ASPTF(5) and ZSPTF over the load.",
        _ids("000", 11, 12, 13, 14, 15, 16, 17, 21),
        p000_e05_policies.run,
        p000_e05_policies.run,
    ),
    Experiment(
        "000-E-6",
        "Section 8: what a decision costs",
        "The time of a decision on this machine, by searching and by index, and the queues of zones.",
        _ids("000", 4, 18),
        p000_e06_decision_cost.run,
    ),
    Experiment(
        "000-E-7",
        "Figure 6: pyramids of zones",
        "How much of the difference between ZSPTF and ASPTF(5) zones of variable size take away.",
        _ids("000", 19),
        p000_e07_pyramid.run,
        p000_e07_pyramid.run,
    ),
    Experiment(
        "000-E-8",
        "Section 9: related data within zones",
        "Response under the zone-grouped layout over that under the disk-like one, by policy.",
        (),
        p000_e08_zone_layout.run,
    ),
    Experiment(
        "001-E-1",
        "Figure 5: schedulers on the reference disk",
        "Response time and its variability of a Quantum Atlas 10K over the arrival rate under four policies.",
        (),
        p001_e01_disk.run,
    ),
    Experiment(
        "001-E-2",
        "Figure 6: schedulers under the random workload",
        "Response time and its variability over the arrival rate under four policies, with intervals.",
        _ids("001", 20),
        p001_e02_scheduling.run,
    ),
    Experiment(
        "001-E-4",
        "Figure 8: schedulers and the settling time",
        "Response time over the arrival rate with no settling time, the default, and twice the default.",
        _ids("001", 21),
        p001_e04_settling.run,
    ),
    Experiment(
        "001-E-5",
        "Figure 9: seeks inside 25 subregions",
        "Mean seeks between random places of one subregion, with and without settling; what springs do.",
        _ids("001", 12, 24),
        p001_e05_subregions.run,
    ),
    Experiment(
        "001-E-6",
        "Figure 10: large requests over the distance in x",
        "The service time of a 256 KiB read after a seek in x.",
        _ids("001", 13),
        p001_e06_large_requests.run,
    ),
    Experiment(
        "001-E-7",
        "Figure 11: layouts of files",
        "Mean access to 10,000 files under four layouts, with and without settling; layouts on real traces.",
        _ids("001", 14),
        p001_e07_layouts.run,
        p001_e07_layouts.run,
    ),
    Experiment(
        "001-E-8",
        "Table 2: read-modify-write",
        "Reading 8 and 334 blocks, returning to their start, and writing them, on the device and on a disk.",
        _ids("001", 15, 16),
        p001_e08_read_modify_write.run,
    ),
    Experiment(
        "001-E-9",
        "Section 6.2: RAID-5 and striping",
        "Mean response of five devices with parity and of four without, of disks and of MEMS devices.",
        _ids("001", 17),
        p001_e09_raid5.run,
    ),
    Experiment(
        "001-E-10",
        "Table 1 and section 2: the device's data sheet",
        "Capacity, geometry, rates and the mean random access that follow from the parameters.",
        _ids("001", 1, 2, 3, 4, 5, 6, 8, 9, 10, 25),
        p001_e10_data_sheet.run,
    ),
    Experiment(
        "001-E-11",
        "Section 6: failing tips, defects, remapping and start-up",
        "Codes with real data, requests with and without faults, and times from rest.",
        _ids("001", 18),
        p001_e11_faults.run,
    ),
    Experiment(
        "001-E-12",
        "Section 7: power policies, over the time-out and the load",
        "Energy over that of an oracle, and response, from requests that are rare to a busy device.",
        _ids("001", 19),
        p001_e12_power.run,
    ),
    Experiment(
        "001-E-13",
        "Section 7: seeks by a linear feedback loop",
        "Seek times, schedulers over the load, and layouts, by slew and settle and by linear loops.",
        (),
        p001_e13_seek_control.run,
    ),
    Experiment(
        "001-E-14",
        "Section 7: media that have to be erased",
        "Captures and random requests, with each write erasing and with logs that hide it.",
        (),
        p001_e14_erasing.run,
    ),
    Experiment(
        "002-E-1",
        "Tables 1 and 2: the default device under the random workload",
        "100,000 random requests, and the parts of their service time.",
        _ids("002", 1, 2, 3, 5, 6, 7, 8, 9, 10, 11),
        p002_e01_random.run,
    ),
    Experiment(
        "002-E-2",
        "Figure 5: seek time over distance, and its distribution",
        "Seeks in x and y with and without settling and turnarounds, and how often each axis decides.",
        _ids("002", 14),
        p002_e02_seeks.run,
    ),
    Experiment(
        "002-E-3",
        "Figure 6: sensitivity to acceleration",
        "The mean access over the acceleration of the sled.",
        (),
        p002_e03_acceleration.run,
    ),
    Experiment(
        "002-E-4",
        "Figure 7: sensitivity to access velocity",
        "The mean access over the velocity, for several accelerations.",
        _ids("002", 4, 12),
        p002_e04_velocity.run,
    ),
    Experiment(
        "002-E-5",
        "Figure 8: sensitivity to bit width",
        "The mean access and the capacity over the width of a bit.",
        (),
        p002_e05_bit_width.run,
    ),
    Experiment(
        "002-E-6",
        "Figure 9: sensitivity to resonant frequency",
        "The mean access over the resonant frequency, which sets the settling time.",
        (),
        p002_e06_frequency.run,
    ),
    Experiment(
        "002-E-7",
        "Figures 9 and 10: sensitivity to settling",
        "The mean access over the number of time constants, and over the time constant itself.",
        _ids("002", 13),
        p002_e07_settling.run,
    ),
    Experiment(
        "002-E-8",
        "Figure 11: schedulers on the reference disk",
        "Response time and its variability of a Cheetah 4LP over the arrival rate under four policies.",
        (),
        p002_e08_disk.run,
    ),
    Experiment(
        "002-E-9",
        "Figure 12: schedulers under the random workload",
        "Response time and its variability over the arrival rate under four policies, with intervals.",
        (),
        p002_e09_scheduling.run,
    ),
    Experiment(
        "002-E-11",
        "Figure 14: schedulers and the number of time constants",
        "Response time over the arrival rate with no time constant of settling, one, and two.",
        _ids("002", 15),
        p002_e11_settling.run,
    ),
    Experiment(
        "003-E-1",
        "Tables 1 and 2: the device and the traces",
        "Counts, shares and rates of the inputs; capacity and speed of the device.",
        _ids("003", 1, 7, 9, 10, 11, 12, 13, 14),
        p003_e01_traces.run,
        p003_e01_traces.run,
    ),
    Experiment(
        "003-E-2",
        "Figure 3: times between arrivals",
        "How many requests, reads, writes and requests for metadata come within a time of the one before.",
        (),
        p003_e02_arrivals.run,
        p003_e02_arrivals.run,
    ),
    Experiment(
        "003-E-3",
        "Figure 4: mean response of the hierarchies",
        "DISK, MMD, MCD and MMCD on the same requests, and what each of their devices does.",
        _ids("003", 2, 3, 4),
        p003_e03_response.run,
        p003_e03_response.run,
    ),
    Experiment(
        "003-E-4",
        "Figure 5: variability of the hierarchies",
        "Squared coefficients of variation of DISK, MMD, MCD and MMCD on the same requests.",
        _ids("003", 5),
        p003_e04_variation.run,
        p003_e04_variation.run,
    ),
    Experiment(
        "003-E-5",
        "Figure 6: hierarchies under scaled traces",
        "Mean response of MCD and MMCD as requests come faster.",
        _ids("003", 6),
        p003_e05_scaled.run,
    ),
    Experiment(
        "003-E-6",
        "Section 4.2: size of the write buffer",
        "Mean response of MCD and MMCD with buffers of a few to 500 MB.",
        _ids("003", 8),
        p003_e06_buffer.run,
        p003_e06_buffer.run,
    ),
    Experiment(
        "003-E-7",
        "Section 7: the MEMS virtual disk",
        "Mean response over size, segment and rule of replacement, beside disk and MEMS device alone.",
        (),
        p003_e07_virtual_disk.run,
        p003_e07_virtual_disk.run,
    ),
    Experiment(
        "003-E-8",
        "Sections 4 and 5: losing a device, losing power",
        "What only the MEMS device has at several times, and what is read after a loss of power.",
        (),
        p003_e08_crash.run,
        p003_e08_crash.run,
    ),
    Experiment(
        "004-E-2",
        "Figure 3: the number of active probes",
        "Response, energy and utilization over the probes of a sector of 512 bytes.",
        _ids("004", 6, 8, 9),
        p004_e02_probes.run,
    ),
    Experiment(
        "004-E-3",
        "Figure 4: sectors side by side",
        "Response, energy and utilization over the number of sectors that 256 probes read together.",
        _ids("004", 7, 10),
        p004_e03_parallelism.run,
    ),
    Experiment(
        "004-E-5",
        "Figure 5: the design space",
        "Response, energy and capacity of every feasible format, and the devices picked from them.",
        _ids("004", 1, 2, 3, 4, 5, 11, 14, 15, 16),
        p004_e05_space.run,
    ),
    Experiment(
        "004-E-6",
        "Figure 6: four designs beside a flash card",
        "Response and energy of the designs that 004 picks, and of the card, on an own capture.",
        _ids("004", 13),
        p004_e06_devices.run,
    ),
    Experiment(
        "004-E-7",
        "Figure 7: four traces beside a flash card",
        "The design of best performance for each of four own captures, and the card.",
        _ids("004", 12),
        p004_e07_traces.run,
    ),
    Experiment(
        "004-E-8",
        "Section 8: enhancements, and power policies",
        "Response and energy with faster probes, a power net, actuators, electronics, and power policies.",
        (),
        p004_e08_enhancements.run,
    ),
    Experiment(
        "004-E-9",
        "Section 7.3: scheduling by zones",
        "Positioning, response and energy under policies, over the load and with captures.",
        (),
        p004_e09_zones.run,
    ),
)


def experiment(id: str) -> Experiment:
    """Find an experiment: ``002-E-1``, also as ``002-e-1``, ``E-002-1`` or ``002E1``.

    Raises:
        ParameterError: There is none; the message names the nearest ids.
    """
    known = {_normal(row.id): row for row in EXPERIMENTS}
    wanted = _normal(id)
    if wanted in known:
        return known[wanted]
    nearest = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5) or list(known)
    names = ", ".join(known[name].id for name in nearest)
    raise _native.ParameterError(f"unknown experiment {id!r}: expected one like {names}")


def _normal(id: str) -> str:
    """Paper and number: the E and the dashes may stand anywhere or nowhere."""
    found = re.fullmatch(r"E?-?(\d{3})-?E?-?(\d+)", id.strip().upper())
    return f"{found[1]}-E-{int(found[2])}" if found else id.strip().upper()


def run(id: str, quick: bool = False, traces: PathLike | None = None) -> Chapter:
    """Run an experiment.

    Args:
        id: As `experiment` takes it.
        quick: Whether to take fewer requests and points, for the same verdicts.
        traces: A folder with the real traces of `hp_disks`, for the experiments that can use them beside
            their synthetic streams.

    Raises:
        ParameterError: There is no such experiment, it uses no traces, or they are not there.
        TraceError: A file of the folder is not such a trace.
    """
    found = experiment(id)
    if traces is None:
        return Chapter(found, found.run(quick), quick)
    if found.on_traces is None:
        able = ", ".join(row.id for row in EXPERIMENTS if row.on_traces)
        raise _native.ParameterError(f"{found.id} uses no traces: expected one of {able}")
    return Chapter(found, found.on_traces(quick, traces), quick, traces)
