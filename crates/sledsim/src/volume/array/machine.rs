//! Common behaviour of arrays with redundancy: notes of what may be out of step, overlapping accesses that
//! wait for one another, rebuilding, and resynchronisation after a power failure.

use std::mem;
use std::ops::Range;

use super::array_options::{failed, intent_s};
use super::intent::Intent;
use super::members::States;
use super::notes::Notes;
use super::pass::{Pass, Step};
use crate::counts::counts;
use crate::error::Result;
use crate::options::Options;
use crate::time::Time;
use crate::volume::{FindNote, Hold, Io, Job, Part, Ranges, Ticket, Volume, VolumeRequest};

/// Wake token of the pass.
const PASS: u64 = 0;
/// Wake token of the tick that drops regions.
const TICK: u64 = 1;
/// Tag of a note on its way.
const NOTE: u64 = 1;

counts! {
    /// Counts of every array with redundancy.
    ArrayCounts {
        /// records of the up-to-date members, written to the members for recovery after a power failure
        notes_written: u64,
        /// sectors that a rebuild or a resynchronisation has completed
        passed_sectors: u64,
        /// sectors that the rebuild has still to write to the new device
        rebuild_left_sectors: u64,
        /// sectors that the resynchronisation after a power failure has still to check
        resync_left_sectors: u64,
    }
}

/// State of every array with redundancy.
#[derive(Clone)]
pub(in crate::volume) struct Array {
    pub(in crate::volume) states: States,
    pub(in crate::volume) pass: Pass,
    /// True if members may differ in the regions of the intent.
    pub(in crate::volume) differ: bool,
    /// True if the array can resynchronise while a member is missing.
    mends_degraded: bool,
    notes: Notes,
    ranges: Ranges,
    ready: Vec<u64>,
}

impl Array {
    /// An array over devices of `sectors` sectors each, the last sector for the note; a pass goes over the `rows`
    /// sectors in use, piece by piece.
    pub(in crate::volume) fn new(
        options: &Options,
        devices: &[u64],
        rows: u64,
        piece: u64,
        mends_degraded: bool,
    ) -> Result<Self> {
        let count = devices.len() as u32;
        let intent = intent_s(options)?.map(|kept_s| Intent::new(rows, kept_s));
        Ok(Self {
            states: States::new(count, failed(options, count)?),
            pass: Pass::new(rows, piece, options)?,
            differ: false,
            mends_degraded,
            notes: Notes::new(devices[0] - 1, NOTE, intent),
            ranges: Ranges::new(piece.next_power_of_two()),
            ready: Vec::new(),
        })
    }

    /// True if any of these rows may be out of step, as far as is noted.
    pub(in crate::volume) fn is_dirty(&self, from: u64, sectors: u64) -> bool {
        self.notes.intent.as_ref().is_none_or(|intent| intent.is_dirty(from, sectors))
    }

    /// Ends a write of these rows.
    pub(in crate::volume) fn leave_regions(&mut self, now: Time, from: u64, sectors: u64, io: &mut Io) {
        if let Some(intent) = &mut self.notes.intent {
            intent.leave(from, sectors);
        }
        self.tick_later(now, io);
    }

    /// Schedules the next tick, if one is needed.
    fn tick_later(&mut self, now: Time, io: &mut Io) {
        if let Some(at) = self.notes.intent.as_mut().and_then(|intent| intent.tick_at(now)) {
            io.wake(at, TICK);
        }
    }

    fn note(&mut self, io: &mut Io) {
        self.notes.write(self.states.present(), self.states.out_noted(), io);
    }

    /// True if members must be rebuilt or resynchronised.
    fn needs_pass(&self) -> bool {
        let mends = self.differ && (self.mends_degraded || self.states.out == 0);
        mends || self.states.unfilled() != 0
    }

    /// The next step of the pass, if there is one.
    fn next_step(&mut self, now: Time) -> Step {
        let (all, intent) = (self.states.unfilled() != 0, self.notes.intent.as_ref());
        self.pass.next(now, |at, sectors| all || intent.is_none_or(|intent| intent.is_dirty(at, sectors)))
    }

    /// Ends the pass: all members agree, and rebuilt members are filled.
    fn finished(&mut self, now: Time, io: &mut Io) {
        self.differ = false;
        if self.states.unfilled() == 0 {
            self.pass.stop();
        } else if self.states.fill() {
            self.note(io);
        }
        self.tick_later(now, io);
    }

    fn counts(&self) -> ArrayCounts {
        let (rebuild, left) = (self.states.unfilled() != 0, self.pass.left());
        ArrayCounts {
            notes_written: self.notes.written,
            passed_sectors: self.pass.done,
            // At least one sector is left until the other members have noted the end.
            rebuild_left_sectors: if rebuild { left.max(1) } else { 0 },
            resync_left_sectors: if rebuild { 0 } else { left },
        }
    }
}

/// A kind of array: it defines the steps of its accesses, each of which is a request or a piece of the pass.
pub(in crate::volume) trait Redundant: Clone + Send + Sync {
    /// The state common to every array.
    fn array(&self) -> &Array;

    /// The state common to every array, mutable.
    fn array_mut(&mut self) -> &mut Array;

    /// The ticket of an access that has entered its rows or waits for them.
    fn ticket(&mut self, job: Job) -> &mut Option<Ticket>;

    /// Number of sectors that the array offers.
    fn offered(&self) -> u64;

    /// Starts a request.
    fn ask(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io);

    /// Starts a piece of the pass.
    fn begin_piece(&mut self, now: Time, rows: Range<u64>, io: &mut Io);

    /// Continues an access that now holds its rows, exclusively or shared.
    fn entered(&mut self, now: Time, job: Job, io: &mut Io);

    /// Continues a write whose regions are all noted.
    fn regions_noted(&mut self, now: Time, job: Job, io: &mut Io);

    /// Takes the return of a part of an access.
    fn came_back(&mut self, now: Time, part: &Part, io: &mut Io);

    /// # Errors The array cannot work without that member.
    fn spare(&self, member: u32) -> Result<()>;

    /// Handles the failure of a member: parts on their way to it do not return.
    fn without(&mut self, now: Time, member: u32, io: &mut Io);

    /// Counts of this kind, besides the counts of every array.
    fn own_counts(&self) -> Vec<(&'static str, f64)>;

    /// Waits until an access holds its rows, exclusively or shared, and continues it; returns true if at
    /// once.
    fn wait(&mut self, now: Time, job: Job, rows: Range<u64>, hold: Hold, io: &mut Io) -> bool {
        let (ticket, at_once) = self.array_mut().ranges.enter(rows, hold, u64::from(job.0));
        *self.ticket(job) = Some(ticket);
        if at_once {
            self.entered(now, job, io);
        } else {
            self.hurry(job, io);
        }
        at_once
    }

    /// Raises the urgency of the accesses that `job` waits for to the urgency of `job`.
    fn hurry(&mut self, job: Job, io: &mut Io) {
        if let Some(ticket) = *self.ticket(job) {
            self.array().ranges.blockers(ticket).for_each(|other| io.wait_for(job, Job(other as u32)));
        }
    }

    /// Continues a write that holds its rows exclusively, once its regions are noted.
    fn note_regions(&mut self, now: Time, job: Job, from: u64, sectors: u64, io: &mut Io) {
        let array = self.array_mut();
        if array.notes.intent.as_mut().is_none_or(|intent| intent.enter(from, sectors)) {
            return self.regions_noted(now, job, io);
        }
        array.notes.wait(u64::from(job.0));
        array.note(io);
    }

    /// Notes that a member has written its note or has failed.
    fn noted(&mut self, now: Time, member: u32, io: &mut Io) {
        let array = self.array_mut();
        let mut ready = mem::take(&mut array.ready);
        if let Some((out, again)) = array.notes.came_back(now, member, io, &mut ready) {
            array.states.noted(out);
            if array.states.unfilled() == 0 && array.pass.left() == 0 {
                array.pass.stop();
            }
            if again {
                array.note(io);
            }
        }
        for job in ready.drain(..) {
            self.regions_noted(now, Job(job as u32), io);
        }
        self.array_mut().ready = ready;
    }

    /// Ends an access: accesses that waited for its rows continue.
    fn over(&mut self, now: Time, job: Job, io: &mut Io) {
        let ticket = self.ticket(job).take();
        io.complete(job, now);
        let Some(ticket) = ticket else { return };
        let array = self.array_mut();
        let mut ready = mem::take(&mut array.ready);
        array.ranges.leave(ticket, &mut ready);
        for job in ready.drain(..) {
            self.entered(now, Job(job as u32), io);
        }
        self.array_mut().ready = ready;
    }

    /// Ends a piece of the pass, or marks it for a new start.
    fn piece_over(&mut self, now: Time, job: Job, sectors: u64, done: bool, io: &mut Io) {
        self.array_mut().pass.finish(sectors, done);
        self.over(now, job, io);
        self.next_piece(now, io);
    }

    /// Starts a pass if one is needed.
    fn start_pass(&mut self, now: Time, io: &mut Io) {
        let array = self.array_mut();
        if array.needs_pass() {
            array.pass.start();
        }
        self.next_piece(now, io);
    }

    /// Continues the pass, if there is one and its time has come.
    ///
    /// Parts of the pass are not background: a write that waits for the rows of a piece must not wait for
    /// idle time. The rate option limits them.
    fn next_piece(&mut self, now: Time, io: &mut Io) {
        match self.array_mut().next_step(now) {
            Step::None => {}
            Step::Wake(at) => io.wake(at, PASS),
            Step::Finished => self.array_mut().finished(now, io),
            Step::Work(at, sectors) => self.begin_piece(now, at..at + sectors, io),
        }
    }
}

impl<K: Redundant> Volume for K {
    fn sectors(&self) -> u64 {
        self.offered()
    }

    fn begin(&mut self, now: Time, io: &mut Io) {
        let array = self.array_mut();
        if array.differ {
            array.note(io);
        }
        self.start_pass(now, io);
    }

    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        self.ask(now, job, request, io);
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        if part.tag == NOTE {
            return self.noted(now, part.member, io);
        }
        self.came_back(now, part, io);
    }

    fn promoted(&mut self, _now: Time, job: Job, io: &mut Io) {
        self.hurry(job, io);
    }

    fn woken(&mut self, now: Time, token: u64, io: &mut Io) {
        let array = self.array_mut();
        if token == PASS {
            array.pass.woken();
            return self.next_piece(now, io);
        }
        let Some(intent) = &mut array.notes.intent else { return };
        let forgotten = intent.tick(array.differ);
        array.tick_later(now, io);
        if forgotten {
            array.note(io);
        }
    }

    fn fail(&mut self, now: Time, member: u32, io: &mut Io) -> Result<()> {
        self.spare(member)?;
        let array = self.array_mut();
        array.states.fail(member);
        if !array.needs_pass() {
            array.pass.stop();
        }
        self.without(now, member, io);
        self.noted(now, member, io);
        self.array_mut().note(io);
        Ok(())
    }

    fn replace(&mut self, now: Time, member: u32, io: &mut Io) {
        self.array_mut().states.replace(member);
        self.start_pass(now, io);
    }

    fn recover(&mut self, read: &mut FindNote<'_>) {
        let array = self.array_mut();
        if let Some(out) = array.notes.recover(array.states.present(), read) {
            array.states.recover(out);
        }
        array.differ = true;
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        [self.own_counts(), self.array().counts().rows()].concat()
    }
}
