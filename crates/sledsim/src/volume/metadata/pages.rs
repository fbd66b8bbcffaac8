//! The pages of the table on the MEMS device; one write of a page serves all jobs that wait for it.

use crate::hashing::ByNumber;
use crate::volume::Job;

/// The form in which the table survives a power failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeping {
    /// Pages on the MEMS device, with one word for each slot.
    Pages,
    /// A single sector, written once, which states that all metadata are on the MEMS device at the places
    /// that their addresses determine.
    Mark { is_written: bool },
    /// No copy on the MEMS device: a power failure loses the table.
    Memory,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// Jobs that wait for the write of the page in flight.
    pub flying: Vec<Job>,
    /// Jobs that wait for the next write of the page.
    pub next: Vec<Job>,
    pub writer: Option<Job>,
}

/// The pages of the table that are being written.
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

    /// Stores the table in pages from now on, because a single sector would state that all metadata are on
    /// the MEMS device.
    pub fn keep_rows(&mut self) {
        if let Keeping::Mark { .. } = self.keeping {
            self.keeping = Keeping::Pages;
        }
    }

    /// Forgets all pages in flight. `waiting` is called with each job that waits for a page, and `writer`
    /// with each job that writes a page.
    pub fn lose(&mut self, mut waiting: impl FnMut(Job), mut writer: impl FnMut(Job)) {
        for (_, page) in self.pages.drain() {
            page.flying.into_iter().chain(page.next).for_each(&mut waiting);
            page.writer.into_iter().for_each(&mut writer);
        }
    }
}
