//! Pages of the table that are being written to the MEMS device. One write of a page serves all jobs that wait for this
//! page.

use crate::hashing::ByNumber;
use crate::volume::Job;

/// The copy of the table on the MEMS device, which survives a power failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeping {
    /// The table is stored in pages, with one word for each slot.
    Pages,
    /// A single sector, written once, states that all metadata are on the MEMS device in their fixed slots.
    /// `is_written` is true after this write.
    Mark { is_written: bool },
    /// The MEMS device has no copy of the table, so that a power failure loses the table.
    Memory,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// Jobs that wait for the write of the page that is in flight.
    pub flying: Vec<Job>,
    /// Jobs that wait for the write of the page after that.
    pub next: Vec<Job>,
    pub writer: Option<Job>,
}

/// The pages of the table that are being written, by page number.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    pub keeping: Keeping,
    pub pages: ByNumber<Page>,
    pub spare: Vec<Page>,
}

impl Pages {
    pub fn new(keeping: Keeping) -> Self {
        Self { keeping, pages: ByNumber::default(), spare: Vec::new() }
    }

    /// Stores the table in pages from now on. A single sector could only state that all metadata are on the MEMS
    /// device, which is no longer true.
    pub fn keep_rows(&mut self) {
        if let Keeping::Mark { .. } = self.keeping {
            self.keeping = Keeping::Pages;
        }
    }

    /// Drops all pages in flight, after a failure of the MEMS device. Calls `waiting` with each job that waits for a
    /// page, and `writer` with each job that writes one.
    pub fn lose(&mut self, mut waiting: impl FnMut(Job), mut writer: impl FnMut(Job)) {
        for (_, page) in self.pages.drain() {
            page.flying.into_iter().chain(page.next).for_each(&mut waiting);
            page.writer.into_iter().for_each(&mut writer);
        }
    }
}
