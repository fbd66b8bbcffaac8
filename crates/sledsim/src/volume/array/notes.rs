//! The state of an array as stored on its members: one sector of each, called its note.

use std::mem;

use super::intent::Intent;
use super::members::{bit, each};
use crate::request::Op;
use crate::time::Time;
use crate::volume::{FindNote, Io, Job, Part};

/// First word of every note of an array, which distinguishes it from other data.
const MARK: u64 = 0x5eed_a44a;

/// Writer of the note to all members, one note at a time: two writes in flight to one sector could take
/// effect in either order.
#[derive(Clone, Default)]
pub(in crate::volume) struct Notes {
    /// Number of the sector of each member that stores the note.
    sector: u64,
    tag: u64,
    /// Version of the note; the highest version found on a member is the newest.
    version: u64,
    pub(in crate::volume) intent: Option<Intent>,
    writing: Option<Job>,
    pending: u64,
    again: bool,
    out: u64,
    /// Accesses that wait for the note now being written, and accesses that wait for the next note.
    waiting: [Vec<u64>; 2],
    /// Number of notes written so far; a write to all members counts once.
    pub(in crate::volume) written: u64,
}

impl Notes {
    pub(in crate::volume) fn new(sector: u64, tag: u64, intent: Option<Intent>) -> Self {
        Self { sector, tag, intent, ..Self::default() }
    }

    /// Lets the access with the number `token` wait for the next note.
    pub(in crate::volume) fn wait(&mut self, token: u64) {
        self.waiting[1].push(token);
    }

    /// Writes a note to the members of the set `present` that calls the members of the set `out` out of date.
    /// The write starts now, or after the note in flight.
    pub(in crate::volume) fn write(&mut self, present: u64, out: u64, io: &mut Io) {
        if self.writing.is_some() {
            self.again = true;
            return;
        }
        self.version += 1;
        self.written += 1;
        let job = io.begin();
        self.intent.iter_mut().for_each(Intent::note);
        io.note((job, 0), || {
            let dirty = self.intent.iter().flat_map(|intent| intent.dirty);
            [MARK, self.version, out].into_iter().chain(dirty).collect()
        });
        self.waiting.swap(0, 1);
        (self.writing, self.pending, self.out) = (Some(job), present, out);
        for member in each(present) {
            io.submit(Part::own(job, member, Op::Write, (self.sector, 1), self.tag));
        }
    }

    /// Handles the end of the write of the note to a member, or the failure of this member. After the last
    /// member, adds the accesses that waited for the note to `ready`, and returns the members that the note
    /// calls out of date, and true if another note must be written.
    pub(in crate::volume) fn came_back(
        &mut self,
        now: Time,
        member: u32,
        io: &mut Io,
        ready: &mut Vec<u64>,
    ) -> Option<(u64, bool)> {
        let last = self.pending == bit(member);
        self.pending &= !bit(member);
        let job = self.writing.take_if(|_| last)?;
        io.complete(job, now);
        self.intent.iter_mut().for_each(Intent::noted);
        ready.append(&mut self.waiting[0]);
        Some((self.out, mem::take(&mut self.again)))
    }

    /// Returns the members that the newest note calls out of date; `None` if none of the `members` members has a note.
    pub(in crate::volume) fn recover(&mut self, members: u64, read: &mut FindNote<'_>) -> Option<u64> {
        let notes = each(members).filter_map(|member| read(member, self.sector));
        let notes = notes.map(|note| note.words).filter(|words| words.first() == Some(&MARK));
        let newest = notes.max_by_key(|words| words[1])?;
        self.version = newest[1];
        if let Some(intent) = &mut self.intent {
            intent.dirty.iter_mut().zip(&newest[3..]).for_each(|(dirty, word)| *dirty = *word);
        }
        Some(newest[2])
    }
}
