//! The tree of tracks of a trace file, and the file itself.

use std::io::{self, Write};

use super::fields::{counter, packet, track, PACKET};
use super::message::Message;

/// Value of the field `CHILD_ORDERING` that orders the tracks below a track by their ranks.
const BY_RANK: u64 = 3;

/// A trace file that is being written, with the next free numbers of tracks and sequences.
pub(super) struct Tracks<'a> {
    out: &'a mut dyn Write,
    framed: Message,
    bytes: u64,
    tracks: u64,
    sequences: u64,
}

impl<'a> Tracks<'a> {
    /// Creates a trace file without tracks, which is written to `out`.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, framed: Message::default(), bytes: 0, tracks: 0, sequences: 0 }
    }

    /// Number of bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of a new sequence of packets.
    pub fn next_sequence(&mut self) -> u64 {
        self.sequences += 1;
        self.sequences
    }

    /// Writes a packet to the file.
    pub fn packet(&mut self, packet: &Message) -> io::Result<()> {
        self.framed.clear();
        self.framed.message(PACKET, packet);
        self.bytes += self.framed.as_bytes().len() as u64;
        self.out.write_all(self.framed.as_bytes())
    }

    /// Writes a track named `name` under which other tracks lie; returns its number.
    pub fn group(&mut self, name: &str) -> io::Result<u64> {
        self.describe(|descriptor| descriptor.text(track::NAME, name).number(track::CHILD_ORDERING, BY_RANK))
    }

    /// Writes a track of slices named `name` below the track `group`, at the position `rank`;
    /// returns its number.
    pub fn slices(&mut self, group: u64, name: &str, rank: u64) -> io::Result<u64> {
        self.describe(|descriptor| child(descriptor, group, name, rank))
    }

    /// Writes a track of a counter below the track `group`; returns its number. `unit` is a factor
    /// and a unit, such as 10 and `nm`: the counter's values are multiples of 10 nm.
    pub fn counter(&mut self, group: u64, name: &str, unit: (u64, &str), rank: u64) -> io::Result<u64> {
        let mut counter = Message::default();
        counter.number(counter::MULTIPLIER, unit.0).text(counter::UNIT_NAME, unit.1);
        self.describe(|descriptor| child(descriptor, group, name, rank).message(track::COUNTER, &counter))
    }

    fn describe(&mut self, what: impl FnOnce(&mut Message) -> &mut Message) -> io::Result<u64> {
        self.tracks += 1;
        let (mut descriptor, mut packet) = (Message::default(), Message::default());
        what(descriptor.number(track::UUID, self.tracks));
        packet.message(packet::TRACK_DESCRIPTOR, &descriptor);
        self.packet(&packet)?;
        Ok(self.tracks)
    }
}

fn child<'m>(descriptor: &'m mut Message, group: u64, name: &str, rank: u64) -> &'m mut Message {
    descriptor.text(track::NAME, name).number(track::PARENT, group).number(track::RANK, rank)
}
