"""Import of a drive's cache and command times from a DiskSim block of the type ``disksim_disk``."""

from collections.abc import Callable, Mapping
from typing import Any

from .block_parameters import Parameters
from .keys import DERIVED, STATED, Keys

#: Words of the device file for the numbers of DiskSim's parameter "Buffer continuous read".
READ_AHEAD = {0: "none", 1: "track", 2: "cylinder", 3: "segment", 4: "to-track-end"}
#: Words of the device file for the numbers of "Read-ahead over requested": fate of data in the cache that the
#: host has received.
DELIVERED = {-1: "reuse", 0: "keep", 1: "overwrite"}
#: Words of the device file for the numbers of "Set watermark by reqsize".
WATERMARK_OF = {0: "segment", 1: "request"}
#: DiskSim's parameter with the number of requests in the drive, including the request in service.
QUEUE = "Max queue length"
#: DiskSim's parameter that states when the arm starts to move for the next request.
PRESEEK = "Preseeking level"
#: Numbers that a device file cannot tell from another number: DiskSim's parameter, number, and the treatment
#: here.
MERGED = [
    (
        "Fast write level",
        1,
        "treated as 2: a write that appends to no earlier write completes early, too",
    ),
    (QUEUE, 0, "treated as 1"),
    ("Enable caching in buffer", 2, "treated as 1"),
    ("Immediate buffer read", 2, "treated as 1"),
    ("Immediate buffer write", 2, "treated as 1"),
]

#: Keys of a device file that are counts: key, parameter of DiskSim, and least value.
_COUNTS = [
    ("segment_blocks", "Segment size (in blks)", 1),
    ("read_ahead_blocks", "Maximum read-ahead (blks)", 0),
]
#: True or False in the device file for each number of a DiskSim parameter, for three sorts of parameters.
_SWITCH, _DEGREES, _CONTRARY = {0: False, 1: True}, {0: False, 1: True, 2: True}, {0: True, 1: False}
#: Keys of a device file that are choices: key, parameter of DiskSim, and the value for each number of the
#: parameter.
_CHOICES: list[tuple[str, str, Mapping[int, Any]]] = [
    ("read_ahead", "Buffer continuous read", READ_AHEAD),
    ("delivered", "Read-ahead over requested", DELIVERED),
    ("watermark_of", "Set watermark by reqsize", WATERMARK_OF),
    ("separate_write_segment", "Use separate write segment", _SWITCH),
    ("read_ahead_on_hit", "Read-ahead on idle hit", _SWITCH),
    ("almost_hits", "Allow almost read hits", _SWITCH),
    ("whole_track_reads", "Read any free blocks", _SWITCH),
    ("zero_latency_reads", "Immediate buffer read", _DEGREES),
    ("zero_latency_writes", "Immediate buffer write", _DEGREES),
    ("write_back", "Fast write level", _DEGREES),
    ("read_hits_on_writes", "Allow read hits on write data", _SWITCH),
    ("append_writes", "Combine seq writes", _SWITCH),
    ("disconnects", "Never disconnect", _CONTRARY),
]
#: Times that DiskSim multiplies by its parameter "Time scale for overheads": key of the device file, and
#: parameter.
_OVERHEADS = [
    ("command_ms", "Per-request overhead time"),
    ("read_hit_after_read_ms", "Read hit over. after read"),
    ("read_hit_after_write_ms", "Read hit over. after write"),
    ("read_miss_after_read_ms", "Read miss over. after read"),
    ("read_miss_after_write_ms", "Read miss over. after write"),
    ("write_hit_after_read_ms", "Write hit over. after read"),
    ("write_hit_after_write_ms", "Write hit over. after write"),
    ("write_miss_after_read_ms", "Write miss over. after read"),
    ("write_miss_after_write_ms", "Write miss over. after write"),
    ("read_completion_ms", "Read completion overhead"),
    ("write_completion_ms", "Write completion overhead"),
    ("data_preparation_ms", "Data preparation overhead"),
    ("write_disconnect_ms", "Write disconnect overhead"),
    ("first_reselect_ms", "First reselect overhead"),
]
#: Times of drives that release the bus before the data of a write arrive ("Extra write disconnect"): key and
#: parameter.
_EXTRA_DISCONNECT = [
    ("early_disconnect_command_ms", "Extradisc command overhead"),
    ("early_disconnect_ms", "Extradisc disconnect overhead"),
    ("early_disconnect_wait_ms", "Extradisc inter-disconnect delay"),
    ("second_disconnect_ms", "Extradisc 2nd disconnect overhead"),
    ("second_reselect_ms", "Other reselect overhead"),
]


def controller(disk: Parameters, keys: Keys) -> None:
    """Import the cache and the command times of a drive as keys of its device file.

    Raises:
        ParameterError: A value is missing or wrong.
    """
    segments, caching = "Number of buffer segments", "Enable caching in buffer"
    count = disk.whole(segments, 0)
    if disk.whole(caching, 0, 2) == 0:
        keys.keep("cache_segments", disk, caching, 0, f"{caching} 0")
    else:
        keys.keep("cache_segments", disk, segments, count)
    for key, name, least in _COUNTS:
        keys.keep(key, disk, name, disk.whole(name, least))
    for key, name, choices in _CHOICES:
        keys.choose(key, disk, name, choices)
    name = "High (read) water mark"
    keys.keep("read_watermark", disk, name, disk.number(name, 0.0, 1.0))
    _queue(disk, keys)
    _overheads(disk, keys)
    for name, value, why in MERGED:
        if disk.whole(name, 0) == value:
            keys.lost(disk.block, name, value, why)


def _queue(disk: Parameters, keys: Keys) -> None:
    """Import the queue length, the key ``write_hits`` and the start of the arm for the next request."""
    name = "Fast write level"
    if keys.values["write_back"]:
        said = f"{name} {disk.whole(name, 1)}: DiskSim's controller then treats every write as a hit"
        keys.keep("write_hits", disk, name, "every", said)
    name = QUEUE
    length = disk.whole(name, 0)
    is_inside = length > 1
    keys.keep("queue", disk, name, "drive" if is_inside else "host", f"{name} {length}")
    if is_inside:
        # Our key counts the request in service.
        said = f"{name} {length}, without the request in service"
        keys.keep("queue_depth", disk, name, length - 1, said, DERIVED)
    name = PRESEEK
    level = disk.whole(name, 0, 2)
    said = f"{name} {level}"
    if level > 0 and not is_inside:
        said += ", but the drive has one request at a time"
    keys.keep("preseeks", disk, name, level > 0 and is_inside, said)
    if level == 1 and is_inside:
        why = "treated as 2: the arm starts when the medium is done, not when all data have crossed the bus"
        keys.lost(disk.block, name, level, why)


def _overheads(disk: Parameters, keys: Keys) -> None:
    scale = disk.number("Time scale for overheads")
    said: Callable[[str], str] = str
    kind = STATED
    if scale != 1:
        said, kind = f"{{}}, times {scale:g} (Time scale for overheads)".format, DERIVED
    has_extra = disk.whole("Extra write disconnect", 0, 1) == 1
    for key, name in [*_OVERHEADS, *(_EXTRA_DISCONNECT if has_extra else [])]:
        keys.keep(key, disk, name, disk.number(name) * scale, said(name), kind)
