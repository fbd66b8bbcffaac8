//! A device that is a volume, whose contents are where its members have them.

use std::io;

use sledsim::error::{Error, Result};
use sledsim::volume::Noted;

use super::members::Members;
use super::power::{Loss, PowerCut};
use super::Emulator;

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
    /// that [recovers](sledsim::simulation::Simulation::recover) with them is this one again. None if it did not start so.
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

fn failed(source: io::Error) -> Error {
    Error::Io { path: "the contents of the members".into(), source }
}
