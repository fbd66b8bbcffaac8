//! Writes of pages of the table to the MEMS device.

use super::location_table::{Table, PAGE};
use super::pages::{Keeping, Pages};
use super::{tag, WithMetadata};
use crate::request::Op;
use crate::time::Time;
use crate::volume::backing_store::{BackingStore, MEMS};
use crate::volume::{Io, Job, Part};

impl<B: BackingStore> WithMetadata<B> {
    /// Lets `job` wait until the current state of the slot `slot` is stored on the MEMS device; without a table there,
    /// `job` need not wait.
    pub(super) fn note_down(&mut self, job: Job, slot: u32, io: &mut Io) {
        let number = match self.pages.keeping {
            Keeping::Pages => u64::from(slot) / PAGE,
            Keeping::Mark { is_written: false } => 0,
            Keeping::Mark { is_written: true } | Keeping::Memory => return,
        };
        self.desk.wait(job);
        let Pages { keeping, pages, spare } = &mut self.pages;
        let page = pages.entry(number).or_insert_with(|| spare.pop().unwrap_or_default());
        match (page.writer, keeping) {
            // The write in flight has the same content.
            (Some(_), Keeping::Mark { .. }) => page.flying.push(job),
            (Some(_), _) => page.next.push(job),
            (None, _) => {
                page.next.push(job);
                self.write_page(number, io);
            }
        }
    }

    fn write_page(&mut self, number: u64, io: &mut Io) {
        let page = self.pages.pages.get_mut(&number).expect("a page is known while jobs wait for it");
        std::mem::swap(&mut page.flying, &mut page.next);
        let job = io.begin();
        page.writer = Some(job);
        let (table, keeping) = (&self.table, self.pages.keeping);
        io.note((job, 0), || match keeping {
            Keeping::Mark { .. } => Table::mark(),
            _ => table.note(number),
        });
        io.submit(Part { metadata: true, ..Part::own(job, MEMS, Op::Write, (number, 1), tag::PAGE) });
    }

    pub(super) fn page_written(&mut self, now: Time, part: &Part, io: &mut Io) {
        self.counts.table_pages_written += 1;
        io.complete(part.job, now);
        if let Keeping::Mark { is_written } = &mut self.pages.keeping {
            *is_written = true;
        }
        let page = self.pages.pages.get_mut(&part.sector).expect("a page is known until its write ends");
        page.flying.drain(..).for_each(|job| self.desk.end(job));
        page.writer = None;
        if page.next.is_empty() {
            let page = self.pages.pages.remove(&part.sector).expect("the page was found above");
            self.pages.spare.push(page);
        } else {
            self.write_page(part.sector, io);
        }
    }

    /// Restores the table after a power failure. `page_at` returns the words of a page on the MEMS device, or
    /// `None` if the page was never written.
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
