//! RAID-5 as a kind of array: steps of its requests, and of the pieces of a rebuild or resynchronisation.

use std::ops::Range;

use super::access::{Access, Phase};
use super::target::Target;
use super::Raid5;
use crate::error::{ensure, Result};
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::{bit, Array, Redundant};
use crate::volume::{Hold, Io, Job, Part, Ticket, VolumeRequest};

impl Redundant for Raid5 {
    fn array(&self) -> &Array {
        &self.array
    }

    fn array_mut(&mut self) -> &mut Array {
        &mut self.array
    }

    fn ticket(&mut self, job: Job) -> &mut Option<Ticket> {
        &mut self.accesses.of(job).ticket
    }

    fn offered(&self) -> u64 {
        self.stripes * self.layout.unit * self.layout.columns()
    }

    fn ask(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        let range = sector..sector + u64::from(sectors);
        let rows = Target::rows_of(&self.layout, &range);
        let phase = if op == Op::Read { Phase::Read } else { Phase::ReadOld };
        self.begin_access(job, Access { phase, range, rows, metadata, ..Access::default() });
        match op {
            Op::Read => self.read(now, job, io),
            Op::Write => self.wait_for_rows(now, job, Hold::Exclusive, io),
        }
    }

    /// Starts a piece: a rebuild computes the data of a replaced device; a resynchronisation, with all devices present,
    /// computes the parity.
    fn begin_piece(&mut self, now: Time, rows: Range<u64>, io: &mut Io) {
        let fill = self.array.states.unfilled();
        let parity = self.layout.parity(rows.start / self.layout.unit);
        let device = if fill == 0 { parity } else { fill.trailing_zeros() };
        let job = io.begin();
        self.begin_access(job, Access { phase: Phase::PieceRead(device), rows, ..Access::default() });
        self.wait_for_rows(now, job, Hold::Exclusive, io);
    }

    fn entered(&mut self, now: Time, job: Job, io: &mut Io) {
        let Access { phase, rows, .. } = self.accesses.get(job);
        let (from, sectors) = (rows.start, rows.end - rows.start);
        match *phase {
            Phase::Read => self.read(now, job, io),
            Phase::PieceRead(device) => {
                let rows = rows.clone();
                self.want_others(device, &rows);
                self.send(now, job, Op::Read, 0, io);
            }
            _ => self.note_regions(now, job, from, sectors, io),
        }
    }

    fn regions_noted(&mut self, now: Time, job: Job, io: &mut Io) {
        self.read_old(now, job, io);
    }

    fn came_back(&mut self, now: Time, part: &Part, io: &mut Io) {
        let pending = &mut self.accesses.of(part.job).pending;
        let own = pending.iter().position(|member| *member == part.member);
        pending.swap_remove(own.expect("a part completes only once"));
        if pending.is_empty() {
            self.go_on(now, part.job, io);
        }
    }

    fn spare(&self, member: u32) -> Result<()> {
        ensure!(
            self.array.states.out & !bit(member) == 0,
            "raid5: device {member} has failed while another device was missing or not rebuilt; RAID-5 survives the loss of one device only"
        );
        Ok(())
    }

    /// Accesses with parts in flight must read again, because their reads were planned before the member failed.
    fn without(&mut self, now: Time, member: u32, io: &mut Io) {
        for job in self.accesses.jobs() {
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
    }

    fn own_counts(&self) -> Vec<(&'static str, f64)> {
        self.counts.rows()
    }
}
