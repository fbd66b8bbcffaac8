"""The experiments of 004: one row each, in the order of the paper."""

from ..shared.experiments import Experiment, claim_ids
from . import (
    e01_layouts,
    e02_probes,
    e03_parallelism,
    e04_sector_size,
    e05_space,
    e06_devices,
    e07_traces,
    e08_enhancements,
    e09_zones,
)

EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "004-E-1",
        "Figure 2: three configurations",
        "Where files lie on a device of four probes, what accessing them takes, and what they leave unused.",
        (),
        e01_layouts.run,
    ),
    Experiment(
        "004-E-2",
        "Figure 3: the number of active probes",
        "Response, energy and utilization over the probes of a sector of 512 bytes.",
        claim_ids("004", 6, 8, 9),
        e02_probes.run,
    ),
    Experiment(
        "004-E-3",
        "Figure 4: sectors side by side",
        "Response, energy and utilization over the number of sectors that 256 probes read together.",
        claim_ids("004", 7, 10),
        e03_parallelism.run,
    ),
    Experiment(
        "004-E-4",
        "Section 5.3: the size of a sector",
        "Response, energy and utilization over the size of a sector that 256 probes read.",
        claim_ids("004", 18),
        e04_sector_size.run,
    ),
    Experiment(
        "004-E-5",
        "Figure 5: the design space",
        "Response, energy and capacity of every feasible format, and the devices picked from them.",
        claim_ids("004", 1, 2, 3, 4, 5, 11, 14, 15, 16),
        e05_space.run,
    ),
    Experiment(
        "004-E-6",
        "Figure 6: four designs beside a flash card",
        "Response and energy of the designs that 004 picks, and of the card, on an own capture.",
        claim_ids("004", 13),
        e06_devices.run,
    ),
    Experiment(
        "004-E-7",
        "Figure 7: four traces beside a flash card",
        "The design of best performance for each of four own captures, and the card.",
        claim_ids("004", 12, 17),
        e07_traces.run,
    ),
    Experiment(
        "004-E-8",
        "Section 8: enhancements, and power policies",
        "Response and energy with faster probes, a power net, actuators, electronics, and power policies.",
        (),
        e08_enhancements.run,
    ),
    Experiment(
        "004-E-9",
        "Section 7.3: scheduling by zones",
        "Positioning, response and energy under policies, over the load and with captures.",
        (),
        e09_zones.run,
    ),
)
