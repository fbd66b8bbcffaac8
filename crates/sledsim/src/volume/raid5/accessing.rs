//! Reading and writing the units of a request.

use std::ops::Range;

use super::access::{Access, Phase};
use super::Raid5;
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::{bit, Redundant};
use crate::volume::{Hold, Io, Job, Part};

impl Raid5 {
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
            let (sector, at) = (sectors.start, access.place(job, member, sectors.start).1);
            let (sectors, metadata) = ((sectors.end - sector) as u32, access.metadata);
            io.submit(Part { member, sector, sectors, op, metadata, job, at, tag: 0 });
        }
        if access.pending.is_empty() {
            self.go_on(now, job, io);
        }
    }

    /// Waits until the rows of an access are its own, or shared; and goes on.
    pub(super) fn wait_for_rows(&mut self, now: Time, job: Job, hold: Hold, io: &mut Io) {
        let rows = self.accesses.get(job).rows.clone();
        self.accesses_waited += u64::from(!self.wait(now, job, rows, hold, io));
    }

    /// All devices but one.
    pub(super) fn others(&self, device: u32) -> impl Iterator<Item = u32> {
        (0..self.layout.devices as u32).filter(move |other| *other != device)
    }

    /// Wants these rows of all devices but one.
    pub(super) fn want_others(&mut self, device: u32, rows: &Range<u64>) {
        for other in self.others(device) {
            self.wanted.want(other, rows.clone());
        }
    }

    /// Reads a piece from all devices but one.
    pub(super) fn read_piece(&mut self, now: Time, job: Job, device: u32, io: &mut Io) {
        let rows = self.accesses.get(job).rows.clone();
        self.want_others(device, &rows);
        self.send(now, job, Op::Read, 0, io);
    }

    /// A piece has been read: what one device should hold is put together and written there.
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
