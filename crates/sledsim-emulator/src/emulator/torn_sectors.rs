//! Sectors that cannot be read since a loss of power, and the list of them beside an image.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::store::Unreadable;

/// Sectors that cannot be read, as clients and losses of power find and leave them.
#[derive(Default)]
pub(super) struct TornSectors {
    unreadable: Unreadable,
    /// Where the list of them is kept.
    list: Option<PathBuf>,
    /// Whether the list is not what was found there.
    is_list_changed: bool,
}

impl TornSectors {
    pub(super) fn new(unreadable: Unreadable) -> Self {
        Self { unreadable, ..Self::default() }
    }

    /// With a list there, which is kept as it changes.
    pub(super) fn with_list(self, list: PathBuf) -> Self {
        Self { list: Some(list), ..self }
    }

    /// The first of some sectors that cannot be read.
    pub(super) fn first_of(&self, sectors: Range<u64>) -> Option<u64> {
        self.unreadable.first_of(sectors)
    }

    /// These sectors were written: they can be read again. A kill of the server must not undo that.
    pub(super) fn mend(&mut self, sectors: Range<u64>) -> io::Result<()> {
        if self.first_of(sectors.clone()).is_none() {
            return Ok(());
        }
        self.unreadable.remove(sectors);
        self.is_list_changed = true;
        let Some(list) = &self.list else { return Ok(()) };
        self.unreadable.save_unsynced(list).map_err(io::Error::other)
    }

    /// These sectors cannot be read any more.
    pub(super) fn tear(&mut self, sectors: Range<u64>) {
        self.unreadable.insert(sectors);
        self.is_list_changed = true;
    }

    /// Writes the list, if it has changed.
    pub(super) fn save(&mut self) -> io::Result<()> {
        let Some(list) = self.list.as_ref().filter(|_| self.is_list_changed) else { return Ok(()) };
        self.unreadable.save(list).map_err(io::Error::other)
    }
}
