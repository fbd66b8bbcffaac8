//! The steps of an access to a RAID-5, from its first read to its completion.

use std::ops::Range;

use super::access::{Access, Phase};
use super::target::Target;
use super::Raid5;
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::{bit, Redundant};
use crate::volume::{Hold, Io, Job, Part};

impl Raid5 {
    /// Reads the data of the request `job`; data of a missing device are reconstructed from all other devices. Before a
    /// reconstruction, the access waits until no write to the same sectors is in progress.
    pub(super) fn read(&mut self, now: Time, job: Job, io: &mut Io) {
        let access = self.accesses.get(job);
        let (range, entered) = (access.range.clone(), access.ticket.is_some());
        let mut is_whole = true;
        for piece in self.layout.pieces(range) {
            let (device, rows) =
                (self.layout.device(piece.stripe, piece.column), self.layout.rows_of(&piece));
            if self.usable(device, piece.stripe) {
                self.wanted.want(device, rows);
            } else {
                is_whole = false;
                self.want_others(device, &rows);
            }
        }
        if !is_whole && !entered {
            self.wanted.clear();
            return self.wait_for_rows(now, job, Hold::Shared, io);
        }
        self.counts.degraded_reads += u64::from(!is_whole);
        self.send(now, job, Op::Read, self.layout.gap, io);
    }

    /// Reads what the write `job` needs to compute the new parity: old data, old parity, or unchanged data. The write
    /// already holds its sectors exclusively.
    pub(super) fn read_old(&mut self, now: Time, job: Job, io: &mut Io) {
        let access = self.accesses.of(job);
        let (range, mut methods) = (access.range.clone(), std::mem::take(&mut access.methods));
        self.choose(&range, &mut methods);
        self.want_old(&range, &methods);
        let access = self.accesses.of(job);
        (access.phase, access.methods) = (Phase::ReadOld, methods);
        self.send(now, job, Op::Read, self.layout.gap, io);
    }

    /// Writes the new data and parity to all devices with correct data. The methods were chosen for the same devices:
    /// no other access can use these sectors meanwhile, and after a failure the access reads again and chooses again.
    fn write(&mut self, now: Time, job: Job, io: &mut Io) {
        for (at, target) in Target::all(&self.layout, &self.accesses.get(job).range).enumerate() {
            let method = self.accesses.get(job).methods[at];
            *self.counts.writes(method) += 1;
            self.compute(job, &target, method, io);
            let layout = self.layout;
            self.want_target(&target, true, |column| target.written(&layout, column));
        }
        self.accesses.of(job).phase = Phase::Write;
        // The sectors of gaps were not read, so that they cannot be written.
        self.send(now, job, Op::Write, 0, io);
    }

    /// Continues an access after its last part in flight has completed.
    pub(super) fn go_on(&mut self, now: Time, job: Job, io: &mut Io) {
        let access = self.accesses.of(job);
        let again = std::mem::take(&mut access.again);
        let (from, sectors) = (access.rows.start, access.rows.end - access.rows.start);
        match access.phase {
            Phase::Read if again => self.read(now, job, io),
            Phase::Read => {
                self.put_together(job, io);
                self.over(now, job, io);
            }
            Phase::ReadOld if again => self.read_old(now, job, io),
            Phase::ReadOld => self.write(now, job, io),
            Phase::Write => {
                self.array.leave_regions(now, from, sectors, io);
                self.over(now, job, io);
            }
            Phase::PieceRead(device) => self.piece_read(now, job, device, again, io),
            Phase::PieceWrite => self.piece_over(now, job, sectors, !again, io),
        }
    }

    pub(super) fn begin_access(&mut self, job: Job, access: Access) {
        let known = self.accesses.of(job);
        debug_assert!(known.pending.is_empty(), "a job must end without parts in flight");
        let (pending, methods) = (std::mem::take(&mut known.pending), std::mem::take(&mut known.methods));
        *known = Access { pending, methods, ..access };
    }

    /// Sends parts that read or write the ranges in `wanted`; ranges at most `gap` sectors apart on one device become
    /// one part. If there are no ranges, continues the access immediately.
    pub(super) fn send(&mut self, now: Time, job: Job, op: Op, gap: u64, io: &mut Io) {
        let access = self.accesses.of(job);
        for (member, sectors) in self.wanted.merged(gap) {
            access.pending.push(member);
            let (sector, at) = (sectors.start, access.place(job, member, sectors.start).1);
            let (sectors, metadata) = ((sectors.end - sector) as u32, access.metadata);
            io.submit(Part { member, sector, sectors, op, metadata, job, at, tag: 0 });
        }
        if access.pending.is_empty() {
            self.go_on(now, job, io);
        }
    }

    /// Lets the access `job` wait until it holds its sectors on the devices, shared or exclusively as `hold` states,
    /// and then continues it.
    pub(super) fn wait_for_rows(&mut self, now: Time, job: Job, hold: Hold, io: &mut Io) {
        let rows = self.accesses.get(job).rows.clone();
        self.counts.accesses_waited += u64::from(!self.wait(now, job, rows, hold, io));
    }

    /// The numbers of all devices except `device`.
    pub(super) fn others(&self, device: u32) -> impl Iterator<Item = u32> {
        (0..self.layout.devices as u32).filter(move |other| *other != device)
    }

    /// Adds the sectors `rows` of all devices except `device` to `wanted`, the ranges that the access reads next.
    pub(super) fn want_others(&mut self, device: u32, rows: &Range<u64>) {
        for other in self.others(device) {
            self.wanted.want(other, rows.clone());
        }
    }

    /// Continues the piece `job`, which was read from all devices except `device`: computes the data of `device`, and
    /// writes them there. If `again` is true or `device` is missing, the piece will start again.
    pub(super) fn piece_read(&mut self, now: Time, job: Job, device: u32, again: bool, io: &mut Io) {
        let present = self.array.states.present() & bit(device) != 0;
        let rows = self.accesses.get(job).rows.clone();
        if again || !present {
            return self.piece_over(now, job, rows.end - rows.start, false, io);
        }
        self.solve(job, device, &rows, io);
        self.accesses.of(job).phase = Phase::PieceWrite;
        self.wanted.want(device, rows);
        self.send(now, job, Op::Write, 0, io);
    }
}
