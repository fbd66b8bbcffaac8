"""Import of a drive from DiskSim's parameter files: `import_disksim`."""

import math
from pathlib import Path
from typing import Any

from ... import _native
from ...common.arguments import chosen
from ...common.output_files import PathLike, check_name
from ..core_tables import entry
from ..devices import Device
from .block_parameters import Parameters
from .controller import controller
from .imported import ImportedDisk
from .interface import block_times, way_to
from .keys import DERIVED, Keys
from .layout import layout
from .libparam_grammar import read_set_up
from .seeks import Mechanics, seeks
from .tokens import Files, fault
from .unkeyed import DRIVE, LAYOUT, MECHANICS, MODEL, QUEUED, WAY, around, of_block
from .values import Block, SetUp

DISK = "disksim_disk"
MODEL_TYPE = "dm_disk"
MECH_TYPE = "dm_mech_g1"


#: Values of the argument ``capacity``, each with the source of the number of sectors.
CAPACITIES = {"file": "the number in the file", "zones": "the total of its zones"}
_CAPACITY = "Block count"


def import_disksim(path: PathLike, disk: str | None = None, capacity: str = "file") -> ImportedDisk:
    """Import a drive from the parameter files of DiskSim 3.0 or 4.0.

    Args:
        path: File with a block ``disksim_disk``: a ``.parv`` file, or a ``.diskspecs`` file, which lacks the
            bus. Files that it includes are in the same folder.
        disk: Name of the block or component of the drive; needed if the file has several drives.
        capacity: Source of the number of sectors: ``file`` (the number in the file) or ``zones`` (the total
            of the zones). A note reports if the zones have more.

    Raises:
        ParameterError: The file does not follow the format, a parameter is missing or wrong, the layout is
            not ``dm_layout_g1``, or the drive does not exist; the message names file and line. Or `capacity`
            is neither ``file`` nor ``zones``.
        OSError: A file cannot be read.
    """
    check_name(path)
    chosen(CAPACITIES, capacity, f"capacity = {capacity!r}")
    files, keys = Files(), Keys()
    set_up = read_set_up(Path(path), files)
    keys.notes += set_up.notes
    block, component = _chosen(Path(path), set_up, disk)
    drive, way = Parameters(block), way_to(component, set_up)
    model = drive.inner("Model", MODEL_TYPE)
    mech = model.inner("Mechanical Model", MECH_TYPE)
    placed = layout(model, keys)
    _plain(model, mech, keys)
    seeks(Mechanics(model, mech, files, keys))
    controller(drive, keys)
    block_times(drive, way, keys)
    of_drive = [*DRIVE, *QUEUED] if keys.values["queue"] == "drive" else DRIVE
    left = [(drive, of_drive), (model, MODEL), (mech, MECHANICS), *((part, LAYOUT) for part in placed)]
    for parameters, rules in [*left, *((part, WAY) for part in way.values())]:
        keys.unkeyed += of_block(parameters, rules)
    used = [line for part in (drive, *way.values()) for line in part.block.line()]
    keys.unkeyed += around(set_up, used)
    description = f"{block.name}, imported from DiskSim's {Path(path).name}"
    keys.put("description", description, block.place, "the name of the block")
    _put_capacity(model, keys, capacity)
    unkeyed, notes, read = tuple(keys.unkeyed), tuple(keys.notes), tuple(files.paths)
    found = ImportedDisk(block.name, Path(path), _given(keys), keys.sources, unkeyed, notes, read, keys.kinds)
    found.device()
    return found


def _put_capacity(model: Parameters, keys: Keys, capacity: str) -> None:
    """Set the number of sectors from the chosen source, and add a note if the zones have more."""
    said, held = keys.values["block_count"], _held(keys)
    if held is None:
        return
    if capacity == "zones":
        from_zones = f"total of the zones; {_CAPACITY} is {said}"
        keys.put("block_count", held, model.place(_CAPACITY), from_zones, DERIVED)
    elif said < held:
        keys.notes.append(
            f"{model.place(_CAPACITY).short}: the drive has {said:,} sectors ({_CAPACITY}), but its zones"
            f" hold {held:,}: traces of the drive may reach past its end; --capacity zones"
            " (capacity='zones' in Python) takes all of them"
        )


def _held(keys: Keys) -> int | None:
    """Return how many sectors all zones hold; None if the drive has an error, which is reported elsewhere."""
    try:
        least = Device.from_parameters({**_given(keys), "kind": "disk", "name": "", "block_count": 1})
    except _native.ParameterError:
        return None
    return int(least.characteristics()["zone_blocks"])


def _given(keys: Keys) -> dict[str, Any]:
    """Return the imported values by key, in the order in which a device file of a disk has its keys."""
    return {key: keys.values[key] for key, *_ in entry("kinds", "disk").parameters if key in keys.values}


def disk_names(path: PathLike) -> list[str]:
    """Return the names of the drives in a parameter file: components, or blocks if it has no components.

    Raises:
        ParameterError: The file does not follow the format.
        OSError: A file cannot be read.
    """
    components, blocks = _drives(read_set_up(Path(path), Files()))
    return list(components or blocks)


def _drives(set_up: SetUp) -> tuple[dict[str, Block], dict[str, Block]]:
    """Return the blocks of drives twice: by the names of components, and by the names of the blocks."""
    blocks = {name: block for name, block in set_up.blocks.items() if block.base_type == DISK}
    components = {name: blocks[block] for name, block in set_up.instances.items() if block in blocks}
    return components, blocks


def _chosen(path: Path, set_up: SetUp, disk: str | None) -> tuple[Block, str | None]:
    """Return the block of the drive to import, and the name of its component if it has one."""
    components, blocks = _drives(set_up)
    drives = components or blocks
    if not drives:
        types = ", ".join(sorted({block.base_type for block in set_up.blocks.values()})) or "no blocks"
        fault(path, f"expected a drive (a block of the type {DISK}), found {types}")
    kinds = {block.name for block in drives.values()}
    if disk is None and len(kinds) > 1:
        fault(path, f"expected one drive, found {len(kinds)}: select one with --disk: {_listed(drives)}")
    name = next(iter(drives)) if disk is None else disk
    made = [component for component, block in components.items() if name in (component, block.name)]
    block = components[made[0]] if made else blocks.get(name)
    if block is None:
        fault(path, f"--disk {name}: expected one of {_listed(drives)}")
    return block, made[0] if made else None


def _listed(drives: dict[str, Block]) -> str:
    return ", ".join(
        name if name == block.name else f"{name} ({block.name})" for name, block in drives.items()
    )


def _plain(model: Parameters, mech: Parameters, keys: Keys) -> None:
    """Import those keys whose value is exactly the value of one parameter of DiskSim."""
    for key, block, name in (
        ("surfaces", model, "Number of data surfaces"),
        ("block_count", model, _CAPACITY),
        ("rotation_rpm", mech, "Rotation speed (in rpms)"),
    ):
        keys.keep(key, block, name, block.whole(name, 1))
    for key, name, least in (
        ("head_switch_ms", "Head switch time", 0.0),
        ("write_settle_ms", "Add. write settling delay", -math.inf),
    ):
        keys.keep(key, mech, name, mech.number(name, least))
