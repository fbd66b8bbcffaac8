//! The contents of a volume that are stored on its members. Data move between clients, the memory of the volume
//! and its members as in the simulation. A power failure clears the memory.

mod medium;
mod note;
mod sectors;

use std::collections::HashMap;
use std::io;

use sledsim::simulation::{DataMove, DeviceExtent, Interrupted, MemoryPlace};
use sledsim::volume::Noted;

use super::power::{Loss, Torn};
use crate::nbd::Errno;

pub use medium::Medium;
use sectors::{Buffer, Sectors};

/// Data that were sent to a member and are not written yet.
struct Flight {
    to: DeviceExtent,
    data: Sectors,
}

/// The members of a volume, the memory of the volume, and the data in flight between memory and members.
pub struct Members {
    media: Vec<Medium>,
    /// Number that identifies the notes (metadata that a volume writes into sectors) of these members; see
    /// [`note::sector`].
    salt: u64,
    /// Buffers in the memory of volumes, by number of the volume and number of the job that uses the buffer.
    memory: HashMap<(u32, u32), Buffer>,
    /// Writes to members that are not complete, by number of the request to the member.
    flights: HashMap<u32, Flight>,
    /// Data of completed reads that were not sent to the client yet, by row of the read in the simulation.
    found: HashMap<u32, Sectors>,
}

impl Members {
    /// Create the members of a volume, in the order of the simulated devices. `salt` is a number that must
    /// differ between volumes; a volume must use the same number whenever it uses its members again.
    #[must_use]
    pub fn new(media: Vec<Medium>, salt: u64) -> Self {
        let (memory, flights, found) = Default::default();
        Self { media, salt, memory, flights, found }
    }

    /// Number of sectors of each member.
    #[must_use]
    pub fn sectors(&self) -> Vec<u64> {
        self.media.iter().map(Medium::sectors).collect()
    }

    /// Read the note (metadata of the volume) that sector `sector` of member `member` contains. `None` if the
    /// sector is unreadable or contains no note.
    pub(super) fn note(&self, member: u32, sector: u64) -> io::Result<Option<Noted>> {
        let medium = &self.media[member as usize];
        if sector >= medium.sectors() {
            return Ok(None);
        }
        let there = medium.read(sector..sector + 1)?;
        let found = if there.lost.is_empty() { note::find(self.salt, &there.bytes) } else { None };
        let Some(found) = found else { return Ok(None) };
        let before = sector.checked_sub(found.sealed).map(|first| medium.read(first..sector));
        Ok(Some(found.noted(before.transpose()?.as_ref())))
    }

    /// Carry out the movements `moves`, which copy data between clients, memory and members. `data` are the
    /// bytes of the write that has just arrived; they are empty for a write of zeros.
    ///
    /// # Errors
    /// I/O errors of the operating system. Movements before the error have been carried out.
    pub(super) fn follow(&mut self, moves: Vec<DataMove>, data: &[u8]) -> io::Result<()> {
        moves.into_iter().try_for_each(|one| self.carry_out(one, data))
    }

    fn carry_out(&mut self, one: DataMove, data: &[u8]) -> io::Result<()> {
        match one {
            DataMove::Arrive { to, sectors, .. } => {
                let data = if data.is_empty() { Sectors::zeros(sectors) } else { Sectors::of(data.to_vec()) };
                self.put(to, &data);
            }
            DataMove::Copy { from, to, sectors } => {
                let data = self.take(from, sectors);
                self.put(to, &data);
            }
            DataMove::Xor { from, to, sectors } => {
                let data = self.take(from, sectors);
                self.buffer(to).xor(to.sector, &data);
            }
            DataMove::Note { at, sealed, words } => {
                let before = self.take(MemoryPlace { sector: at.sector - sealed, ..at }, sealed);
                self.put(at, &Sectors::of(note::sector(self.salt, &words, &before)));
            }
            DataMove::Send { part, from, to } => {
                let data = self.take(from, to.sectors.end - to.sectors.start);
                self.flights.insert(part, Flight { to, data });
            }
            DataMove::Written { part } => {
                let Flight { to, data } = self.flights.remove(&part).expect("it was sent");
                self.media[to.device as usize].write(to.sectors.start, &data)?;
            }
            DataMove::Read { from, to } => {
                let data = self.media[from.device as usize].read(from.sectors)?;
                self.put(to, &data);
            }
            DataMove::Found { row, from, sectors } => {
                let data = self.take(from, sectors);
                self.found.insert(row, data);
            }
            DataMove::Close { volume, job } => drop(self.memory.remove(&(volume, job))),
        }
        Ok(())
    }

    fn buffer(&mut self, at: MemoryPlace) -> &mut Buffer {
        self.memory.entry((at.volume, at.job)).or_default()
    }

    fn put(&mut self, at: MemoryPlace, data: &Sectors) {
        self.buffer(at).put(at.sector, data);
    }

    fn take(&mut self, at: MemoryPlace, sectors: u64) -> Sectors {
        self.buffer(at).take(at.sector, sectors)
    }

    /// Remove and return the data of the completed read that has the number `row` in the simulation.
    ///
    /// # Errors
    /// A sector of the read is unreadable.
    pub(super) fn answer(&mut self, row: u32) -> Result<Vec<u8>, Errno> {
        let Sectors { bytes, lost } = self.found.remove(&row).expect("it is complete");
        if lost.is_empty() {
            Ok(bytes)
        } else {
            Err(Errno::Io)
        }
    }

    /// Apply a power failure: clear the memory, and write to the members only those sectors that `interrupted`
    /// lists as written. `torn` determines the contents of the row under the tips. The function adds the
    /// affected sectors to the numbers in `loss`.
    pub(super) fn lose_power(
        &mut self,
        interrupted: Vec<Interrupted>,
        torn: Torn,
        loss: &mut Loss,
    ) -> io::Result<()> {
        for Interrupted { row: part, written, torn: under_the_tips } in interrupted {
            let Flight { to, data } = self.flights.remove(&part).expect("it was sent");
            let medium = &mut self.media[to.device as usize];
            let finished = if torn == Torn::New { under_the_tips.as_slice() } else { &[] };
            for sectors in written.iter().chain(finished) {
                let from = sectors.start.max(to.sectors.start);
                let end = sectors.end.min(to.sectors.end);
                if from < end {
                    medium.write(from, &data.part(from - to.sectors.start, end - from))?;
                    loss.written_sectors += end - from;
                }
            }
            if torn == Torn::Unreadable {
                for sectors in under_the_tips {
                    loss.torn_sectors += medium.tear(sectors);
                }
            }
        }
        self.memory.clear();
        self.flights.clear();
        self.found.clear();
        self.sync()
    }

    /// Make the contents of all members durable on this machine.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.media.iter_mut().try_for_each(Medium::sync)
    }
}
