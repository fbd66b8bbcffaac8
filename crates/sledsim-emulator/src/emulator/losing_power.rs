//! The effects of a power failure on requests and contents.

use std::collections::HashMap;
use std::io;

use sledsim::error::{Error, Result};
use sledsim::simulation::Interrupted;

use super::answer::Timed;
use super::power::{Loss, PowerCut, Torn};
use super::{Emulator, Waiting};
use crate::nbd::{Kind, MOST_PAYLOAD_BYTES};
use crate::store::SECTOR_BYTES;

impl Emulator {
    /// Prepare the emulator for a power failure at any later time.
    ///
    /// # Errors
    /// The device is a volume that does [not keep its contents on its members](Self::keep_on_members). The data
    /// that remain after a power failure are then unknown.
    pub fn prepare_for_loss(&mut self) -> Result<()> {
        if self.can_lose_power {
            return Ok(());
        }
        self.timetable.note_passages()?;
        self.can_lose_power = true;
        Ok(())
    }

    /// Return true if the emulator is prepared for a power failure.
    #[must_use]
    pub fn can_lose_power(&self) -> bool {
        self.can_lose_power
    }

    /// Cut the power at the clock time `at_ns`. If the simulation is already past this time, power fails at the
    /// current simulated time. Afterwards the server answers no request and sends no further data of replies.
    /// The simulation still completes the outstanding requests, so that its record is that of a full run.
    ///
    /// A write in service is interrupted. Its rows that have passed under the tips have the new contents, the
    /// row under the tips is torn, and its other rows have the old contents. A waiting write changes nothing.
    /// Writes that the device has completed, or answered early, are as durable as the cache makes them.
    ///
    /// # Errors
    /// The emulator was not prepared for a power failure. Errors of the simulation or the operating system.
    pub fn lose_power(&mut self, at_ns: u64, cut: PowerCut) -> Result<Loss> {
        if !self.can_lose_power {
            return Err(Error::Parameter(
                "power failure: expected a server that was prepared for it at the start".into(),
            ));
        }
        let mut loss = Loss { at_ns, ..Loss::default() };
        for complete in self.timetable.complete(at_ns)? {
            self.take_part(&complete);
        }
        self.readings.forget_all(&self.contents);
        if self.members.is_some() {
            self.lose_members(cut, &mut loss)?;
        } else {
            self.lose_contents(cut, &mut loss)?;
        }
        loss.unanswered += self.waiting.len() as u64;
        self.waiting.clear();
        self.writing_bytes = 0;
        self.timetable.forget();
        Ok(loss)
    }

    /// Apply the power failure to the outstanding requests and to the write in service.
    fn lose_contents(&mut self, cut: PowerCut, loss: &mut Loss) -> Result<()> {
        self.finish_due(loss);
        (loss.unflushed_sectors, loss.lost_sectors) =
            self.contents.lose_unflushed(cut.seed).map_err(failed)?;
        self.put_complete(loss).map_err(failed)?;
        let tickets = self.tickets();
        for interrupted in self.timetable.simulation().interrupted() {
            // A write that was answered early has nothing to lose here.
            if let Some(ticket) = tickets.get(&interrupted.row) {
                self.interrupt(*ticket, &interrupted, cut.torn, loss).map_err(failed)?;
            }
        }
        self.contents.save_list().map_err(failed)
    }

    /// Complete the due requests that the device had completed before the power failure, without sending
    /// replies. A write that the emulator answered early counts as completed if any of its data are already in
    /// the contents. Other such writes are in service or waiting.
    fn finish_due(&mut self, loss: &mut Loss) {
        let now = self.timetable.simulation().now();
        for ticket in std::mem::take(&mut self.due) {
            let waiting = &self.waiting[&ticket];
            if waiting.time > now && waiting.done == 0 {
                continue;
            }
            if waiting.request.kind != Kind::Read {
                // No client gets an answer, so errors are ignored.
                while self.go_on(ticket).is_none() {}
            }
            let Waiting { timed, .. } = self.waiting.remove(&ticket).expect("it waits");
            loss.unanswered += 1;
            self.sent(timed, None);
        }
    }

    /// Return the ticket of each outstanding request, by the numbers of its parts (requests to the simulated
    /// device).
    fn tickets(&self) -> HashMap<u32, u64> {
        let rows = |timed: &Timed| timed.first..timed.first + u64::from(timed.parts);
        let waiting = self.waiting.iter();
        waiting.flat_map(|(ticket, waiting)| rows(&waiting.timed).map(|row| (row as u32, *ticket))).collect()
    }

    /// Put those data of an interrupted write into the contents that had reached the medium at the power
    /// failure. `ticket` identifies the write, `interrupted` lists the sectors of one part, and `torn`
    /// determines the contents of the row under the tips.
    fn interrupt(
        &mut self,
        ticket: u64,
        interrupted: &Interrupted,
        torn: Torn,
        loss: &mut Loss,
    ) -> io::Result<()> {
        let Interrupted { row, ref written, torn: ref under_the_tips } = *interrupted;
        let waiting = &self.waiting[&ticket];
        // Blocks that the device cannot write stay unchanged, as if the write had been answered.
        let writes = !waiting.is_lost && self.timetable.simulation().lost_blocks(row) == 0;
        let finished = if torn == Torn::New { under_the_tips.as_slice() } else { &[] };
        for sectors in written.iter().chain(finished).filter(|_| writes) {
            loss.written_sectors += self.contents.put(&waiting.request, sectors.clone())?;
        }
        if torn == Torn::Unreadable {
            for sectors in under_the_tips {
                loss.torn_sectors += self.contents.tear(sectors.clone());
            }
        }
        Ok(())
    }

    /// Put the data of those parts of writes of zeros on the medium that were completed before the power
    /// failure. Only a long write of zeros consists of several parts (requests to the simulated device).
    fn put_complete(&mut self, loss: &mut Loss) -> io::Result<()> {
        let part = u64::from(MOST_PAYLOAD_BYTES) / SECTOR_BYTES;
        let (now, scale) = (self.timetable.simulation().now(), self.timetable.scale());
        let mut tickets: Vec<u64> = self.waiting.keys().copied().collect();
        tickets.sort_unstable();
        for ticket in tickets {
            let waiting = &self.waiting[&ticket];
            let complete = waiting.complete.iter().filter(|(_, time)| *time <= now);
            for (number, time) in complete {
                let row = (waiting.timed.first as u32).wrapping_add(*number);
                self.log.unanswered(row, scale.clock_ns(*time));
                if !waiting.is_lost {
                    let first = waiting.request.offset / SECTOR_BYTES + u64::from(*number) * part;
                    loss.written_sectors += self.contents.put(&waiting.request, first..first + part)?;
                }
            }
        }
        Ok(())
    }
}

fn failed(source: io::Error) -> Error {
    Error::Io { path: "the contents".into(), source }
}
