//! Events of a volume.

use std::cmp::Reverse;

use sledsim::request::Op;
use sledsim::time::Time;
use sledsim::volume::Urgency;

use super::{Checked, Event, Flight, Machine};

impl Machine {
    /// Processes the next event; returns false if no event is left.
    pub fn advance(&mut self) -> Result<bool, String> {
        let Some(Reverse((at, _, event))) = self.events.pop() else { return Ok(false) };
        self.now = at;
        match event {
            Event::Land(id) => self.land(id),
            Event::Return(id) => self.come_back(id)?,
            Event::Wake(token) => {
                self.say(|| format!("woken {token}"));
                self.volume.woken(Time(at), token, &mut self.io);
            }
            Event::Acknowledge(id) => self.acknowledge(id)?,
        }
        self.act()?;
        Ok(true)
    }

    /// Time of the next event in ns; None if no event is left.
    pub fn next_event(&self) -> Option<u64> {
        self.events.peek().map(|Reverse((at, ..))| *at)
    }

    pub(super) fn land(&mut self, id: u64) {
        if let Some(flight) = self.flights.get_mut(&id) {
            flight.landed = true;
            self.members[flight.part.member as usize].write(flight.part.sector, &flight.words);
        }
    }

    pub(super) fn come_back(&mut self, id: u64) -> Checked {
        // A part in flight to a failed member does not return.
        let Some(Flight { part, urgency, .. }) = self.flights.remove(&id) else { return Ok(()) };
        self.say(|| format!("done {part:?}"));
        let buffer = self.buffers.of(part.job.0);
        buffer.parts -= 1;
        if part.op == Op::Read {
            let words = self.members[part.member as usize].read(part.sector, part.sectors);
            buffer.at(part.at, u64::from(part.sectors)).clone_from_slice(words);
        }
        self.io.came_back(&part, urgency);
        self.volume.done(Time(self.now), &part, &mut self.io);
        self.act()?;
        if urgency == Urgency::Foreground && self.io.is_idle(part.member) {
            self.volume.idle(Time(self.now), part.member, &mut self.io);
        }
        Ok(())
    }

    pub(super) fn acknowledge(&mut self, id: u64) -> Checked {
        let (request, found) = self.open.remove(&id).expect("a request is acknowledged once");
        self.say(|| format!("request {id} is acknowledged"));
        match request.op {
            Op::Write if request.sectors == 0 => self.oracle.flushed(id),
            Op::Write => self.oracle.written(id),
            Op::Read => return self.oracle.found(id, &found).map_err(|text| format!("request {id}: {text}")),
        }
        Ok(())
    }
}
