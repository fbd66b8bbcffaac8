//! Notes of an array: the array's state, stored in one sector of each member.

use std::mem;

use super::intent::Intent;
use super::members::{bit, each};
use crate::request::Op;
use crate::time::Time;
use crate::volume::{FindNote, Io, Job, Part};

/// First word of every note of an array, which distinguishes it from other data.
const MARK: u64 = 0x5eed_a44a;

/// Writes the note of an array to all members. Only one note is in flight at a time, because two writes to the same
/// sector could take effect in either order.
#[derive(Clone, Default)]
pub(in crate::volume) struct Notes {
    /// Sector of each member that stores the note.
    sector: u64,
    tag: u64,
    /// Version of the newest note: each note has a higher version than the one before.
    version: u64,
    pub(in crate::volume) intent: Option<Intent>,
    writing: Option<Job>,
    pending: u64,
    again: bool,
    out: u64,
    /// Accesses that wait for the note in flight, and accesses that wait for the next note; each by its token.
    waiting: [Vec<u64>; 2],
    /// Number of notes written so far; a note that is written to all members counts once.
    pub(in crate::volume) written: u64,
}

impl Notes {
    pub(in crate::volume) fn new(sector: u64, tag: u64, intent: Option<Intent>) -> Self {
        Self { sector, tag, intent, ..Self::default() }
    }

    /// Lets the access with the number `token` wait until the next note is on all members.
    pub(in crate::volume) fn wait(&mut self, token: u64) {
        self.waiting[1].push(token);
    }

    /// Writes a note to the members of the set `present`; it lists the members of the set `out` as out of date. If a
    /// note is in flight, another note must be written after it.
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

    /// Handles the completion of a write of the note to a member, or the failure of this member; `None` if other
    /// members still write the note. After the last one, `ready` receives the accesses that waited for the note. Then
    /// returns the members that the note lists as out of date, and true if another note must follow.
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

    /// Finds the newest note on the members of the set `members`; returns the members that it lists as out of date.
    /// `None` if no member has a note.
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
