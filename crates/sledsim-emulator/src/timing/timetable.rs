//! Find out when the answers of the simulated device are due.

use std::collections::HashMap;
use std::ops::ControlFlow;

use sledsim::error::Result;
use sledsim::record::Record;
use sledsim::request::{Durable, Op};
use sledsim::simulation::Simulation;
use sledsim::time::Time;
use sledsim::volume::HostRequest;
use sledsim::workload::Arrival;

use super::TimeScale;

/// Number of answers in a row whose times must be known in advance, before the server reads the clock less
/// precisely again.
const SURPRISING: u32 = 16;

/// A request whose answer is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due<T> {
    /// Row of the request in the record of the simulation.
    pub row: u32,
    /// Ticket that the caller gave to the request at submission.
    pub ticket: T,
    /// Simulated time at which the device completed the request.
    pub time: Time,
    /// Time at which the answer is due, in nanoseconds of the clock.
    pub due_ns: u64,
    /// True if the device lost blocks of the request.
    pub is_lost: bool,
}

/// A simulation that advances with a clock.
///
/// The simulation advances only when the clock is read, and arrivals keep their clock times, so a late server
/// does not change the decisions of the device. An answer that no later request can change is given before it
/// is due, by the lead `lead_ns`.
pub struct Timetable<T> {
    simulation: Simulation,
    scale: TimeScale,
    lead_ns: u64,
    /// Tickets of unanswered requests, by number of the request in the simulation.
    waiting: HashMap<u32, T>,
    /// Unanswered requests whose completion no later request can change, each with its completion time and its
    /// number in the simulation. The earliest completion is last.
    certain: Vec<(Time, u32)>,
    /// Number of answers for which the server must read the clock precisely, because their times may be unknown
    /// in advance. It is set to a positive number after an answer whose time was not known.
    surprising: u32,
    /// True if the server must also wake up for the device's background work.
    keeps_up: bool,
}

impl<T: Copy> Timetable<T> {
    /// Create a timetable without requests; `lead_ns` is the lead in nanoseconds of the clock.
    #[must_use]
    pub fn new(simulation: Simulation, scale: TimeScale, lead_ns: u64) -> Self {
        let (waiting, certain) = (HashMap::new(), Vec::new());
        Self { simulation, scale, lead_ns, waiting, certain, surprising: 0, keeps_up: false }
    }

    /// Set the lead, the clock time in nanoseconds by which answers are given early. After
    /// [`keep_up`](Self::keep_up), the lead stays 0.
    pub fn lead(&mut self, lead_ns: u64) {
        self.lead_ns = if self.keeps_up { 0 } else { lead_ns };
        self.certain.clear();
        self.look_ahead();
    }

    /// The simulation that determines the times of the answers.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, as a mutable reference. The caller may change it but must not advance its time.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// Advance the simulation also for the device's background work from now on. The lead of answers becomes 0.
    pub fn keep_up(&mut self) {
        self.keeps_up = true;
        self.lead(0);
    }

    /// The time scale.
    #[must_use]
    pub fn scale(&self) -> TimeScale {
        self.scale
    }

    /// Record from now on which blocks of writes in service a power failure would leave on the medium.
    ///
    /// # Errors
    /// The simulated system is a volume, not a single device.
    pub fn note_passages(&mut self) -> Result<()> {
        self.simulation.note_passages()
    }

    /// Return the simulation when no more requests follow.
    #[must_use]
    pub fn into_simulation(self) -> Simulation {
        self.simulation
    }

    /// Remove up to `most` rows from the start of the record that can no longer change, and return them.
    pub fn take_final(&mut self, most: usize) -> Record {
        self.simulation.take_final(most)
    }

    /// Submit a request for `sectors` sectors from `sector` on at `now_ns` nanoseconds of the clock; a flush has no
    /// sectors. Return the number of the request in the simulation.
    ///
    /// # Errors
    /// The request exceeds the end of the device. The time is before the time of an earlier call.
    pub fn submit(
        &mut self,
        now_ns: u64,
        ticket: T,
        (op, durable): (Op, Durable),
        [sector, sectors]: [u64; 2],
    ) -> Result<u64> {
        let request = HostRequest { traced_device: 0, sector, sectors: sectors as u32 };
        let time = self.scale.simulated(now_ns).max(self.simulation.now());
        let number = self.simulation.submit(&Arrival { durable, ..Arrival::new(time, op, request) })?;
        self.waiting.insert(number as u32, ticket);
        self.look_ahead();
        Ok(number)
    }

    /// Return the answers that are due at `now_ns` nanoseconds of the clock, in the order of their due times.
    ///
    /// # Errors
    /// The time is before the time of an earlier call.
    pub fn due(&mut self, now_ns: u64) -> Result<Vec<Due<T>>> {
        let mut due = self.advance(self.scale.simulated(now_ns))?;
        self.look_ahead();
        while let Some(&(time, row)) = self.certain.last() {
            if self.scale.clock_ns(time) > now_ns.saturating_add(self.lead_ns) {
                break;
            }
            self.certain.pop();
            self.answer(row, time, &mut due);
        }
        Ok(due)
    }

    /// Return the unanswered requests that the device has completed by the clock time `now_ns` (in
    /// nanoseconds), regardless of the lead.
    ///
    /// # Errors
    /// Errors of the simulation.
    pub fn complete(&mut self, now_ns: u64) -> Result<Vec<Due<T>>> {
        self.advance(self.scale.simulated(now_ns).max(self.simulation.now()))
    }

    fn advance(&mut self, until: Time) -> Result<Vec<Due<T>>> {
        let complete = self.simulation.advance(until, &mut |_| ControlFlow::Continue(()))?;
        let mut due = Vec::new();
        for (row, time) in complete {
            if self.waiting.contains_key(&row) {
                let was_certain = self.certain.iter().any(|(_, certain)| *certain == row);
                self.surprising = if was_certain { self.surprising.saturating_sub(1) } else { SURPRISING };
            }
            self.answer(row, time, &mut due);
        }
        Ok(due)
    }

    /// Drop all unanswered requests.
    pub fn forget(&mut self) {
        self.waiting.clear();
        self.certain.clear();
    }

    fn answer(&mut self, row: u32, time: Time, due: &mut Vec<Due<T>>) {
        // An early answer may have removed the ticket.
        if let Some(ticket) = self.waiting.remove(&row) {
            let is_lost = self.simulation.lost_blocks(row) > 0;
            due.push(Due { row, ticket, time, due_ns: self.scale.clock_ns(time), is_lost });
        }
    }

    /// Iterate over the tickets of the unanswered requests whose completion no later request can change, in the order
    /// of their due times.
    pub fn certain(&self) -> impl Iterator<Item = T> + '_ {
        self.certain.iter().rev().filter_map(|(_, row)| self.waiting.get(row).copied())
    }

    /// Clock time in nanoseconds at which the caller must call [`due`](Self::due) again if no request arrives
    /// before; `None` if nothing is pending.
    #[must_use]
    pub fn wake_ns(&self) -> Option<u64> {
        if self.waiting.is_empty() && !self.keeps_up {
            // Clients do not see background work of the device.
            return None;
        }
        let certain = self.certain_ns();
        if !self.keeps_up
            && !self.simulation.has_completions()
            && certain.is_some()
            && self.certain.len() == self.waiting.len()
        {
            // Clients see no event before this answer.
            return certain;
        }
        let next = self.simulation.next_event().map(|time| self.scale.clock_ns(time));
        certain.into_iter().chain(next).min()
    }

    /// Return true if an answer may be due at [`wake_ns`](Self::wake_ns). Otherwise the caller may wake up a
    /// little later.
    #[must_use]
    pub fn may_answer(&self) -> bool {
        self.surprising > 0
            || self.simulation.has_completions()
            || self.certain_ns().is_some_and(|certain_ns| self.wake_ns() == Some(certain_ns))
    }

    /// Clock time in nanoseconds at which to give the first answer that no later request can change, with the
    /// lead subtracted.
    fn certain_ns(&self) -> Option<u64> {
        self.certain.last().map(|(time, _)| self.scale.clock_ns(*time).saturating_sub(self.lead_ns))
    }

    fn look_ahead(&mut self) {
        let certain = self.simulation.certain().into_iter().rev();
        self.certain.clear();
        self.certain
            .extend(certain.filter(|(row, _)| self.waiting.contains_key(row)).map(|(row, time)| (time, row)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sledsim::device::load;
    use sledsim::sched::Policy;
    use sledsim::system::System;

    /// Checks that an answer is known in advance once its request is in service. The device has no processing
    /// time, so the write is in service on arrival.
    #[test]
    fn an_answer_is_certain_once_its_request_is_served() {
        let device = load("osdi00", "overhead_ms = 0.0".parse().unwrap()).unwrap();
        let system = System::device(device, &Policy::parse("sptf").unwrap(), None);
        let submitted = |lead_ns| {
            let simulation = Simulation::new(&system, 1, Record::default()).unwrap();
            let mut timetable = Timetable::new(simulation, "1".parse().unwrap(), lead_ns);
            timetable.submit(1000, 'a', (Op::Write, Durable::Nothing), [80, 8]).unwrap();
            assert_eq!(timetable.certain().collect::<String>(), "a");
            timetable
        };
        let due_ns = submitted(0).wake_ns().unwrap();
        let mut early = submitted(100);
        assert_eq!(early.wake_ns(), Some(due_ns - 100));
        assert!(early.may_answer());
        assert_eq!(early.due(due_ns - 101).unwrap(), []);
        let answers = early.due(due_ns - 100).unwrap();
        assert_eq!(
            answers.iter().map(|answer| (answer.ticket, answer.due_ns)).collect::<Vec<_>>(),
            [('a', due_ns)]
        );
    }

    /// Checks that answers have no lead after `keep_up`, if a lead is set before `keep_up`, after it, at both
    /// times, or never.
    #[test]
    fn what_keeps_up_has_no_lead() {
        let device = load("osdi00", "overhead_ms = 0.0".parse().unwrap()).unwrap();
        let system = System::device(device, &Policy::parse("sptf").unwrap(), None);
        let mut due_ns = Vec::new();
        for leads in [[0, 0], [100, 0], [0, 100], [100, 100]] {
            let simulation = Simulation::new(&system, 1, Record::default()).unwrap();
            let mut timetable = Timetable::new(simulation, "1".parse().unwrap(), leads[0]);
            timetable.submit(1000, 'a', (Op::Write, Durable::Nothing), [80, 8]).unwrap();
            timetable.keep_up();
            if leads[1] > 0 {
                timetable.lead(leads[1]);
            }
            let wake_ns = timetable.wake_ns().unwrap();
            assert_eq!(timetable.due(wake_ns - 1).unwrap(), []);
            due_ns.extend(timetable.due(wake_ns).unwrap().iter().map(|answer| answer.due_ns - wake_ns));
        }
        assert_eq!(due_ns, [0; 4]);
    }
}
