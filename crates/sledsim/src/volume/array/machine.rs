//! Common behaviour of arrays with redundancy: the state that members store, the order of overlapping accesses, the
//! rebuild of a replaced member, and the resynchronisation of all members after a power failure.

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

/// Token of the wake-up at which the array continues its rebuild or resynchronisation.
const PASS: u64 = 0;
/// Token of the wake-up at which the array removes marks from its write-intent bitmap.
const TICK: u64 = 1;
/// Tag of a part that writes the array's note to a member. The note holds the array's state: the members that are up to
/// date, and the write-intent bitmap.
const NOTE: u64 = 1;

counts! {
    /// Counts that every array with redundancy has.
    ArrayCounts {
        /// writes of the array's state (set of up-to-date members, write-intent bitmap) to all members
        notes_written: u64,
        /// sectors of each member that the rebuild or the resynchronisation has processed
        passed_sectors: u64,
        /// sectors of each member that remain to be rebuilt at the end of the run
        rebuild_left_sectors: u64,
        /// sectors of each member that remain to be checked by the resynchronisation at the end of the run
        resync_left_sectors: u64,
    }
}

/// State that every array with redundancy has.
#[derive(Clone)]
pub(in crate::volume) struct Array {
    pub(in crate::volume) states: States,
    pub(in crate::volume) pass: Pass,
    /// True if members may differ since a power failure: in the regions that the write-intent bitmap marks, or anywhere
    /// without a bitmap.
    pub(in crate::volume) differ: bool,
    /// True if the array can resynchronise the remaining members while one member is missing.
    mends_degraded: bool,
    notes: Notes,
    ranges: Ranges,
    ready: Vec<u64>,
}

impl Array {
    /// Creates the state of an array. `devices` has the number of sectors of each device; the last sector of each
    /// stores the array's state. `rows` is the number of sectors of a device that hold data: a rebuild or
    /// resynchronisation covers them in pieces of `piece` sectors.
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

    /// True if members may differ in one of the `sectors` sectors from `from` on: the bitmap marks its region, or the
    /// array has no bitmap.
    pub(in crate::volume) fn is_dirty(&self, from: u64, sectors: u64) -> bool {
        self.notes.intent.as_ref().is_none_or(|intent| intent.is_dirty(from, sectors))
    }

    /// Ends a write of `sectors` sectors from `from` on, on each member: the bitmap may remove the marks of its regions
    /// later.
    pub(in crate::volume) fn leave_regions(&mut self, now: Time, from: u64, sectors: u64, io: &mut Io) {
        if let Some(intent) = &mut self.notes.intent {
            intent.leave(from, sectors);
        }
        self.tick_later(now, io);
    }

    /// Schedules the next removal of marks from the bitmap, if any region is marked.
    fn tick_later(&mut self, now: Time, io: &mut Io) {
        if let Some(at) = self.notes.intent.as_mut().and_then(|intent| intent.tick_at(now)) {
            io.wake(at, TICK);
        }
    }

    fn note(&mut self, io: &mut Io) {
        self.notes.write(self.states.present(), self.states.out_noted(), io);
    }

    /// True if a replaced member must be rebuilt, or if the members must be resynchronised.
    fn needs_pass(&self) -> bool {
        let mends = self.differ && (self.mends_degraded || self.states.out == 0);
        mends || self.states.unfilled() != 0
    }

    /// Returns the next step of the rebuild or resynchronisation.
    fn next_step(&mut self, now: Time) -> Step {
        let (all, intent) = (self.states.unfilled() != 0, self.notes.intent.as_ref());
        self.pass.next(now, |at, sectors| all || intent.is_none_or(|intent| intent.is_dirty(at, sectors)))
    }

    /// Handles the end of a rebuild or resynchronisation: all members agree, and a replaced member counts as rebuilt.
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
            // At least one sector is left until the state on the other members shows the end of the rebuild.
            rebuild_left_sectors: if rebuild { left.max(1) } else { 0 },
            resync_left_sectors: if rebuild { 0 } else { left },
        }
    }
}

/// A kind of array with redundancy. It defines the steps of an access: of a request, or of a piece of a rebuild or
/// resynchronisation.
pub(in crate::volume) trait Redundant: Clone + Send + Sync {
    /// Returns the state that every array has.
    fn array(&self) -> &Array;

    /// Returns the state that every array has, mutable.
    fn array_mut(&mut self) -> &mut Array;

    /// The ticket of the access `job` in the queue for ranges of sectors. The access waits for its range on the
    /// members, or holds it; `None` without a range.
    fn ticket(&mut self, job: Job) -> &mut Option<Ticket>;

    /// Number of sectors that the array offers to the host.
    fn offered(&self) -> u64;

    /// Starts to serve a request; `job` identifies its access.
    fn ask(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io);

    /// Starts to rebuild or resynchronise the sectors `rows` of every member.
    fn begin_piece(&mut self, now: Time, rows: Range<u64>, io: &mut Io);

    /// Continues the access `job`, which now holds its range of sectors: no other access is in its way.
    fn entered(&mut self, now: Time, job: Job, io: &mut Io);

    /// Continues the write `job`, after the copies of the write-intent bitmap on the members mark all of its regions.
    fn regions_noted(&mut self, now: Time, job: Job, io: &mut Io);

    /// Handles the completion of a part that an access has sent to a member.
    fn came_back(&mut self, now: Time, part: &Part, io: &mut Io);

    /// # Errors The array cannot work without the member with the number `member`.
    fn spare(&self, member: u32) -> Result<()>;

    /// Handles the failure of the member `member`. Its parts in flight will never complete.
    fn without(&mut self, now: Time, member: u32, io: &mut Io);

    /// Counts of this kind of array, besides the counts that every array has.
    fn own_counts(&self) -> Vec<(&'static str, f64)>;

    /// Lets the access `job` wait until it holds the sectors `rows` of every member, shared or exclusively as `hold`
    /// states, and then continues it. Returns true if the access need not wait.
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

    /// Promotes to foreground all accesses for which `job` waits, if `job` itself is foreground.
    fn hurry(&mut self, job: Job, io: &mut Io) {
        if let Some(ticket) = *self.ticket(job) {
            self.array().ranges.blockers(ticket).for_each(|other| io.wait_for(job, Job(other as u32)));
        }
    }

    /// Continues the write `job` as soon as the copies of the bitmap on the members mark its regions. The write covers
    /// `sectors` sectors from `from` on.
    fn note_regions(&mut self, now: Time, job: Job, from: u64, sectors: u64, io: &mut Io) {
        let array = self.array_mut();
        if array.notes.intent.as_mut().is_none_or(|intent| intent.enter(from, sectors)) {
            return self.regions_noted(now, job, io);
        }
        array.notes.wait(u64::from(job.0));
        array.note(io);
    }

    /// Handles the completion of a write of the note to the member `member`, or the failure of this member during the
    /// write.
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

    /// Ends the access `job`, and continues the accesses that waited for its range of sectors.
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

    /// Ends the piece `job` of a rebuild or resynchronisation, which covers `sectors` sectors. If `done` is false, a
    /// member has failed meanwhile, and the piece is repeated.
    fn piece_over(&mut self, now: Time, job: Job, sectors: u64, done: bool, io: &mut Io) {
        self.array_mut().pass.finish(sectors, done);
        self.over(now, job, io);
        self.next_piece(now, io);
    }

    /// Starts a rebuild or a resynchronisation if one is needed.
    fn start_pass(&mut self, now: Time, io: &mut Io) {
        let array = self.array_mut();
        if array.needs_pass() {
            array.pass.start();
        }
        self.next_piece(now, io);
    }

    /// Starts the next piece of the rebuild or resynchronisation, if one is in progress and the rate limit permits the
    /// piece now.
    ///
    /// The parts of a piece are foreground parts: a write may wait for the sectors of the piece, and must not wait
    /// until a member is idle. The option `rebuild_mb_s` limits the rate of pieces.
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
