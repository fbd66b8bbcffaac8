"""Import of the bus: time to transfer a sector, the longest of the times of drive, bus and controller."""

from collections.abc import Iterator
from typing import TypeAlias

from .block_parameters import Parameters
from .keys import Keys
from .tokens import fault
from .values import Block, Node, SetUp

BUS = "disksim_bus"
CONTROLLER = "disksim_ctlr"
BULK = "Bulk sector transfer time"


#: Block of a drive's bus and of the bus's controller, by block type; either may be missing.
Way: TypeAlias = dict[str, Parameters]


def way_to(component: str | None, set_up: SetUp) -> Way:
    """Return the blocks of the bus to which a component is connected, and of the controller of this bus.

    Raises:
        ParameterError: The topology names a component that the file does not define.
    """
    above = next((line for line in _lines(set_up.topology) if line[-1].name == component), [])
    found: Way = {}
    for node in reversed(above[:-1]):
        block = _instance(node, set_up)
        if block.base_type in (BUS, CONTROLLER):
            found.setdefault(block.base_type, Parameters(block))
        if CONTROLLER in found:
            break
    return found


def _lines(nodes: list[Node]) -> Iterator[list[Node]]:
    """Yield for each component of the topology the components from the top down to this one."""
    for node in nodes:
        yield [node]
        below = [item.content for item in node.below if isinstance(item.content, Node)]
        for line in _lines(below):
            yield [node, *line]


def _instance(node: Node, set_up: SetUp) -> Block:
    if node.name not in set_up.instances:
        fault(node.place, f"topology: {node.name}: no 'instantiate' defines this component")
    return set_up.blocks[set_up.instances[node.name]]


def block_times(disk: Parameters, way: Way, keys: Keys) -> None:
    """Import the times to transfer a sector over the bus.

    Raises:
        ParameterError: A value is missing or wrong.
    """
    for key, name in (
        ("bus_read_ms_per_block", "Read block transfer time"),
        ("bus_write_ms_per_block", "Write block transfer time"),
    ):
        given = [(disk, BULK)]
        if BUS in way:
            given.append((way[BUS], name))
        if CONTROLLER in way and BULK in way[CONTROLLER]:
            given.append((way[CONTROLLER], BULK))
        times = [(block.number(name), block, name) for block, name in given]
        ms, block, name = max(times, key=lambda row: row[0])
        of = ", ".join(f"{block.block.name}: {name}" for _, block, name in times)
        keys.keep(key, block, name, ms, f"{name}, the largest of {of}")
    if BUS not in way:
        said = f"no bus leads to the drive: the time of a block on it is its {BULK} alone"
        keys.notes.append(f"{disk.block.place}: {said}")
