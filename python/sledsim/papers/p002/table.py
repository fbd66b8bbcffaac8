"""The experiments of 002: one row each, in the order of the paper."""

from ..shared.experiments import Experiment, claim_ids
from ..shared.hp_disks import CELLO
from . import (
    e01_random,
    e02_seeks,
    e03_acceleration,
    e04_velocity,
    e05_bit_width,
    e06_frequency,
    e07_settling,
    e08_disk,
    e09_scheduling,
    e10_disk_traces,
    e11_settling,
)

EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "002-E-1",
        "Tables 1 and 2: the default device under the random workload",
        "100,000 random requests, and the parts of their service time.",
        claim_ids("002", 1, 2, 3, 5, 6, 7, 8, 9, 10, 11),
        e01_random.run,
    ),
    Experiment(
        "002-E-2",
        "Figure 5: seek time over distance, and its distribution",
        "Seeks in x and y with and without settling and turnarounds, and how often each axis decides.",
        claim_ids("002", 14),
        e02_seeks.run,
    ),
    Experiment(
        "002-E-3",
        "Figure 6: sensitivity to acceleration",
        "The mean access over the acceleration of the sled.",
        (),
        e03_acceleration.run,
    ),
    Experiment(
        "002-E-4",
        "Figure 7: sensitivity to access velocity",
        "The mean access over the velocity, for several accelerations.",
        claim_ids("002", 4, 12),
        e04_velocity.run,
    ),
    Experiment(
        "002-E-5",
        "Figure 8: sensitivity to bit width",
        "The mean access and the capacity over the width of a bit.",
        (),
        e05_bit_width.run,
    ),
    Experiment(
        "002-E-6",
        "Figure 9: sensitivity to resonant frequency",
        "The mean access over the resonant frequency, which sets the settling time.",
        (),
        e06_frequency.run,
    ),
    Experiment(
        "002-E-7",
        "Figures 9 and 10: sensitivity to settling",
        "The mean access over the number of time constants, and over the time constant itself.",
        claim_ids("002", 13),
        e07_settling.run,
    ),
    Experiment(
        "002-E-8",
        "Figure 11: schedulers on the reference disk",
        "Response time and its variability of a Cheetah 4LP over the arrival rate under four policies.",
        (),
        e08_disk.run,
    ),
    Experiment(
        "002-E-9",
        "Figure 12: schedulers under the random workload",
        "Response time and its variability over the arrival rate under four policies, with intervals.",
        (),
        e09_scheduling.run,
    ),
    Experiment(
        "002-E-10",
        "Figure 13: schedulers on Cello and TPC-C",
        "Response time under four policies on what stands for the traces, and the margin of SPTF.",
        claim_ids("002", 16),
        e10_disk_traces.run,
        e10_disk_traces.run,
        (CELLO,),
    ),
    Experiment(
        "002-E-11",
        "Figure 14: schedulers and the number of time constants",
        "Response time over the arrival rate with no time constant of settling, one, and two.",
        claim_ids("002", 15),
        e11_settling.run,
    ),
)
