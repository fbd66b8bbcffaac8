//! Track sectors that a power failure made unreadable, and their list beside the image.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::store::Unreadable;

/// Set of unreadable sectors: a power failure adds sectors, and a client's write to a sector removes it.
#[derive(Default)]
pub(super) struct TornSectors {
    unreadable: Unreadable,
    /// Path of the list beside the image.
    list: Option<PathBuf>,
    /// True if the list differs from its file.
    is_list_changed: bool,
}

impl TornSectors {
    pub(super) fn new(unreadable: Unreadable) -> Self {
        Self { unreadable, ..Self::default() }
    }

    /// Keep the list in a file, updated on each change.
    pub(super) fn with_list(self, list: PathBuf) -> Self {
        Self { list: Some(list), ..self }
    }

    /// The first unreadable sector in a range.
    pub(super) fn first_of(&self, sectors: Range<u64>) -> Option<u64> {
        self.unreadable.first_of(sectors)
    }

    /// Make written sectors readable again, and save the list: a kill of the server must not undo that.
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

    /// Write the list if it has changed.
    pub(super) fn save(&mut self) -> io::Result<()> {
        let Some(list) = self.list.as_ref().filter(|_| self.is_list_changed) else { return Ok(()) };
        self.unreadable.save(list).map_err(io::Error::other)
    }
}
