//! The pages of the table on the MEMS device: one write of a page serves all jobs that wait for it.

use crate::hashing::ByNumber;
use crate::volume::Job;

/// The way in which the table outlives a power failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeping {
    /// Pages, with a word for each slot.
    Pages,
    /// A mark in the first page, written once: all metadata are at the places that arithmetic gives.
    Mark { is_written: bool },
    /// No record: the table is lost.
    Memory,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// Jobs that wait for the write in flight.
    pub flying: Vec<Job>,
    /// Jobs that wait for the next write.
    pub next: Vec<Job>,
    pub writer: Option<Job>,
}

/// The pages that are being written.
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

    /// Keeps the rows of the table in pages from now on, because the mark would claim that all metadata are
    /// on the device.
    pub fn keep_rows(&mut self) {
        if let Keeping::Mark { .. } = self.keeping {
            self.keeping = Keeping::Pages;
        }
    }

    /// Forgets all pages; calls a function for the jobs that wait, and another for the jobs that write.
    pub fn lose(&mut self, mut waiting: impl FnMut(Job), mut writer: impl FnMut(Job)) {
        for (_, page) in self.pages.drain() {
            page.flying.into_iter().chain(page.next).for_each(&mut waiting);
            page.writer.into_iter().for_each(&mut writer);
        }
    }
}
