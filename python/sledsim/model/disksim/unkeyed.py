"""Rules on DiskSim's parameters that no key keeps: the values with which the loss has no effect.

A parameter without a rule is reported as unknown.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .block_parameters import Parameters
from .keys import AROUND, HARMLESS, MATTERS, Unkeyed
from .values import Block, SetUp


@dataclass(frozen=True)
class Rule:
    """A rule about a parameter of DiskSim that no key of a device file keeps.

    Attributes:
        name: Name of the parameter, or of the block with the parameter.
        harmless: Values with which DiskSim's drive behaves like the device here; None if all values do.
        why: Behaviour of the device here, as the output states it.
    """

    name: str
    harmless: tuple[float | str, ...] | None
    why: str


_SNEAK = "a read waits for the request before it, whatever the cache holds"
_EXTRA = "only with Extra write disconnect = 1"
_OF_MEDIUM = "runs in parallel with the medium, and takes no extra time"

#: Rule that applies to a parameter without a rule of its own name.
_UNKNOWN = Rule("", (), "not known to be a parameter of DiskSim 3.0 or 4.0")
DRIVE = [
    Rule("Print stats", None, "output of DiskSim"),
    Rule("Avg sectors per cylinder", None, "for policies outside the drive; ours know the layout"),
    Rule("Calc sector by sector", None, "DiskSim always does"),
    Rule("Scheduler", None, "the drive has one request at a time"),
    Rule("Hold bus entire read xfer", (0,), "the bus is free while a read waits for the medium"),
    Rule("Hold bus entire write xfer", (0,), "the bus is free while a write waits for the medium"),
    Rule("Allow sneaky full read hits", (0,), _SNEAK),
    Rule("Allow sneaky partial read hits", (0,), _SNEAK),
    Rule("Allow sneaky intermediate read hits", (0,), _SNEAK),
    Rule("Allow write prebuffering", (0,), "the data of a write arrive when its turn comes"),
    Rule("Maximum number of write segments", (1,), "one segment holds written data"),
    Rule("Low (write) water mark", (0,), "the data of a write continue once there is room"),
    Rule("Minimum read-ahead (blks)", (0,), "reading ahead stops for the next request at any time"),
    Rule("Stop prefetch in sector", (1,), "reading ahead stops in the middle of a sector"),
    Rule("Disconnect write if seek", (0,), "not modelled"),
    Rule("Write hit stop prefetch", (1,), "every write stops reading ahead"),
    Rule("Read directly to buffer", (1,), "a sector is in the cache once it is read"),
    Rule("Immed transfer partial hit", (1,), "the part of a read in the cache is sent at once"),
    Rule("Other reselect overhead", (0,), "a request gets the bus back once"),
    Rule("Read disconnect afterread", (0,), _OF_MEDIUM),
    Rule("Read disconnect afterwrite", (0,), _OF_MEDIUM),
    Rule("Extradisc seek delta", (0,), "the arm of a write starts when its command is processed"),
    Rule("Minimum seek delay", (0,), "the arm of a write starts when its command is processed"),
    Rule("Extradisc command overhead", None, _EXTRA),
    Rule("Extradisc disconnect overhead", None, _EXTRA),
    Rule("Extradisc inter-disconnect delay", None, _EXTRA),
    Rule("Extradisc 2nd disconnect overhead", None, _EXTRA),
]
#: Rules that replace those of the same names in `DRIVE` if the drive has a queue.
QUEUED = [
    Rule("Scheduler", (), "the policy is --scheduler"),
]
MECHANICS = [
    Rule("Access time type", ("trackSwitchPlusRotation",), "seeks and rotation are simulated"),
    Rule("Constant access time", None, "only with Access time type = constant"),
    Rule("Percent error in rpms", (0,), "every drive turns at its nominal speed"),
    *(
        Rule(name, None, "not for this Seek type")
        for name in (
            *("Constant seek time", "Single cylinder seek time", "Average seek time"),
            *("Full strobe seek time", "Full seek curve", "First ten seek times"),
            "HPL seek equation values",
        )
    ),
]
LAYOUT = [Rule("Rangesize for sparing", None, "only with Sparing scheme used = 8")]
MODEL = [Rule("Number of cylinders", None, "given by the zones")]
WAY = [
    Rule("type", None, "nothing else asks for the bus of a drive here"),
    Rule("Arbitration type", None, "nothing else asks for the bus of a drive here"),
    Rule("Arbitration time", (0,), "the bus is available at once"),
    Rule("Scale for delays", (0,), "controllers take no time"),
    Rule("Maximum queue length", (0,), "controllers hold no queue"),
    Rule("Scheduler", (), "controllers hold no queue"),
    Rule("Cache", (), "controllers have no cache"),
    Rule("Print stats", None, "output of DiskSim"),
]
#: Meaning of each type of block that does not belong to the drive.
SYSTEM = {
    "disksim_global": "seeds and files of DiskSim's run",
    "disksim_stats": "output of DiskSim",
    "disksim_iosim": "how DiskSim reads a trace; use --scale here",
    "disksim_iodriver": "driver of the host; use --scheduler here",
    "disksim_bus": "another bus",
    "disksim_ctlr": "another controller",
    "disksim_logorg": "the host's view of its devices; use --volume here",
    "disksim_syncset": "synchronised drives",
    "disksim_pf": "processors of the host",
    "disksim_synthio": "DiskSim's workload; use a trace or a workload here",
    "disksim_disk": "another drive; --disk selects it",
}


def of_block(block: Parameters, rules: list[Rule]) -> Iterator[Unkeyed]:
    """Yield the records of the parameters of a block of the drive that were not imported."""
    known = {rule.name: rule for rule in rules}
    for name, value in block.rest():
        rule = known.get(name.partition(":")[0], _UNKNOWN)
        is_harmless = rule.harmless is None or value.content in rule.harmless
        yield Unkeyed.of(block.block, name, value, HARMLESS if is_harmless else MATTERS, rule.why)


def around(set_up: SetUp, used: Iterable[Block]) -> Iterator[Unkeyed]:
    """Yield the records of the parameters of all blocks other than those of the drive."""
    names = {block.name for block in used}
    for block in set_up.blocks.values():
        if block.name not in names:
            why = SYSTEM.get(block.base_type, "not modelled")
            for name, value in Parameters(block).rest():
                yield Unkeyed.of(block, name, value, AROUND, why)
