//! The course of an access until it is done.

use std::ops::Range;

use super::access::{Access, Phase};
use super::target::Target;
use super::Raid5;
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::{bit, Redundant};
use crate::volume::{Hold, Io, Job, Part};

impl Raid5 {
    /// Reads data in place, and for a missing device the rows of all other devices, to reconstruct them.
    /// Reconstruction needs rows without a concurrent write.
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

    /// Reads the data that the parity needs, if any, for an access that holds its rows exclusively and whose
    /// regions are noted.
    pub(super) fn read_old(&mut self, now: Time, job: Job, io: &mut Io) {
        let access = self.accesses.of(job);
        let (range, mut methods) = (access.range.clone(), std::mem::take(&mut access.methods));
        self.choose(&range, &mut methods);
        self.want_old(&range, &methods);
        let access = self.accesses.of(job);
        (access.phase, access.methods) = (Phase::ReadOld, methods);
        self.send(now, job, Op::Read, self.layout.gap, io);
    }

    /// Writes data and parity to the devices with correct data. These are the devices for which the methods
    /// were chosen: no other access has these rows, and after a failure all is read again.
    fn write(&mut self, now: Time, job: Job, io: &mut Io) {
        for (at, target) in Target::all(&self.layout, &self.accesses.get(job).range).enumerate() {
            let method = self.accesses.get(job).methods[at];
            *self.counts.writes(method) += 1;
            self.compute(job, &target, method, io);
            let layout = self.layout;
            self.want_target(&target, true, |column| target.written(&layout, column));
        }
        self.accesses.of(job).phase = Phase::Write;
        // The gaps were not read, so they cannot be written.
        self.send(now, job, Op::Write, 0, io);
    }

    /// Continues an access after its last part.
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
        debug_assert!(known.pending.is_empty(), "a job is over when nothing is on its way");
        let (pending, methods) = (std::mem::take(&mut known.pending), std::mem::take(&mut known.methods));
        *known = Access { pending, methods, ..access };
    }

    /// Reads or writes the wanted sectors, joining sectors at most `gap` sectors apart on a device; continues at once
    /// without wanted sectors.
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

    /// Waits until an access holds its rows, exclusively or shared, and continues it.
    pub(super) fn wait_for_rows(&mut self, now: Time, job: Job, hold: Hold, io: &mut Io) {
        let rows = self.accesses.get(job).rows.clone();
        self.counts.accesses_waited += u64::from(!self.wait(now, job, rows, hold, io));
    }

    /// All devices except one.
    pub(super) fn others(&self, device: u32) -> impl Iterator<Item = u32> {
        (0..self.layout.devices as u32).filter(move |other| *other != device)
    }

    /// Adds these rows of all devices except one to the wanted sectors.
    pub(super) fn want_others(&mut self, device: u32, rows: &Range<u64>) {
        for other in self.others(device) {
            self.wanted.want(other, rows.clone());
        }
    }

    /// Reconstructs the data of one device from a piece that was read, and writes these data to the device.
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
