//! Stores for the data of a volume with a MEMS device beside a disk: the disk alone, or with a write buffer.

use super::pieces::{PendingJobs, RequestPart};
use super::{FindNote, Io, Job, Part, Volume, VolumeRequest};
use crate::error::{ensure, Result};
use crate::media::SECTOR_BYTES;
use crate::options::Options;
use crate::time::Time;

/// The member that is the disk.
pub(super) const DISK: u32 = 0;
/// The member that is the MEMS device.
pub(super) const MEMS: u32 = 1;

/// The sectors of an area of the MEMS device, of which an option says the size in MB.
///
/// # Errors
/// Another size than of `least` to `most` sectors; the message says what those are.
pub(super) fn area(options: &Options, name: &str, [least, most]: [u64; 2], what: &str) -> Result<u64> {
    let [least, most] = [least, most].map(|sectors| (sectors * SECTOR_BYTES) as f64 / 1e6);
    let size_mb = options.number(name)?;
    if !(least..=most).contains(&size_mb) {
        return Err(options.fault(name, &format!("a number from {least} to {most}, {what}")));
    }
    Ok((size_mb * 1e6 / SECTOR_BYTES as f64) as u64)
}

/// A store of sectors over the disk and perhaps the MEMS device. It is told what a [`Volume`] is told; what a job
/// waits for is kept at the desk. Tags of its parts are below [`FOREIGN_TAG`].
pub(super) trait BackingStore: Clone + Send + Sync {
    /// Sectors that it offers.
    fn sectors(&self) -> u64;
    /// Reads or writes.
    fn submit(&mut self, now: Time, piece: &RequestPart, desk: &mut PendingJobs, io: &mut Io);
    /// One of its parts is done.
    fn done(&mut self, now: Time, part: &Part, desk: &mut PendingJobs, io: &mut Io);
    /// A run begins.
    fn begin(&mut self, _now: Time, _io: &mut Io) {}
    /// A time that it asked for has come.
    fn woken(&mut self, _now: Time, _io: &mut Io) {}
    /// A background job becomes foreground.
    fn promoted(&mut self, _job: Job, _desk: &mut PendingJobs, _io: &mut Io) {}
    /// Nothing urgent waits at that member or is served by it any more.
    fn idle(&mut self, _now: Time, _member: u32, _io: &mut Io) {}
    /// Drops sectors that are kept elsewhere from now on: they are not to be written to the disk any more.
    fn forget(&mut self, _sector: u64, _sectors: u64) {}
    /// Whether nothing that was forgotten is still on its way to the disk.
    fn has_forgotten(&self) -> bool {
        true
    }
    /// The MEMS device has failed: parts that were on their way to it do not come back.
    fn lose_mems(&mut self, _now: Time, _desk: &mut PendingJobs, _io: &mut Io) {}
    /// An empty MEMS device has come in its place.
    fn replace_mems(&mut self) {}
    /// Starts after a loss of power.
    fn recover(&mut self, _read: &mut FindNote<'_>) {}
    /// Counts.
    fn counts(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// Tags from here on, and tokens of wakes, are those of whoever stands before a store.
pub(super) const FOREIGN_TAG: u64 = 1 << 63;

/// The disk alone.
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

/// A volume that is a store and nothing else.
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
        // The request itself is something to wait for, so that it is not complete before all of it is on its way.
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
        ensure!(member != DISK, "member 0, the disk, has failed: most data were only there");
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
