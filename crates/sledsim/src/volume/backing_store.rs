//! Stores for the data of a volume that consists of a disk and a MEMS device: the disk alone, or the disk with a write
//! buffer.

use super::pieces::{PendingJobs, RequestPart};
use super::{FindNote, Io, Job, Part, Volume, VolumeRequest};
use crate::error::{ensure, Result};
use crate::media::SECTOR_BYTES;
use crate::options::Options;
use crate::time::Time;

/// Member number of the disk.
pub(super) const DISK: u32 = 0;
/// Member number of the MEMS device.
pub(super) const MEMS: u32 = 1;

/// Returns the size of an area of the MEMS device in sectors, from the option `name`, which gives it in MB. `least` and
/// `most` are its limits in sectors.
///
/// # Errors The size is below `least` or above `most` sectors. The message gives both limits in MB; its text `what`
/// explains the upper one.
pub(super) fn area(options: &Options, name: &str, [least, most]: [u64; 2], what: &str) -> Result<u64> {
    let [least, most] = [least, most].map(|sectors| (sectors * SECTOR_BYTES) as f64 / 1e6);
    let size_mb = options.number(name)?;
    if !(least..=most).contains(&size_mb) {
        return Err(options.fault(name, &format!("a number from {least} to {most}, {what}")));
    }
    Ok((size_mb * 1e6 / SECTOR_BYTES as f64) as u64)
}

/// A layer that stores the data of a volume on the disk, and perhaps also on the MEMS device. It handles the same
/// events as a [`Volume`]. The argument `desk` counts the events that each job still waits for. Tags of its parts are
/// below [`FOREIGN_TAG`].
pub(super) trait BackingStore: Clone + Send + Sync {
    /// Number of sectors that the layer stores.
    fn sectors(&self) -> u64;
    /// Starts to read or write the sectors of `piece`, a request or a piece of one.
    fn submit(&mut self, now: Time, piece: &RequestPart, desk: &mut PendingJobs, io: &mut Io);
    /// True if a write may be complete with its data only in memory.
    fn has_write_cache(&self) -> bool {
        false
    }
    /// Starts a flush: data in memory go to a member, and then the members are flushed.
    fn flush(&mut self, _now: Time, job: Job, io: &mut Io) {
        io.flush_members(job);
    }
    /// Handles the completion of a part that this layer has sent.
    fn done(&mut self, now: Time, part: &Part, desk: &mut PendingJobs, io: &mut Io);
    /// Handles the start of a run.
    fn begin(&mut self, _now: Time, _io: &mut Io) {}
    /// Handles a wake-up that this layer has requested.
    fn woken(&mut self, _now: Time, _io: &mut Io) {}
    /// Handles the change of a job from background to foreground.
    fn promoted(&mut self, _job: Job, _desk: &mut PendingJobs, _io: &mut Io) {}
    /// Handles an idle member: no foreground part is in flight to the member `_member` any more.
    fn idle(&mut self, _now: Time, _member: u32, _io: &mut Io) {}
    /// Drops the older versions of `_sectors` sectors from `_sector` on: the layer above now stores newer ones, so that
    /// this layer must not write its own to the disk.
    fn forget(&mut self, _sector: u64, _sectors: u64) {}
    /// True if no dropped version of a sector is still in flight to the disk.
    fn has_forgotten(&self) -> bool {
        true
    }
    /// Handles the failure of the MEMS device. Parts in flight to this device will never complete.
    fn lose_mems(&mut self, _now: Time, _desk: &mut PendingJobs, _io: &mut Io) {}
    /// Replaces the failed MEMS device by an empty one.
    fn replace_mems(&mut self) {}
    /// Restores the state after a power failure. `_read` returns the note in a sector of a member, that is, the state
    /// that [`Io::note`] had written there.
    fn recover(&mut self, _read: &mut FindNote<'_>) {}
    /// Counts of the store: name and value of each.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// Tags of parts and tokens of wake-ups from this number on belong to the layer above a backing store; smaller numbers
/// belong to the store.
pub(super) const FOREIGN_TAG: u64 = 1 << 63;

/// A store that consists of the disk alone.
#[derive(Clone)]
pub(super) struct Plain {
    pub sectors: u64,
}

impl BackingStore for Plain {
    fn sectors(&self) -> u64 {
        self.sectors
    }

    fn submit(&mut self, _now: Time, piece: &RequestPart, desk: &mut PendingJobs, io: &mut Io) {
        desk.wait(piece.job);
        io.submit(piece.part(DISK, piece.sector, 0));
    }

    fn done(&mut self, _now: Time, part: &Part, desk: &mut PendingJobs, _io: &mut Io) {
        desk.end(part.job);
    }
}

/// A volume that consists of a backing store alone, without a layer above it.
#[derive(Clone)]
pub(super) struct StoreVolume<B> {
    pub back: B,
    pub desk: PendingJobs,
}

impl<B: BackingStore> Volume for StoreVolume<B> {
    fn sectors(&self) -> u64 {
        self.back.sectors()
    }

    fn begin(&mut self, now: Time, io: &mut Io) {
        self.back.begin(now, io);
    }

    fn submit(&mut self, now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        // The loop counts as one more event, so that the request cannot complete before all of it is sent.
        self.desk.wait(job);
        self.back.submit(now, &RequestPart::whole(job, request), &mut self.desk, io);
        self.desk.end(job);
        self.desk.complete(now, io);
    }

    fn has_write_cache(&self) -> bool {
        self.back.has_write_cache()
    }

    fn flush(&mut self, now: Time, job: Job, io: &mut Io) {
        self.back.flush(now, job, io);
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        self.back.done(now, part, &mut self.desk, io);
        self.desk.complete(now, io);
    }

    fn woken(&mut self, now: Time, _token: u64, io: &mut Io) {
        self.back.woken(now, io);
    }

    fn promoted(&mut self, now: Time, job: Job, io: &mut Io) {
        self.back.promoted(job, &mut self.desk, io);
        self.desk.complete(now, io);
    }

    fn idle(&mut self, now: Time, member: u32, io: &mut Io) {
        self.back.idle(now, member, io);
    }

    fn fail(&mut self, now: Time, member: u32, io: &mut Io) -> Result<()> {
        ensure!(member != DISK, "the disk (member 0) has failed: the disk held the only copy of most data");
        self.back.lose_mems(now, &mut self.desk, io);
        self.desk.complete(now, io);
        Ok(())
    }

    fn replace(&mut self, _now: Time, _member: u32, _io: &mut Io) {
        self.back.replace_mems();
    }

    fn recover(&mut self, read: &mut FindNote<'_>) {
        self.back.recover(read);
    }

    fn counts(&self) -> Vec<(&'static str, f64)> {
        self.back.counts()
    }
}
