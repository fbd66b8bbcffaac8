//! The MEMS device fails: the disk has the metadata as of the last flush, and everything goes to the disk.

use super::work::Phase;
use super::WithMetadata;
use crate::error::{Error, Result};
use crate::time::Time;
use crate::volume::backing_store::{BackingStore, MEMS};
use crate::volume::Io;

impl<B: BackingStore> WithMetadata<B> {
    /// # Errors
    /// It is the disk that has failed: the MEMS device has the metadata, and nothing else.
    pub(super) fn lose(&mut self, now: Time, member: u32, io: &mut Io) -> Result<()> {
        if member != MEMS {
            return Err(Error::Parameter(format!(
                "member {member}, the disk, has failed: only metadata are left"
            )));
        }
        self.is_down = true;
        self.is_stocked = false;
        let desk = &mut self.desk;
        for work in self.works.all() {
            // Whatever is not acknowledged is done again: also what had already arrived there is lost.
            work.is_lost |= work.phase != Phase::FlushWrites;
            // What was on its way does not come back.
            for _ in 0..std::mem::take(&mut work.on_mems) {
                desk.end(work.piece.job);
            }
        }
        self.pages.lose(|job| desk.end(job), |job| io.complete(job, now));
        // What comes in its place holds nothing.
        self.table.clear();
        self.pages.keep_rows();
        self.flush.lose();
        self.back.lose_mems(now, desk, io);
        self.settle(now, io);
        Ok(())
    }
}
