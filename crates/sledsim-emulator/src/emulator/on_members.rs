//! Keep the contents of a volume on its members.

use std::io;

use sledsim::error::{Error, Result};
use sledsim::volume::Noted;

use super::members::Members;
use super::power::{Loss, PowerCut};
use super::Emulator;

impl Emulator {
    /// Keep the contents on the members of the volume, and allow power failures. The caller must do this before
    /// the first request. If `were_used` is true, the volume starts as after a power failure. No answer is
    /// returned early, because the data of a read are known only when the read is complete.
    ///
    /// # Errors
    /// The members do not have the sizes of the simulated devices. The device is a volume of volumes and its
    /// members were used before. I/O errors of the operating system.
    pub fn keep_on_members(&mut self, members: Members, were_used: bool) -> Result<()> {
        let simulation = self.timetable.simulation_mut();
        simulation.follow_data()?;
        let wanted: Vec<u64> =
            simulation.stations().iter().map(|(_, station)| station.device().sectors()).collect();
        if wanted != members.sectors() {
            let (expected, found) = (format!("{wanted:?}"), format!("{:?}", members.sectors()));
            return Err(Error::Parameter(format!(
                "sizes of the members in sectors: expected {expected}, found {found}"
            )));
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

    /// Notes (metadata of the volume) that the volume found on its members at the start: member, sector and
    /// note. `None` if the members were new. A simulation that
    /// [recovers](sledsim::simulation::Simulation::recover) with these notes repeats this simulation.
    #[must_use]
    pub fn notes(&self) -> Option<&[(u32, u64, Noted)]> {
        self.notes.as_deref()
    }

    /// Move data between clients, memory and members as the simulation requires. `data` are the bytes of the
    /// write that has just arrived; they are empty for a write of zeros.
    pub(super) fn follow(&mut self, data: &[u8]) -> Result<()> {
        let Some(members) = &mut self.members else { return Ok(()) };
        members.follow(self.timetable.simulation_mut().take_data_moves(), data).map_err(failed)
    }

    /// Apply a power failure to the waiting requests, and to the writes that members are serving. `cut`
    /// determines the contents of the row under the tips. The function adds the affected requests and sectors
    /// to the numbers in `loss`.
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
