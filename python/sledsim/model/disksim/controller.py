"""What a ``disksim_disk`` says of its cache and its command processing, key by key."""

from collections.abc import Callable

from .keys import Keys
from .parameters import Parameters

#: "Buffer continuous read".
READ_AHEAD = {0: "none", 1: "track", 2: "cylinder", 3: "segment", 4: "to-track-end"}
#: "Read-ahead over requested": what becomes of data that the host has got.
DELIVERED = {-1: "reuse", 0: "keep", 1: "overwrite"}
#: "Set watermark by reqsize".
WATERMARK_OF = {0: "segment", 1: "request"}
#: How many requests the drive has, the one in service among them.
QUEUE = "Max queue length"
#: When the arm sets off for the next of them.
PRESEEK = "Preseeking level"
#: Values that their key does not tell from another one: parameter, value, and what is lost.
MERGED = [
    ("Fast write level", 1, "taken for 2: a write that does not append to one before completes early, too"),
    (QUEUE, 0, "taken for 1"),
    ("Enable caching in buffer", 2, "taken for 1"),
    ("Immediate buffer read", 2, "taken for 1"),
    ("Immediate buffer write", 2, "taken for 1"),
]

_COUNTS = [
    ("segment_blocks", "Segment size (in blks)", 1),
    ("read_ahead_blocks", "Maximum read-ahead (blks)", 0),
]
_CHOICES = [
    ("read_ahead", "Buffer continuous read", READ_AHEAD),
    ("delivered", "Read-ahead over requested", DELIVERED),
    ("watermark_of", "Set watermark by reqsize", WATERMARK_OF),
]


#: The key, the parameter, and the largest number that it may be; every one but 0 is yes.
_SWITCHES = [
    ("separate_write_segment", "Use separate write segment", 1),
    ("read_ahead_on_hit", "Read-ahead on idle hit", 1),
    ("almost_hits", "Allow almost read hits", 1),
    ("whole_track_reads", "Read any free blocks", 1),
    ("zero_latency_reads", "Immediate buffer read", 2),
    ("zero_latency_writes", "Immediate buffer write", 2),
    ("write_back", "Fast write level", 2),
    ("read_hits_on_writes", "Allow read hits on write data", 1),
    ("append_writes", "Combine seq writes", 1),
    ("disconnects", "Never disconnect", 1),
]
#: Switches of which yes in DiskSim is no here.
_INVERTED = ("disconnects",)
#: Times of the controller, which "Time scale for overheads" stretches.
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
#: The same of drives that let go of the bus before the data of a write ("Extra write disconnect").
_EXTRA_DISCONNECT = [
    ("early_disconnect_command_ms", "Extradisc command overhead"),
    ("early_disconnect_ms", "Extradisc disconnect overhead"),
    ("early_disconnect_wait_ms", "Extradisc inter-disconnect delay"),
    ("second_disconnect_ms", "Extradisc 2nd disconnect overhead"),
    ("second_reselect_ms", "Other reselect overhead"),
]


def controller(disk: Parameters, keys: Keys) -> None:
    """Put the keys of the cache and of command processing.

    Raises:
        ParameterError: A value is missing or wrong.
    """
    segments, caching = "Number of buffer segments", "Enable caching in buffer"
    count = disk.whole(segments, 0)
    if disk.whole(caching, 0, 2) == 0:
        keys.put("cache_segments", 0, disk.place(caching), f"{caching} 0")
    else:
        keys.put("cache_segments", count, disk.place(segments), segments)
    for key, name, least in _COUNTS:
        keys.put(key, disk.whole(name, least), disk.place(name), name)
    for key, name, choices in _CHOICES:
        number = disk.whole(name, min(choices), max(choices))
        keys.put(key, choices[number], disk.place(name), f"{name} {number}")
    for key, name, most in _SWITCHES:
        number = disk.whole(name, 0, most)
        keys.put(key, (number > 0) != (key in _INVERTED), disk.place(name), f"{name} {number}")
    name = "High (read) water mark"
    keys.put("read_watermark", disk.number(name, 0.0, 1.0), disk.place(name), name)
    _queue(disk, keys)
    _overheads(disk, keys)
    for name, value, why in MERGED:
        if disk.whole(name, 0) == value:
            keys.lost(disk.block, name, value, why)


def _queue(disk: Parameters, keys: Keys) -> None:
    """Where requests wait, and which writes are hits."""
    name = "Fast write level"
    if keys.values["write_back"]:
        said = f"{name} {disk.whole(name, 1)}: DiskSim's controller takes every write for a hit then"
        keys.put("write_hits", "every", disk.place(name), said)
    name = QUEUE
    length = disk.whole(name, 0)
    is_inside = length > 1
    keys.put("queue", "drive" if is_inside else "host", disk.place(name), f"{name} {length}")
    if is_inside:
        # The request in service counts.
        keys.put("queue_depth", length - 1, disk.place(name), f"{name} {length}, without the one in service")
    name = PRESEEK
    level = disk.whole(name, 0, 2)
    said = f"{name} {level}"
    if level > 0 and not is_inside:
        said += ", but the drive has one request at a time"
    keys.put("preseeks", level > 0 and is_inside, disk.place(name), said)
    if level == 1 and is_inside:
        why = "taken for 2: the arm sets off when the medium is done, not when all data have crossed the bus"
        keys.lost(disk.block, name, level, why)


def _overheads(disk: Parameters, keys: Keys) -> None:
    scale = disk.number("Time scale for overheads")
    said: Callable[[str], str] = str
    if scale != 1:
        said = f"{{}}, times {scale:g} (Time scale for overheads)".format
    has_extra = disk.whole("Extra write disconnect", 0, 1) == 1
    for key, name in [*_OVERHEADS, *(_EXTRA_DISCONNECT if has_extra else [])]:
        keys.put(key, disk.number(name) * scale, disk.place(name), said(name))
