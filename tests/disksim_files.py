"""Parameter files in DiskSim's format, of an invented drive, which tests may change."""

from pathlib import Path

Parameters = dict[str, object]

DISK: Parameters = {
    "Model": "source made-up.model",
    "Scheduler": "disksim_ioqueue { Scheduling policy = 1, Cylinder mapping strategy = 0 }",
    "Max queue length": 1,
    "Bulk sector transfer time": 0.05,
    "Segment size (in blks)": 64,
    "Number of buffer segments": 4,
    "Print stats": 1,
    "Per-request overhead time": 0.25,
    "Time scale for overheads": 1.0,
    "Hold bus entire read xfer": 0,
    "Hold bus entire write xfer": 0,
    "Allow almost read hits": 0,
    "Allow sneaky full read hits": 0,
    "Allow sneaky partial read hits": 0,
    "Allow sneaky intermediate read hits": 0,
    "Allow read hits on write data": 1,
    "Allow write prebuffering": 0,
    "Preseeking level": 0,
    "Never disconnect": 0,
    "Avg sectors per cylinder": 100,
    "Maximum number of write segments": 1,
    "Use separate write segment": 0,
    "Low (write) water mark": 0.0,
    "High (read) water mark": 0.5,
    "Set watermark by reqsize": 1,
    "Calc sector by sector": 1,
    "Enable caching in buffer": 1,
    "Buffer continuous read": 3,
    "Minimum read-ahead (blks)": 0,
    "Maximum read-ahead (blks)": 48,
    "Read-ahead over requested": 0,
    "Read-ahead on idle hit": 0,
    "Read any free blocks": 0,
    "Fast write level": 0,
    "Immediate buffer read": 0,
    "Immediate buffer write": 0,
    "Combine seq writes": 0,
    "Stop prefetch in sector": 1,
    "Disconnect write if seek": 0,
    "Write hit stop prefetch": 1,
    "Read directly to buffer": 1,
    "Immed transfer partial hit": 1,
    "Read hit over. after read": 0.1,
    "Read hit over. after write": 0.2,
    "Read miss over. after read": 0.3,
    "Read miss over. after write": 0.4,
    "Write hit over. after read": 0.5,
    "Write hit over. after write": 0.6,
    "Write miss over. after read": 0.7,
    "Write miss over. after write": 0.8,
    "Read completion overhead": 0.01,
    "Write completion overhead": 0.02,
    "Data preparation overhead": 0.03,
    "First reselect overhead": 0.04,
    "Other reselect overhead": 0.0,
    "Read disconnect afterread": 0.0,
    "Read disconnect afterwrite": 0.0,
    "Write disconnect overhead": 0.05,
    "Extra write disconnect": 0,
    "Extradisc command overhead": 0.0,
    "Extradisc disconnect overhead": 0.0,
    "Extradisc inter-disconnect delay": 0.0,
    "Extradisc 2nd disconnect overhead": 0.0,
    "Extradisc seek delta": 0.0,
    "Minimum seek delay": 0.0,
}
MODEL: Parameters = {
    "Number of data surfaces": 2,
    "Number of cylinders": 300,
    "Block count": 27585,
}
MECHANICS: Parameters = {
    "Access time type": "trackSwitchPlusRotation",
    "Seek type": "extracted",
    "Full seek curve": "made-up.seek",
    "Add. write settling delay": -0.125,
    "Head switch time": 0.5,
    "Rotation speed (in rpms)": 6000,
    "Percent error in rpms": 0.0,
}
LAYOUT: Parameters = {
    "LBN-to-PBN mapping scheme": 0,
    "Sparing scheme used": 9,
    "Rangesize for sparing": 2,
}
ZONES: tuple[Parameters, ...] = (
    {
        "First cylinder number": 0,
        "Last cylinder number": 149,
        "Blocks per track": 50,
        "Offset of first block": 0.0,
        "Empty space at zone front": 10,
        "Skew for track switch": 5.0,
        "Skew for cylinder switch": 9.0,
        "Number of spares": 3,
        "slips": "[ 7, 11 ]",
        "defects": "[]",
    },
    {
        "First cylinder number": 150,
        "Last cylinder number": 299,
        "Blocks per track": 42,
        "Offset of first block": 4,
        "Empty space at zone front": 0,
        "Skew for track switch": 4,
        "Skew for cylinder switch": 8,
        "Number of spares": 2,
        "slips": "[ 1 ]",
        "defects": "[ 20, 12590, 30, 12591 ]",
    },
)
SEEK = "Seek distances measured: 4\n1,\t1.5\n2,\t1.75\n10,\t2.5\n299,\t9.0\n"
SYSTEM = """\
disksim_iodriver DRIVER0 {
   type = 1, Constant access time = 0.0,
   Scheduler = disksim_ioqueue { Scheduling policy = 3 },
   Use queueing in subsystem = 1
}
disksim_bus BUS0 { type = 1, Read block transfer time = 0.5, Write block transfer time = 0.5 }
disksim_bus BUS1 {
   type = 1, Arbitration type = 1, Arbitration time = 0.0,
   Read block transfer time = %(read)s,
   Write block transfer time = %(write)s, Print stats = 1
}
disksim_ctlr CTLR0 { type = 1, Scale for delays = 0.0, Bulk sector transfer time = %(controller)s }
source made-up.diskspecs
instantiate [ bus0 ] as BUS0
instantiate [ bus1 ] as BUS1
instantiate [ disk0 .. disk2 ] as MADE_UP
instantiate [ driver0 ] as DRIVER0
instantiate [ ctlr0 ] as CTLR0
topology disksim_iodriver driver0 [ disksim_bus bus0 [ disksim_ctlr ctlr0 [
   disksim_bus bus1 [ disksim_disk disk0 [], disksim_disk disk1 [], disksim_disk disk2 [] ] ] ] ]
disksim_logorg ORG0 { Addressing mode = Parts, devices = [ disk0 .. disk2 ], Stripe unit = 64 }
"""


def block(type_: str, parameters: Parameters, name: str = "") -> str:
    """Return the text of a block; a parameter that is None is left out."""
    lines = [f"  {key} = {value}" for key, value in parameters.items() if value is not None]
    return f"{type_} {name} {{ # made up\n" + ",\n".join(lines) + "\n}\n"


def model(
    changes: Parameters | None = None,
    mechanics: Parameters | None = None,
    layout: Parameters | None = None,
    zones: tuple[Parameters, ...] = ({}, {}),
) -> str:
    """Return the text of a ``.model`` file, with changed parameters of its blocks."""
    changed = [block("dm_layout_g1_zone", {**zone, **new}) for zone, new in zip(ZONES, zones, strict=True)]
    parts = {
        "Layout Model": block(
            "dm_layout_g1", {**LAYOUT, "Zones": f"[{','.join(changed)}]", **(layout or {})}
        ),
        "Mechanical Model": block("dm_mech_g1", {**MECHANICS, **(mechanics or {})}),
    }
    return block("dm_disk", {**MODEL, **parts, **(changes or {})}, "MADE_UP_model")


def write_drive(
    folder: Path,
    *,
    disk: Parameters | None = None,
    seek: str = SEEK,
    block_ms: tuple[object, object, object] = (0.0625, 0.03, 0.0),
    **changes: object,
) -> Path:
    """Write all files of the drive; `changes` go to `model`, `block_ms` to bus and controller."""
    read, write, controller = block_ms
    system = SYSTEM % {"read": read, "write": write, "controller": controller}
    (folder / "made-up.diskspecs").write_text(block("disksim_disk", {**DISK, **(disk or {})}, "MADE_UP"))
    (folder / "made-up.model").write_text(model(**changes))  # type: ignore[arg-type]
    (folder / "made-up.seek").write_text(seek)
    path = folder / "made-up.parv"
    path.write_text(system)
    return path
