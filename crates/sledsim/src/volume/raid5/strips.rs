//! The way of a strip: what a request reads or writes in one stripe.

use std::ops::Range;

use super::plan::Method;
use super::{Raid5, NOTE};
use crate::request::Op;
use crate::time::Time;
use crate::volume::array::bit;
use crate::volume::{Hold, Io, Job, Part, Ticket, Urgency, VolumeRequest};

/// Where a strip is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It is read from where its data lie.
    Read,
    /// Its data are missing: they are put together from all other devices.
    Mend,
    /// What its parity needs is read.
    ReadOld,
    /// It is written.
    Write,
    /// A piece of the pass: what all others hold is read, and then written to one device.
    PieceRead(u32),
    PieceWrite,
}

#[derive(Clone, Debug)]
pub(super) struct Strip {
    pub(super) job: Job,
    pub(super) phase: Phase,
    pub(super) stripe: u64,
    /// Sectors of the units.
    pub(super) rows: Range<u64>,
    /// Of a read: the unit with the data.
    pub(super) column: u64,
    /// Devices with a part of it on its way.
    pub(super) pending: u64,
    /// A device has failed meanwhile, so what is read has to be read again.
    pub(super) again: bool,
    pub(super) method: Method,
    pub(super) ticket: Option<Ticket>,
    /// Where it has a place for the rows of each column, and of the parity behind them, in the buffer of the job.
    pub(super) scratch: u64,
}

impl Strip {
    pub(super) fn sectors(&self) -> u64 {
        self.rows.end - self.rows.start
    }
}

impl Raid5 {
    /// Divides a request into strips.
    pub(super) fn divide(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let end = request.sector + u64::from(request.sectors);
        let mut sector = request.sector;
        while sector < end {
            let first = self.layout.piece(sector, end);
            if request.op == Op::Read {
                let strip =
                    self.strip(job, Phase::Read, first.stripe, first.from..first.from + first.sectors);
                self.strips[strip as usize].column = first.column;
                self.read(now, strip, io);
                sector += first.sectors;
                continue;
            }
            let there = end.min(self.layout.start(first.stripe + 1, 0));
            let last = self.layout.piece(there - 1, there);
            let (from, to) = (first.from, last.from + 1);
            let apart = last.column == first.column + 1 && to <= from;
            let rows = if last.column == first.column { from..to } else { 0..self.layout.unit };
            let strips = if apart { [from..self.layout.unit, 0..to] } else { [rows, 0..0] };
            for rows in strips.into_iter().filter(|rows| !rows.is_empty()) {
                let strip = self.strip(job, Phase::Write, first.stripe, rows);
                self.wait(now, strip, Hold::Alone, io);
            }
            sector = there;
        }
    }

    pub(super) fn strip(&mut self, job: Job, phase: Phase, stripe: u64, rows: Range<u64>) -> u32 {
        let asked = self.asked.of(job);
        asked.left += 1;
        let scratch = asked.scratch;
        asked.scratch += self.layout.devices * (rows.end - rows.start);
        let (pending, again, method, ticket) = (0, false, Method::default(), None);
        let strip = Strip { job, phase, stripe, rows, column: 0, pending, again, method, ticket, scratch };
        if let Some(id) = self.free.pop() {
            self.strips[id as usize] = strip;
            return id;
        }
        self.strips.push(strip);
        self.strips.len() as u32 - 1
    }

    /// Rows of a strip, to or from a device.
    pub(super) fn send(&mut self, id: u32, op: Op, member: u32, rows: &Range<u64>, at: u64, io: &mut Io) {
        let strip = &mut self.strips[id as usize];
        strip.pending |= bit(member);
        let metadata = self.asked.of(strip.job).metadata;
        let (sector, sectors) =
            (strip.stripe * self.layout.unit + rows.start, (rows.end - rows.start) as u32);
        let (job, urgency, tag) = (strip.job, Urgency::Foreground, u64::from(id));
        debug_assert!(tag != NOTE);
        io.submit(Part { member, sector, sectors, op, urgency, metadata, job, at, tag });
    }

    /// Waits until the rows of a strip are its own, or shared; and goes on.
    pub(super) fn wait(&mut self, now: Time, id: u32, hold: Hold, io: &mut Io) {
        let strip = &mut self.strips[id as usize];
        let start = strip.stripe * self.layout.unit;
        let range = start + strip.rows.start..start + strip.rows.end;
        let (ticket, at_once) = self.ranges.enter(range, hold, u64::from(id));
        strip.ticket = Some(ticket);
        self.counts.waited += u64::from(!at_once);
        if at_once {
            self.enter(now, id, io);
        }
    }

    /// The rows of a strip are its own, or shared.
    pub(super) fn enter(&mut self, now: Time, id: u32, io: &mut Io) {
        let strip = &self.strips[id as usize];
        match strip.phase {
            Phase::Mend => self.read(now, id, io),
            Phase::PieceRead(device) => self.read_others(id, device, io),
            _ => {
                let (row, sectors) = (strip.stripe * self.layout.unit + strip.rows.start, strip.sectors());
                let intent = self.notes.intent.as_mut();
                if intent.is_none_or(|intent| intent.enter(row, sectors)) {
                    return self.plan(now, id, io);
                }
                self.notes.wait(u64::from(id));
                self.note(io);
            }
        }
    }

    /// A strip is done, and with the last one its request.
    pub(super) fn over(&mut self, now: Time, id: u32, io: &mut Io) {
        let strip = &mut self.strips[id as usize];
        let (job, ticket) = (strip.job, strip.ticket.take());
        self.free.push(id);
        let asked = self.asked.of(job);
        asked.left -= 1;
        if asked.left == 0 {
            io.complete(job, now);
        }
        let Some(ticket) = ticket else { return };
        let mut ready = std::mem::take(&mut self.ready);
        self.ranges.leave(ticket, &mut ready);
        for strip in ready.drain(..) {
            self.enter(now, strip as u32, io);
        }
        self.ready = ready;
    }
}
