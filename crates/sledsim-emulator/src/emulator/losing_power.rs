//! The moment in which power is lost: what becomes of requests and contents.

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
    /// From now on power can be lost.
    ///
    /// # Errors
    /// Volumes whose contents are [not on their members](Self::keep_on_members): of them it is not known what is left.
    pub fn prepare_for_loss(&mut self) -> Result<()> {
        if self.can_lose_power {
            return Ok(());
        }
        self.timetable.note_passages()?;
        self.can_lose_power = true;
        Ok(())
    }

    /// Whether it is prepared for that.
    #[must_use]
    pub fn can_lose_power(&self) -> bool {
        self.can_lose_power
    }

    /// Power is lost at that time of the clock, or as soon after it as things have happened. Nothing is answered any more,
    /// and there is nothing [more](Self::more) of what was; what waits is done in the simulation all the same, so that the
    /// record is that of a run.
    ///
    /// Of a write that is in service the rows that have passed are new, that under the tips is torn, and the rest is old;
    /// what waits for its service has done nothing. What the device is done with, and what was answered, even early, is as
    /// durable as the cache says.
    ///
    /// # Errors
    /// It was not prepared for; those of the simulation and of the system.
    pub fn lose_power(&mut self, at_ns: u64, cut: PowerCut) -> Result<Loss> {
        if !self.can_lose_power {
            return Err(Error::Parameter("loss of power: expected a server that was prepared for it".into()));
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

    /// Power is lost, of what waits and of what the device writes.
    fn lose_contents(&mut self, cut: PowerCut, loss: &mut Loss) -> Result<()> {
        self.finish_due(loss);
        (loss.unflushed_sectors, loss.lost_sectors) =
            self.contents.lose_unflushed(cut.seed).map_err(failed)?;
        self.put_complete(loss).map_err(failed)?;
        let tickets = self.tickets();
        for interrupted in self.timetable.simulation().interrupted() {
            // What was answered early has nothing to lose.
            if let Some(ticket) = tickets.get(&interrupted.row) {
                self.interrupt(*ticket, &interrupted, cut.torn, loss).map_err(failed)?;
            }
        }
        self.contents.save_list().map_err(failed)
    }

    /// What the device has done by now is done to the end, but nobody is told any more. So is what was to be answered early
    /// where a part of it is in the contents; else that is in service, or waits.
    fn finish_due(&mut self, loss: &mut Loss) {
        let now = self.timetable.simulation().now();
        for ticket in std::mem::take(&mut self.due) {
            let waiting = &self.waiting[&ticket];
            if waiting.time > now && waiting.done == 0 {
                continue;
            }
            if waiting.request.kind != Kind::Read {
                // Whether that fails, nobody is told either.
                while self.go_on(ticket).is_none() {}
            }
            let Waiting { timed, .. } = self.waiting.remove(&ticket).expect("it waits");
            loss.unanswered += 1;
            self.sent(timed, None);
        }
    }

    /// By the numbers of their parts in the simulation, the requests that wait.
    fn tickets(&self) -> HashMap<u32, u64> {
        let rows = |timed: &Timed| timed.first..timed.first + u64::from(timed.parts);
        let waiting = self.waiting.iter();
        waiting.flat_map(|(ticket, waiting)| rows(&waiting.timed).map(|row| (row as u32, *ticket))).collect()
    }

    /// What the medium has of a write in service, or of the parts of one.
    fn interrupt(
        &mut self,
        ticket: u64,
        interrupted: &Interrupted,
        torn: Torn,
        loss: &mut Loss,
    ) -> io::Result<()> {
        let Interrupted { row, ref written, torn: ref under_the_tips } = *interrupted;
        let waiting = &self.waiting[&ticket];
        // What the device cannot write stays as it is, as if it had been answered.
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

    /// Of zeros that take several requests of the device those that are complete.
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
