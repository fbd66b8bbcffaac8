//! Sequences of packets; the packets of a sequence are in the order of time.

use std::collections::HashMap;
use std::io;

use super::fields::{annotation, clock, defaults, event, interned, packet};
use super::message::Message;
use super::names::{Argument, Name, Phase, Title};
use super::tracks::Tracks;
use crate::time::Time;

/// Flag of a packet that does not depend on earlier packets.
const STATE_CLEARED: u64 = 1;
/// Number that Perfetto gives to the clock of trace files.
const TRACE_CLOCK: u64 = 6;
/// Number of the clock of a sequence of packets.
const OWN_CLOCK: u64 = 64;

/// Kind of an event on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Begin(Name),
    End,
    Counter(i64),
}

/// An event on a track: the beginning or the end of a slice, or a value of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub at: Time,
    pub kind: Kind,
    pub track: u64,
}

/// A sequence of packets with a common clock, common names, and a default track.
#[derive(Debug)]
pub(super) struct Sequence {
    id: u64,
    track: u64,
    now: Time,
    titles: HashMap<Title, u64>,
    /// Message of the event that is being written; its memory is used again for the next event.
    event: Message,
    part: Message,
    packet: Message,
}

impl Sequence {
    /// Begins a sequence with the default track `track` and counters with the track numbers
    /// `counters`; later packets depend on its first packet, which this function writes.
    pub fn begin(tracks: &mut Tracks<'_>, track: u64, counters: &[u64]) -> io::Result<Self> {
        let id = tracks.next_sequence();
        let mut packet = Message::default();
        packet.number(packet::SEQUENCE_ID, id).number(packet::SEQUENCE_FLAGS, STATE_CLEARED);
        packet.message(packet::DEFAULTS, &defaults(track, counters));
        packet.message(packet::CLOCK_SNAPSHOT, &clocks());
        packet.message(packet::INTERNED_DATA, &names());
        tracks.packet(&packet)?;
        let [event, part, packet] = [(); 3].map(|()| Message::default());
        Ok(Self { id, track, now: Time::ZERO, titles: HashMap::new(), event, part, packet })
    }

    /// Writes an event, which must not be earlier than the previous one. `counters` are new values
    /// of the first counters of the sequence.
    pub fn write(
        &mut self,
        tracks: &mut Tracks<'_>,
        event: Event,
        arguments: &[(Argument, u64)],
        counters: &[i64],
    ) -> io::Result<()> {
        debug_assert!(event.at >= self.now, "events of a sequence must be in the order of time");
        self.packet.clear();
        self.packet.number(packet::TIMESTAMP, event.at.since(self.now).0);
        self.packet.number(packet::SEQUENCE_ID, self.id);
        self.now = event.at;
        self.event.clear();
        match event.kind {
            Kind::Begin(name) => {
                let number = self.number_of(name);
                self.event.number(event::TYPE, 1).number(event::NAME_IID, number);
            }
            Kind::End => {
                self.event.number(event::TYPE, 2);
            }
            Kind::Counter(value) => {
                self.event.number(event::TYPE, 4).signed(event::COUNTER_VALUE, value);
            }
        }
        if event.track != self.track {
            self.event.number(event::TRACK, event.track);
        }
        for (name, value) in arguments {
            self.part.clear();
            self.part.number(annotation::NAME_IID, *name as u64).number(annotation::UINT, *value);
            self.event.message(event::ANNOTATIONS, &self.part);
        }
        for value in counters {
            self.event.signed(event::EXTRA_VALUES, *value);
        }
        self.packet.message(packet::TRACK_EVENT, &self.event);
        tracks.packet(&self.packet)
    }

    /// Returns the number of a name in the sequence; a new name is defined in the packet that is
    /// being written.
    fn number_of(&mut self, name: Name) -> u64 {
        let title = match name {
            Name::Of(phase) => return phase as u64,
            Name::Request(title) => title,
        };
        let next = (Phase::NAMES.len() + 1 + self.titles.len()) as u64;
        *self.titles.entry(title).or_insert_with(|| {
            let mut new = Message::default();
            entry(&mut new, interned::EVENT_NAMES, next, &title.text());
            self.packet.message(packet::INTERNED_DATA, &new);
            next
        })
    }
}

fn defaults(track: u64, counters: &[u64]) -> Message {
    let (mut of_events, mut all) = (Message::default(), Message::default());
    of_events.number(event::TRACK, track);
    for counter in counters {
        of_events.number(event::EXTRA_TRACKS, *counter);
    }
    all.number(defaults::TIMESTAMP_CLOCK_ID, OWN_CLOCK).message(defaults::TRACK_EVENT, &of_events);
    all
}

/// The message that defines the clock of the file and that of the sequence, both starting at 0;
/// times of the sequence's clock are differences from the packet before.
fn clocks() -> Message {
    let (mut snapshot, mut trace, mut own) = (Message::default(), Message::default(), Message::default());
    trace.number(clock::ID, TRACE_CLOCK).number(clock::TIMESTAMP, 0);
    own.number(clock::ID, OWN_CLOCK).number(clock::TIMESTAMP, 0).number(clock::IS_INCREMENTAL, 1);
    snapshot.message(clock::CLOCKS, &trace).message(clock::CLOCKS, &own);
    snapshot
}

fn names() -> Message {
    let mut all = Message::default();
    for (number, name) in (1..).zip(Phase::NAMES) {
        entry(&mut all, interned::EVENT_NAMES, number, name);
    }
    for (number, name) in (1..).zip(Argument::NAMES) {
        entry(&mut all, interned::ANNOTATION_NAMES, number, name);
    }
    all
}

fn entry(all: &mut Message, field: u32, number: u64, name: &str) {
    let mut entry = Message::default();
    entry.number(interned::IID, number).text(interned::NAME, name);
    all.message(field, &entry);
}
