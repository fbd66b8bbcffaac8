//! Reading and writing the units of a request.

use super::access::{Access, Phase};
use super::target::Target;
use super::Raid5;
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::bit;
use crate::volume::{Hold, Io, Job, Part, VolumeRequest};

impl Raid5 {
    /// A request sets off.
    pub(super) fn ask(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        let range = sector..sector + u64::from(sectors);
        let rows = Target::rows_of(&self.layout, &range);
        let phase = if op == Op::Read { Phase::Read } else { Phase::ReadOld };
        self.begin_access(job, Access { phase, range, rows, metadata, ..Access::default() });
        match op {
            Op::Read => self.read(now, job, io),
            Op::Write => self.wait(now, job, Hold::Alone, io),
        }
    }

    pub(super) fn begin_access(&mut self, job: Job, access: Access) {
        let known = self.accesses.of(job);
        debug_assert!(known.pending.is_empty(), "a job is over when nothing is on its way");
        let (pending, methods) = (std::mem::take(&mut known.pending), std::mem::take(&mut known.methods));
        *known = Access { pending, methods, ..access };
    }

    /// Reads or writes what is wanted, one part for what lies at most `gap` sectors apart on a device; and goes on at
    /// once if that is nothing.
    pub(super) fn send(&mut self, now: Time, job: Job, op: Op, gap: u64, io: &mut Io) {
        let access = self.accesses.of(job);
        for (member, sectors) in self.wanted.merged(gap) {
            access.pending.push(member);
            io.submit(Part {
                member,
                sector: sectors.start,
                sectors: (sectors.end - sectors.start) as u32,
                op,
                metadata: access.metadata,
                job,
                at: access.place(job, member, sectors.start).1,
                tag: 0,
            });
        }
        if access.pending.is_empty() {
            self.go_on(now, job, io);
        }
    }

    /// A part has come back.
    pub(super) fn came_back(&mut self, now: Time, part: &Part, io: &mut Io) {
        let pending = &mut self.accesses.of(part.job).pending;
        let own = pending.iter().position(|member| *member == part.member);
        pending.swap_remove(own.expect("a part comes back once"));
        if pending.is_empty() {
            self.go_on(now, part.job, io);
        }
    }

    /// Waits until the rows of an access are its own, or shared; and goes on.
    pub(super) fn wait(&mut self, now: Time, job: Job, hold: Hold, io: &mut Io) {
        let access = self.accesses.of(job);
        let (ticket, at_once) = self.ranges.enter(access.rows.clone(), hold, u64::from(job.0));
        access.ticket = Some(ticket);
        self.counts.waited += u64::from(!at_once);
        if at_once {
            self.enter(now, job, io);
        } else {
            self.hurry(job, io);
        }
    }

    /// Those that an access waits for, if it does, become as urgent.
    pub(super) fn hurry(&mut self, job: Job, io: &mut Io) {
        if let Some(ticket) = self.accesses.of(job).ticket {
            self.ranges.blockers(ticket).for_each(|other| io.wait_for(job, Job(other as u32)));
        }
    }

    /// The rows of an access are its own, or shared.
    pub(super) fn enter(&mut self, now: Time, job: Job, io: &mut Io) {
        let Access { phase, rows, .. } = self.accesses.of(job);
        match *phase {
            Phase::Read => return self.read(now, job, io),
            Phase::PieceRead(device) => return self.read_piece(now, job, device, io),
            _ => {}
        }
        let (from, sectors) = (rows.start, rows.end - rows.start);
        if self.notes.intent.as_mut().is_none_or(|intent| intent.enter(from, sectors)) {
            return self.read_old(now, job, io);
        }
        self.notes.wait(u64::from(job.0));
        self.note(io);
    }

    /// An access is done.
    pub(super) fn over(&mut self, now: Time, job: Job, io: &mut Io) {
        let ticket = self.accesses.of(job).ticket.take();
        io.complete(job, now);
        let Some(ticket) = ticket else { return };
        let mut ready = std::mem::take(&mut self.ready);
        self.ranges.leave(ticket, &mut ready);
        for job in ready.drain(..) {
            self.enter(now, Job(job as u32), io);
        }
        self.ready = ready;
    }

    /// A member has failed: its parts do not come back, and what others read meanwhile is of no use any more, as it
    /// was planned with that member.
    pub(super) fn without(&mut self, now: Time, member: u32, io: &mut Io) {
        for job in (0..self.accesses.len()).map(Job) {
            let access = self.accesses.of(job);
            if access.pending.is_empty() {
                continue;
            }
            access.again = true;
            access.pending.retain(|pending| *pending != member);
            if access.pending.is_empty() {
                self.go_on(now, job, io);
            }
        }
        debug_assert!(self.states.out & bit(member) != 0, "it has failed");
    }
}
