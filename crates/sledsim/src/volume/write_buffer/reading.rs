//! Reads of a write buffer: each sector is read from the place of its newest version.

use super::place_map::Run;
use super::{tag, Buffer};
use crate::request::Op;
use crate::volume::backing_store::{DISK, MEMS};
use crate::volume::pieces::{PendingJobs, RequestPart};
use crate::volume::Io;

impl Buffer {
    /// Starts a read; or lets it wait, if the log has failed and its data are still in flight to the disk.
    pub(super) fn read_or_wait(&mut self, piece: &RequestPart, desk: &mut PendingJobs, io: &mut Io) {
        if self.cleaner.has_lost_log() {
            desk.wait(piece.job);
            self.late_reads.push(*piece);
            self.cleaner.hurry(piece.job, io);
        } else {
            self.read(piece, desk, io);
        }
    }

    /// Reads each sector of `piece` from where its newest version is: memory, log or disk.
    fn read(&mut self, piece: &RequestPart, desk: &mut PendingJobs, io: &mut Io) {
        let mut runs = std::mem::take(&mut self.runs);
        runs.clear();
        self.counts.reads += 1;
        if self.memory.is_empty() {
            self.read_devices(piece, &mut runs, desk, io);
        } else {
            self.memory.runs(piece.sector, piece.sectors, &mut runs);
            let mut behind = Vec::new();
            for run in &runs {
                let stretch = piece.stretch(run.sector - piece.sector, run.sectors);
                match run.place {
                    Some(place) => self.read_memory(&stretch, place, io),
                    None => self.read_devices(&stretch, &mut behind, desk, io),
                }
                behind.clear();
            }
        }
        self.runs = runs;
    }

    fn read_memory(&mut self, piece: &RequestPart, place: u32, io: &mut Io) {
        let (mut from, first) = (0, self.log.position(place));
        while from < piece.sectors {
            let (job, at, left) = self.batches.find(first + from);
            let sectors = left.min(piece.sectors - from);
            io.copy((job, at), (piece.job, piece.at + from), sectors);
            from += sectors;
        }
        self.counts.memory_read_sectors += piece.sectors;
    }

    fn read_devices(
        &mut self,
        piece: &RequestPart,
        runs: &mut Vec<Run>,
        desk: &mut PendingJobs,
        io: &mut Io,
    ) {
        self.stored.runs(piece.sector, piece.sectors, runs);
        self.counts.read_hits += u64::from(runs.iter().all(|run| run.place.is_some()));
        for run in runs.iter() {
            let stretch = piece.stretch(run.sector - piece.sector, run.sectors);
            desk.wait(piece.job);
            let Some(place) = run.place else {
                self.counts.disk_read_sectors += run.sectors;
                io.submit(stretch.part(DISK, run.sector, tag::READ_DISK));
                continue;
            };
            self.counts.log_read_sectors += run.sectors;
            self.pins.begin(Op::Read, u64::from(place), run.sectors);
            let tag = tag::READ_LOG | u64::from(self.reads.insert(stretch)) << tag::BITS;
            io.submit(stretch.part(MEMS, self.log.first + u64::from(place), tag));
        }
    }

    /// Starts the reads that could not be served when the MEMS device with the log failed; the disk serves them now.
    pub(super) fn read_late(&mut self, desk: &mut PendingJobs, io: &mut Io) {
        if !self.cleaner.has_lost_log() {
            for piece in std::mem::take(&mut self.late_reads) {
                self.read(&piece, desk, io);
                desk.end(piece.job);
            }
        }
    }
}
