//! Stores for the data of a volume with a MEMS device beside a disk: the disk alone, or with a write buffer.

use super::pieces::{PendingJobs, RequestPart};
use super::{FindNote, Io, Job, Part, Volume, VolumeRequest};
use crate::error::{ensure, Result};
use crate::media::SECTOR_BYTES;
use crate::options::Options;
use crate::time::Time;

/// Number of the member that is the disk.
pub(super) const DISK: u32 = 0;
/// Number of the member that is the MEMS device.
pub(super) const MEMS: u32 = 1;

/// Returns the number of sectors of an area of the MEMS device whose size is an option in MB.
///
/// # Errors A size outside `least` to `most` sectors; the message names the limits.
pub(super) fn area(options: &Options, name: &str, [least, most]: [u64; 2], what: &str) -> Result<u64> {
    let [least, most] = [least, most].map(|sectors| (sectors * SECTOR_BYTES) as f64 / 1e6);
    let size_mb = options.number(name)?;
    if !(least..=most).contains(&size_mb) {
        return Err(options.fault(name, &format!("a number from {least} to {most}, {what}")));
    }
    Ok((size_mb * 1e6 / SECTOR_BYTES as f64) as u64)
}

/// A store of sectors over the disk and perhaps the MEMS device. It has the events of a [`Volume`]; the desk
/// keeps what each job waits for. Tags of its parts are below [`FOREIGN_TAG`].
pub(super) trait BackingStore: Clone + Send + Sync {
    /// Number of sectors that the store offers.
    fn sectors(&self) -> u64;
    /// Starts a read or write.
    fn submit(&mut self, now: Time, piece: &RequestPart, desk: &mut PendingJobs, io: &mut Io);
    /// Takes a part that is done.
    fn done(&mut self, now: Time, part: &Part, desk: &mut PendingJobs, io: &mut Io);
    /// Begins a run.
    fn begin(&mut self, _now: Time, _io: &mut Io) {}
    /// Handles a time that the store asked for.
    fn woken(&mut self, _now: Time, _io: &mut Io) {}
    /// Follows a background job that became foreground.
    fn promoted(&mut self, _job: Job, _desk: &mut PendingJobs, _io: &mut Io) {}
    /// Notes that a member has no more foreground work.
    fn idle(&mut self, _now: Time, _member: u32, _io: &mut Io) {}
    /// Drops sectors that are kept elsewhere from now on: they must not be written to the disk any more.
    fn forget(&mut self, _sector: u64, _sectors: u64) {}
    /// True if no dropped sector is still on its way to the disk.
    fn has_forgotten(&self) -> bool {
        true
    }
    /// Handles the failure of the MEMS device: parts on their way to it do not return.
    fn lose_mems(&mut self, _now: Time, _desk: &mut PendingJobs, _io: &mut Io) {}
    /// Takes an empty MEMS device as the replacement.
    fn replace_mems(&mut self) {}
    /// Starts after a power failure.
    fn recover(&mut self, _read: &mut FindNote<'_>) {}
    /// Counts of the store.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// First tag, and wake token, that belongs to the layer in front of a store.
pub(super) const FOREIGN_TAG: u64 = 1 << 63;

/// A store on the disk alone.
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

/// A volume that consists of a store only.
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
        // The request itself counts as something to wait for, so that it cannot complete before all of it is
        // sent.
        self.desk.wait(job);
        self.back.submit(now, &RequestPart::whole(job, request), &mut self.desk, io);
        self.desk.end(job);
        self.desk.complete(now, io);
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
        ensure!(member != DISK, "member 0, the disk, has failed: the disk held the only copy of most data");
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
