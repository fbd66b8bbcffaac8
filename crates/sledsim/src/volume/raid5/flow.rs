//! What happens to an access until it is done.

use super::access::Phase;
use super::target::Target;
use super::Raid5;
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::Redundant;
use crate::volume::{Hold, Io, Job};

impl Raid5 {
    /// Reads data from where they lie, and where that is missing what all other devices hold, to put them together.
    /// That takes rows in which nobody writes.
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
        self.degraded_reads += u64::from(!is_whole);
        self.send(now, job, Op::Read, self.layout.gap, io);
    }

    /// Reads what the parity needs, if anything, of an access that has its rows for itself and whose regions are noted.
    pub(super) fn read_old(&mut self, now: Time, job: Job, io: &mut Io) {
        let access = self.accesses.of(job);
        let (range, mut methods) = (access.range.clone(), std::mem::take(&mut access.methods));
        self.choose(&range, &mut methods);
        self.want_old(&range, &methods);
        let access = self.accesses.of(job);
        (access.phase, access.methods) = (Phase::ReadOld, methods);
        self.send(now, job, Op::Read, self.layout.gap, io);
    }

    /// Writes the data and the parity, to the devices that hold what they should: the same as when the methods were
    /// chosen, as no other access has these rows, and after a failure all is read again.
    fn write(&mut self, now: Time, job: Job, io: &mut Io) {
        for (at, target) in Target::all(&self.layout, &self.accesses.get(job).range).enumerate() {
            let method = self.accesses.get(job).methods[at];
            self.writes[method as usize] += 1;
            self.compute(job, &target, method, io);
            let parity = self.layout.parity(target.stripe);
            for column in 0..self.layout.columns() {
                let device = self.layout.behind(parity, column);
                if self.usable(device, target.stripe) {
                    let rows = target.written(&self.layout, column);
                    self.wanted.want(device, self.layout.below(target.stripe, &rows));
                }
            }
            if self.usable(parity, target.stripe) {
                self.wanted.want(parity, self.layout.below(target.stripe, &target.rows));
            }
        }
        self.accesses.of(job).phase = Phase::Write;
        // What lies between was not read, so it cannot be written again.
        self.send(now, job, Op::Write, 0, io);
    }

    /// The last part of an access has come back.
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
}
