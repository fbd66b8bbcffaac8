//! What waits for the simulated device, and when it is to be answered.

use std::collections::HashMap;
use std::ops::ControlFlow;

use sledsim::error::Result;
use sledsim::record::Record;
use sledsim::request::Op;
use sledsim::simulation::Simulation;
use sledsim::time::Time;
use sledsim::volume::HostRequest;
use sledsim::workload::Arrival;

use super::TimeScale;

/// So many answers after one that was not certain before the time of the next is not trusted to be known.
const SURPRISING: u32 = 16;

/// A request that is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due<T> {
    /// Its number in the simulation.
    pub row: u32,
    /// What it was submitted as.
    pub ticket: T,
    /// When the simulated device would have answered it.
    pub time: Time,
    /// That time in nanoseconds of the clock.
    pub due_ns: u64,
    /// Whether the device lost blocks of it.
    pub is_lost: bool,
}

/// A simulation that is told what a clock shows.
///
/// Requests come when the clock says so, and the clock never goes back: so that it is late changes nothing of what the
/// device decides. Where a lead is wanted, answers are given that much before they are due, if nothing that may come
/// until then can change them.
pub struct Timetable<T> {
    simulation: Simulation,
    scale: TimeScale,
    lead_ns: u64,
    /// By its number in the simulation, what has not been answered.
    waiting: HashMap<u32, T>,
    /// Those of them whose time is certain, the first one last.
    certain: Vec<(Time, u32)>,
    /// Among so many of the next answers one may come that was not certain before: there was one not long ago.
    surprising: u32,
    /// Whether the clock is looked at for what the device does on its own, too.
    keeps_up: bool,
}

impl<T: Copy> Timetable<T> {
    /// A device that nothing waits for; `lead_ns` are of the clock.
    #[must_use]
    pub fn new(simulation: Simulation, scale: TimeScale, lead_ns: u64) -> Self {
        let (waiting, certain) = (HashMap::new(), Vec::new());
        Self { simulation, scale, lead_ns, waiting, certain, surprising: 0, keeps_up: false }
    }

    /// From now on answers are given that much before they are due, in nanoseconds of the clock; not, if it
    /// [keeps up](Self::keep_up).
    pub fn lead(&mut self, lead_ns: u64) {
        self.lead_ns = if self.keeps_up { 0 } else { lead_ns };
        self.certain.clear();
        self.look_ahead();
    }

    /// The simulation.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, of which nothing is to be taken that happens in time.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// From now on somebody wants to know of what the device does on its own as it happens; answers have no lead.
    pub fn keep_up(&mut self) {
        self.keeps_up = true;
        self.lead(0);
    }

    /// How fast simulated time passes.
    #[must_use]
    pub fn scale(&self) -> TimeScale {
        self.scale
    }

    /// From now on it is noted what a loss of power would leave of writes.
    ///
    /// # Errors
    /// Those of the simulation: volumes.
    pub fn note_passages(&mut self) -> Result<()> {
        self.simulation.note_passages()
    }

    /// The simulation, when nothing more is asked for.
    #[must_use]
    pub fn into_simulation(self) -> Simulation {
        self.simulation
    }

    /// Takes out of the record as many of its first rows as are final, up to so many.
    pub fn take_final(&mut self, most: usize) -> Record {
        self.simulation.take_final(most)
    }

    /// A request for so many sectors comes at that time of the clock; returns its number in the simulation.
    ///
    /// # Errors
    /// A request that reaches past the end; a time before one that has been told.
    pub fn submit(&mut self, now_ns: u64, ticket: T, op: Op, [sector, sectors]: [u64; 2]) -> Result<u64> {
        let request = HostRequest { traced_device: 0, sector, sectors: sectors as u32 };
        let time = self.scale.simulated(now_ns).max(self.simulation.now());
        let number = self.simulation.submit(&Arrival { time, op, metadata: false, request })?;
        self.waiting.insert(number as u32, ticket);
        self.look_ahead();
        Ok(number)
    }

    /// What is to be answered when the clock shows that, in the order in which it is due.
    ///
    /// # Errors
    /// A time before one that has been told.
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

    /// What is complete when the clock shows that, or what it has shown, and was not answered: without any lead.
    ///
    /// # Errors
    /// Those of the simulation.
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

    /// Nothing is answered any more.
    pub fn forget(&mut self) {
        self.waiting.clear();
        self.certain.clear();
    }

    fn answer(&mut self, row: u32, time: Time, due: &mut Vec<Due<T>>) {
        // It may have been answered early.
        if let Some(ticket) = self.waiting.remove(&row) {
            let is_lost = self.simulation.lost_blocks(row) > 0;
            due.push(Due { row, ticket, time, due_ns: self.scale.clock_ns(time), is_lost });
        }
    }

    /// What nothing can change any more and has not been answered, in the order in which it is due.
    pub fn certain(&self) -> impl Iterator<Item = T> + '_ {
        self.certain.iter().rev().filter_map(|(_, row)| self.waiting.get(row).copied())
    }

    /// When the clock is to be looked at next, if nothing comes before.
    #[must_use]
    pub fn wake_ns(&self) -> Option<u64> {
        if self.waiting.is_empty() && !self.keeps_up {
            // What the device does on its own, nobody sees.
            return None;
        }
        let certain = self.certain_ns();
        if !self.keeps_up && certain.is_some() && self.certain.len() == self.waiting.len() {
            // Until then nothing happens that anybody waits for.
            return certain;
        }
        let next = self.simulation.next_event().map(|time| self.scale.clock_ns(time));
        certain.into_iter().chain(next).min()
    }

    /// Whether an answer may be due [then](Self::wake_ns); if not, it is enough to look at the clock soon after.
    #[must_use]
    pub fn may_answer(&self) -> bool {
        self.surprising > 0 || self.certain_ns().is_some_and(|certain_ns| self.wake_ns() == Some(certain_ns))
    }

    /// When the first of what is certain is to be answered.
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

    /// A device that processes commands in no time begins with a request as soon as that comes, and nothing changes when
    /// a write ends.
    #[test]
    fn an_answer_is_certain_once_its_request_is_served() {
        let device = load("osdi00", "overhead_ms = 0.0".parse().unwrap()).unwrap();
        let system = System::device(device, &Policy::parse("sptf").unwrap(), None);
        let submitted = |lead_ns| {
            let simulation = Simulation::new(&system, 1, Record::default()).unwrap();
            let mut timetable = Timetable::new(simulation, "1".parse().unwrap(), lead_ns);
            timetable.submit(1000, 'a', Op::Write, [80, 8]).unwrap();
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

    /// A lead is asked for before that, after it, both, or never.
    #[test]
    fn what_keeps_up_has_no_lead() {
        let device = load("osdi00", "overhead_ms = 0.0".parse().unwrap()).unwrap();
        let system = System::device(device, &Policy::parse("sptf").unwrap(), None);
        let mut due_ns = Vec::new();
        for leads in [[0, 0], [100, 0], [0, 100], [100, 100]] {
            let simulation = Simulation::new(&system, 1, Record::default()).unwrap();
            let mut timetable = Timetable::new(simulation, "1".parse().unwrap(), leads[0]);
            timetable.submit(1000, 'a', Op::Write, [80, 8]).unwrap();
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
