//! Keep the set of sectors that a power failure made unreadable, and the file beside the image that lists them.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::store::Unreadable;

/// Set of unreadable sectors. A power failure adds sectors to the set; a write to a sector removes the sector.
#[derive(Default)]
pub(super) struct TornSectors {
    unreadable: Unreadable,
    /// Path of the file beside the image that lists the sectors, if any.
    list: Option<PathBuf>,
    /// True if the set has changed since the file was written.
    is_list_changed: bool,
}

impl TornSectors {
    pub(super) fn new(unreadable: Unreadable) -> Self {
        Self { unreadable, ..Self::default() }
    }

    /// Keep the list of the sectors in the file `list`.
    pub(super) fn with_list(self, list: PathBuf) -> Self {
        Self { list: Some(list), ..self }
    }

    /// The first unreadable sector in the range `sectors`.
    pub(super) fn first_of(&self, sectors: Range<u64>) -> Option<u64> {
        self.unreadable.first_of(sectors)
    }

    /// Remove sectors from the list because they were written again and are readable. Save the list
    /// immediately, so that the change is not lost if the server dies.
    pub(super) fn mend(&mut self, sectors: Range<u64>) -> io::Result<()> {
        if self.first_of(sectors.clone()).is_none() {
            return Ok(());
        }
        self.unreadable.remove(sectors);
        self.is_list_changed = true;
        let Some(list) = &self.list else { return Ok(()) };
        self.unreadable.save_unsynced(list).map_err(io::Error::other)
    }

    /// Make sectors unreadable.
    pub(super) fn tear(&mut self, sectors: Range<u64>) {
        self.unreadable.insert(sectors);
        self.is_list_changed = true;
    }

    /// Write the list to its file if the set has changed.
    pub(super) fn save(&mut self) -> io::Result<()> {
        let Some(list) = self.list.as_ref().filter(|_| self.is_list_changed) else { return Ok(()) };
        self.unreadable.save(list).map_err(io::Error::other)
    }
}
