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
    /// Reads the requested data, and reconstructs data of a missing device from the same sectors of all other
    /// devices. A reconstruction first waits until no write to these sectors is in progress.
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

    /// Reads the old data or old parity from which the new parity is computed, for a write that holds its
    /// sectors exclusively.
    pub(super) fn read_old(&mut self, now: Time, job: Job, io: &mut Io) {
        let access = self.accesses.of(job);
        let (range, mut methods) = (access.range.clone(), std::mem::take(&mut access.methods));
        self.choose(&range, &mut methods);
        self.want_old(&range, &methods);
        let access = self.accesses.of(job);
        (access.phase, access.methods) = (Phase::ReadOld, methods);
        self.send(now, job, Op::Read, self.layout.gap, io);
    }

    /// Writes data and parity to the devices with correct data. These are still the devices for which the
    /// methods were chosen: no other access has these sectors, and after a failure the access starts again.
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

    /// Continues an access after its last part has completed.
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

    /// Reads or writes the wanted sectors; ranges at most `gap` sectors apart on a device become one part.
    /// Continues the access at once if no sectors are wanted.
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

    /// Lets the access `job` wait for its sectors of the devices, held as `hold` states, and then continues it.
    pub(super) fn wait_for_rows(&mut self, now: Time, job: Job, hold: Hold, io: &mut Io) {
        let rows = self.accesses.get(job).rows.clone();
        self.counts.accesses_waited += u64::from(!self.wait(now, job, rows, hold, io));
    }

    /// The numbers of all devices except `device`.
    pub(super) fn others(&self, device: u32) -> impl Iterator<Item = u32> {
        (0..self.layout.devices as u32).filter(move |other| *other != device)
    }

    /// Adds the sectors `rows` of all devices except `device` to the wanted sectors.
    pub(super) fn want_others(&mut self, device: u32, rows: &Range<u64>) {
        for other in self.others(device) {
            self.wanted.want(other, rows.clone());
        }
    }

    /// Reconstructs a device's data of the piece that `job` has read, and writes these data to the device. If
    /// `again` is true, the piece is read again.
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
