//! Computation of parity, on data in the buffer of an access.

use std::ops::Range;

use super::method::Method;
use super::target::Target;
use super::Raid5;
use crate::volume::{Io, Job};

impl Raid5 {
    /// Computes the sectors `rows` of the device `device`, in the buffer of `job`, as the XOR of the same sectors of
    /// all other devices.
    pub(super) fn solve(&self, job: Job, device: u32, rows: &Range<u64>, io: &mut Io) {
        let access = self.accesses.get(job);
        let (into, sectors) = (access.place(job, device, rows.start), rows.end - rows.start);
        let mut others = self.others(device);
        let first = others.next().expect("an array has several devices");
        io.copy(access.place(job, first, rows.start), into, sectors);
        others.for_each(|other| io.xor(access.place(job, other, rows.start), into, sectors));
    }

    /// Copies the data that the read `job` requested to the start of its buffer; data of a missing device are
    /// reconstructed first.
    pub(super) fn put_together(&self, job: Job, io: &mut Io) {
        if !io.follows_data() {
            return;
        }
        let access = self.accesses.get(job);
        for piece in self.layout.pieces(access.range.clone()) {
            let (device, rows) =
                (self.layout.device(piece.stripe, piece.column), self.layout.rows_of(&piece));
            if !self.usable(device, piece.stripe) {
                self.solve(job, device, &rows, io);
            }
            let wanted = self.layout.start(piece.stripe, piece.column) + piece.from - access.range.start;
            io.copy(access.place(job, device, rows.start), (job, wanted), piece.sectors);
        }
    }

    /// Computes the new parity of `target` by the method `method`, in the buffer of `job`, and puts the new data of the
    /// target there.
    pub(super) fn compute(&self, job: Job, target: &Target, method: Method, io: &mut Io) {
        if !io.follows_data() {
            return;
        }
        let (layout, access, stripe) = (&self.layout, self.accesses.get(job), target.stripe);
        let (parity, rows) = (layout.parity(stripe), layout.below(stripe, &target.rows));
        if method == Method::Everything {
            let devices = (0..layout.columns()).map(|column| layout.behind(parity, column));
            let missing = devices.filter(|device| !self.usable(*device, stripe));
            missing.for_each(|device| self.solve(job, device, &rows, io));
        }
        for column in 0..layout.columns() {
            let written = target.written(layout, column);
            if written.is_empty() {
                continue;
            }
            let (from, sectors) = (layout.below(stripe, &written).start, written.end - written.start);
            let new = (job, layout.start(stripe, column) + written.start - access.range.start);
            let data = access.place(job, layout.behind(parity, column), from);
            if method == Method::Rmw {
                let sum = access.place(job, parity, from);
                io.xor(data, sum, sectors);
                io.xor(new, sum, sectors);
            }
            io.copy(new, data, sectors);
        }
        if matches!(method, Method::Full | Method::Reconstruct | Method::Everything) {
            self.solve(job, parity, &rows, io);
        }
    }
}
