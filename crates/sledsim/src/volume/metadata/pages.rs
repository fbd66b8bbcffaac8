//! The pages of the table on the MEMS device: one write of a page serves all that wait for it.

use super::table::Table;
use super::{tag, WithMetadata};
use crate::request::Op;
use crate::time::Time;
use crate::volume::back::{Back, MEMS};
use crate::volume::hashing::ByNumber;
use crate::volume::{Io, Job, Part};

/// How the table outlives a loss of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeping {
    /// In pages, a word for each slot.
    Pages,
    /// A mark in the first page, written once: arithmetic says where all metadata are, and all of them are there.
    Mark { is_written: bool },
    /// Not at all.
    Memory,
}

#[derive(Debug, Default)]
struct Page {
    /// Who waits for the write that is on its way.
    flying: Vec<Job>,
    /// Who waits for the next one.
    next: Vec<Job>,
    writer: Option<Job>,
}

/// The pages that are being written.
#[derive(Debug)]
pub(super) struct Pages {
    keeping: Keeping,
    pages: ByNumber<Page>,
    spare: Vec<Page>,
}

impl Pages {
    pub fn new(keeping: Keeping) -> Self {
        Self { keeping, pages: ByNumber::default(), spare: Vec::new() }
    }

    /// From now on it depends on the slot what is there.
    pub fn keep_rows(&mut self) {
        if let Keeping::Mark { .. } = self.keeping {
            self.keeping = Keeping::Pages;
        }
    }

    /// Forgets all of them: the jobs that wait, and those that wrote.
    pub fn lose(&mut self, mut waiting: impl FnMut(Job), mut writer: impl FnMut(Job)) {
        for (_, page) in self.pages.drain() {
            page.flying.into_iter().chain(page.next).for_each(&mut waiting);
            page.writer.into_iter().for_each(&mut writer);
        }
    }
}

impl<B: Back> WithMetadata<B> {
    /// A job waits until the page that tells of a slot, if one does, is on the device as it is now.
    pub(super) fn note_down(&mut self, job: Job, slot: u32, io: &mut Io) {
        let number = match self.pages.keeping {
            Keeping::Pages => Table::page_of(slot),
            Keeping::Mark { is_written: false } => 0,
            Keeping::Mark { is_written: true } | Keeping::Memory => return,
        };
        self.desk.wait(job);
        let Pages { keeping, pages, spare } = &mut self.pages;
        let page = pages.entry(number).or_insert_with(|| spare.pop().unwrap_or_default());
        match (page.writer, keeping) {
            // What is on its way there says the same.
            (Some(_), Keeping::Mark { .. }) => page.flying.push(job),
            (Some(_), _) => page.next.push(job),
            (None, _) => {
                page.next.push(job);
                self.write_page(number, io);
            }
        }
    }

    fn write_page(&mut self, number: u64, io: &mut Io) {
        let page = self.pages.pages.get_mut(&number).expect("somebody waits for it");
        std::mem::swap(&mut page.flying, &mut page.next);
        let job = io.begin();
        page.writer = Some(job);
        let (table, keeping) = (&self.table, self.pages.keeping);
        io.note((job, 0), || match keeping {
            Keeping::Mark { .. } => Table::mark(),
            _ => table.note(number),
        });
        let (op, tag) = (Op::Write, tag::PAGE);
        io.submit(Part { member: MEMS, sector: number, sectors: 1, op, metadata: true, job, at: 0, tag });
    }

    pub(super) fn page_written(&mut self, now: Time, part: &Part, io: &mut Io) {
        self.counts.pages += 1;
        io.complete(part.job, now);
        if let Keeping::Mark { is_written } = &mut self.pages.keeping {
            *is_written = true;
        }
        let page = self.pages.pages.get_mut(&part.sector).expect("it was being written");
        page.flying.drain(..).for_each(|job| self.desk.end(job));
        page.writer = None;
        if page.next.is_empty() {
            let page = self.pages.pages.remove(&part.sector).expect("it was just there");
            self.pages.spare.push(page);
        } else {
            self.write_page(part.sector, io);
        }
    }

    /// What the device says of it after a loss of power.
    pub(super) fn find_table(&mut self, mut page_at: impl FnMut(u64) -> Option<Vec<u64>>) {
        match self.pages.keeping {
            Keeping::Mark { .. } if page_at(0).is_some_and(|note| note == Table::mark()) => {
                self.pages.keeping = Keeping::Mark { is_written: true };
                self.table.fill(self.back.sectors());
            }
            Keeping::Mark { .. } | Keeping::Pages => {
                self.pages.keep_rows();
                self.table.recover(page_at);
            }
            Keeping::Memory => self.table.clear(),
        }
    }
}
