"""Read trace files as Perfetto's own importer does, with the messages of the official package."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pb = pytest.importorskip(
    "perfetto.protos.perfetto.trace.perfetto_trace_pb2",
    reason="Perfetto's messages are in a package of their own: pip install perfetto",
)

#: The clock of a trace, and the first clock of a sequence.
_TRACE_CLOCK, _OWN_CLOCKS = 6, 64
_CLEARED = 1


@dataclass
class Slice:
    """A slice with its inner slices."""

    name: str
    begin_ns: int
    arguments: dict[str, int]
    end_ns: int = -1
    inside: list["Slice"] = field(default_factory=list)

    @property
    def lasts_ns(self) -> int:
        return self.end_ns - self.begin_ns

    def phases_ns(self) -> dict[str, int]:
        """Return the duration of each inner slice; no name comes twice."""
        found = {phase.name: phase.lasts_ns for phase in self.inside}
        assert len(found) == len(self.inside)
        return found


@dataclass
class Track:
    """A track: its outermost slices, or its values, in the order of time."""

    name: str
    parent: int
    rank: int
    unit: str | None
    factor: int
    slices: list[Slice] = field(default_factory=list)
    values: list[tuple[int, int]] = field(default_factory=list)
    open: list[Slice] = field(default_factory=list)


@dataclass
class _Sequence:
    """State that the packets of a sequence share."""

    now_ns: int = 0
    defaults: Any = None
    names: dict[int, str] = field(default_factory=dict)
    arguments: dict[int, str] = field(default_factory=dict)


class TraceFile:
    """A trace file; faults that Perfetto would refuse or only count as errors fail the test."""

    def __init__(self, path: Path) -> None:
        self.tracks: dict[int, Track] = {}
        self.bytes = path.stat().st_size
        sequences: dict[int, _Sequence] = {}
        events = []
        for packet in pb.Trace.FromString(path.read_bytes()).packet:
            if packet.HasField("track_descriptor"):
                self._describe(packet.track_descriptor)
                continue
            number = packet.trusted_packet_sequence_id
            if packet.sequence_flags & _CLEARED:
                assert number and number not in sequences
                sequences[number] = _Sequence()
            events += _event(packet, sequences[number])
        for _, event in sorted(enumerate(events), key=lambda numbered: (numbered[1][0], numbered[0])):
            self._add(*event)
        for track in self.tracks.values():
            assert not track.open, f"{track.name} has slices without an end"
            assert track.parent in {0, *self.tracks}

    def _describe(self, descriptor: Any) -> None:
        assert descriptor.uuid and descriptor.uuid not in self.tracks
        counter = descriptor.counter if descriptor.HasField("counter") else None
        self.tracks[descriptor.uuid] = Track(
            descriptor.name,
            descriptor.parent_uuid,
            descriptor.sibling_order_rank,
            None if counter is None else counter.unit_name,
            1 if counter is None else counter.unit_multiplier,
        )

    def _add(
        self, at_ns: int, event: Any, uuid: int, name: str, arguments: dict[str, int], extra: dict[int, int]
    ) -> None:
        track = self.tracks[uuid]
        if event.type == event.TYPE_COUNTER:
            extra = {uuid: event.counter_value}
        else:
            assert track.unit is None, "slices are not on counters"
        for counter, value in extra.items():
            found = self.tracks[counter]
            assert found.unit is not None, "values are on counters"
            found.values.append((at_ns, value * found.factor))
        if event.type == event.TYPE_SLICE_BEGIN:
            track.open.append(Slice(name, at_ns, arguments))
        elif event.type == event.TYPE_SLICE_END:
            ended = track.open.pop()
            ended.end_ns = at_ns
            (track.open[-1].inside if track.open else track.slices).append(ended)

    def group(self, name: str) -> "Group":
        """Return the tracks under the track of that name."""
        (uuid,) = (uuid for uuid, track in self.tracks.items() if track.name == name and not track.parent)
        return Group([track for track in self.tracks.values() if track.parent == uuid])

    @property
    def groups(self) -> list[str]:
        """Return the names of the outermost tracks."""
        return [track.name for track in self.tracks.values() if not track.parent]


class Group:
    """The tracks of a device, or of the host."""

    def __init__(self, tracks: list[Track]) -> None:
        self.tracks = tracks

    def slices(self, name: str) -> list[Slice]:
        """Return the slices of the tracks of a name, ordered by their beginning."""
        found = [one for track in self.tracks if track.name == name for one in track.slices]
        return sorted(found, key=lambda one: (one.begin_ns, one.end_ns))

    def values(self, name: str) -> list[tuple[int, int]]:
        """Return times and values of a counter."""
        (track,) = (track for track in self.tracks if track.name == name)
        return track.values


def _event(packet: Any, sequence: _Sequence) -> Iterator[tuple[Any, ...]]:
    """Return the event of a packet, or None: time, event, track, name, arguments, values of counters."""
    if packet.HasField("trace_packet_defaults"):
        sequence.defaults = packet.trace_packet_defaults
    for clock in packet.clock_snapshot.clocks:
        assert clock.timestamp == 0
        assert clock.is_incremental == (clock.clock_id >= _OWN_CLOCKS) == (clock.clock_id != _TRACE_CLOCK)
    for names, entries in (
        (sequence.names, packet.interned_data.event_names),
        (sequence.arguments, packet.interned_data.debug_annotation_names),
    ):
        for entry in entries:
            assert entry.iid and entry.iid not in names
            names[entry.iid] = entry.name
    if not packet.HasField("track_event"):
        return
    event, defaults = packet.track_event, sequence.defaults.track_event_defaults
    assert packet.HasField("timestamp"), "Perfetto refuses events without a time"
    assert sequence.defaults.timestamp_clock_id >= _OWN_CLOCKS
    sequence.now_ns += packet.timestamp
    uuid = event.track_uuid if event.HasField("track_uuid") else defaults.track_uuid
    name = sequence.names[event.name_iid] if event.type == event.TYPE_SLICE_BEGIN else ""
    arguments = {sequence.arguments[one.name_iid]: one.uint_value for one in event.debug_annotations}
    counters = event.extra_counter_track_uuids or defaults.extra_counter_track_uuids
    assert len(event.extra_counter_values) <= min(len(counters), 8)
    extra = dict(zip(counters, event.extra_counter_values, strict=False))
    yield sequence.now_ns, event, uuid, name, arguments, extra
