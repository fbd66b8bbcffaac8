//! A device that is a volume, whose contents are where its members have them.

use std::io;
use std::ops::ControlFlow;

use sledsim::error::{Error, Result};
use sledsim::simulation::Simulation;
use sledsim::time::{Span, Time};
use sledsim::volume::Noted;

use super::members::Members;
use super::power::{Loss, PowerCut};
use super::Emulator;

/// What a volume does on its own when it ends takes so long, in simulated time, for it may never be done; as often it is asked
/// whether it has in memory what its members have not, and then goes on.
const SETTLES_S: f64 = 60.0;
const MOST_TIMES: u32 = 60;
/// What volumes count of sectors that are to be written back.
const TO_WRITE_BACK: [&str; 2] = ["dirty_sectors", "unflushed_sectors"];

impl Emulator {
    /// From now on, which is before the first request, the contents are on the members of the volume, and power can be lost.
    /// If these have been used before, the volume starts as after a loss of power. Nothing is answered early: the data are
    /// there when they are due.
    ///
    /// # Errors
    /// A device without members, or with others; a volume whose members are volumes, if it has been used; those of the
    /// system.
    pub fn keep_on_members(&mut self, members: Members, were_used: bool) -> Result<()> {
        let simulation = self.timetable.simulation_mut();
        simulation.follow_data()?;
        let wanted: Vec<u64> =
            simulation.stations().iter().map(|(_, station)| station.device().sectors()).collect();
        if wanted != members.sectors() {
            let (expected, found) = (format!("{wanted:?}"), format!("{:?}", members.sectors()));
            return Err(Error::Parameter(format!("members: expected {expected} sectors, found {found}")));
        }
        if were_used {
            let (mut read, mut found) = (Ok(()), Vec::new());
            simulation.recover(&mut |member, sector| {
                let note = members.note(member, sector).unwrap_or_else(|error| {
                    read = Err(error);
                    None
                })?;
                found.push((member, sector, note.clone()));
                Some(note)
            })?;
            read.map_err(failed)?;
            self.notes = Some(found);
        }
        self.timetable.keep_up();
        self.members = Some(members);
        self.can_lose_power = true;
        Ok(())
    }

    /// The notes with which a volume has started as after a loss of power, with the member and the sector of each: a simulation
    /// that [recovers](Simulation::recover) with them is this one again. None if it did not start so.
    #[must_use]
    pub fn notes(&self) -> Option<&[(u32, u64, Noted)]> {
        self.notes.as_deref()
    }

    /// Carries out what has happened to data; of a write that has just come these are the data, or zeros if there are none.
    pub(super) fn follow(&mut self, data: &[u8]) -> Result<()> {
        let Some(members) = &mut self.members else { return Ok(()) };
        members.follow(self.timetable.simulation_mut().take_data_moves(), data).map_err(failed)
    }

    /// Power is lost, of what waits and of what members write.
    pub(super) fn lose_members(&mut self, cut: PowerCut, loss: &mut Loss) -> Result<()> {
        self.follow(&[])?;
        for ticket in std::mem::take(&mut self.due) {
            let timed = self.waiting.remove(&ticket).expect("it waits").timed;
            loss.unanswered += 1;
            self.sent(timed, None);
        }
        if let Some(mut members) = self.members.take() {
            let interrupted = self.timetable.simulation().interrupted();
            members.lose_power(interrupted, cut.torn, loss).map_err(failed)?;
        }
        Ok(())
    }
}

/// Ends a volume in which no request waits any more: what it has in memory is written back, and the contents of its members
/// are durable on this machine.
pub(super) fn settle(mut members: Members, simulation: &Simulation) -> io::Result<()> {
    // It is not part of the run.
    let mut after = simulation.clone();
    let mut until = after.now();
    for _ in 0..MOST_TIMES {
        until = until + Span::from_s(SETTLES_S);
        while let Some(next) = after.next_event().filter(|next| *next <= until && *next < Time::LATEST) {
            after.advance(next, &mut |_| ControlFlow::Continue(())).expect("nobody breaks, and time goes on");
            members.follow(after.take_data_moves(), &[])?;
        }
        let volumes = after.clone().into_outcome().volumes;
        let mut counts = volumes.iter().flat_map(|(_, counts)| counts);
        let is_clean = !counts.any(|(name, count)| TO_WRITE_BACK.contains(name) && *count > 0.0);
        if is_clean || after.next_event().is_none() {
            break;
        }
    }
    members.sync()
}

fn failed(source: io::Error) -> Error {
    Error::Io { path: "the contents of the members".into(), source }
}
