//! Which requests go on where the one before them on their device ended.

use serde::Serialize;

use super::log_histogram::{Bucket, Distribution, LogHistogram};
use super::units::{bytes, share, SECTOR_BYTES};

/// Follows the reads and writes of one device.
#[derive(Debug, Clone, Default)]
pub(super) struct Sequentiality {
    /// The gap that a file system leaves between blocks of a file, in sectors; 0: none.
    interleave: i64,
    tail: Tail,
    /// Reads and writes.
    counted: [u64; 2],
    adjacent: [u64; 2],
    interleaved: u64,
    runs: LogHistogram,
    /// In sectors.
    jumps: LogHistogram,
    lowest: Option<i64>,
    highest: i64,
    rewritten: u64,
}

/// What the next request of a device is compared with.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tail {
    /// Where the last read or write ended.
    end: Option<i64>,
    /// Requests of the run that goes on.
    run: u64,
    /// The last write on this device, from and to.
    written: (i64, i64),
}

/// Sequentiality and place of the reads and writes. All but the quantiles is exact.
#[derive(Debug, Clone, Serialize)]
pub struct PlaceFigures {
    /// The share that starts where the read or write before it on its device ended.
    pub sequential_share: f64,
    /// The share that does so of the reads.
    pub sequential_share_of_reads: f64,
    /// And of the writes.
    pub sequential_share_of_writes: f64,
    /// Logical sequentiality (000-F24, 003 Table 2): the share that starts there, or after the gap that the file
    /// system's interleave leaves.
    pub logical_sequentiality: f64,
    /// Lengths in requests of runs in which each but the first starts where the one before it ended.
    pub runs: Distribution,
    /// How many runs of which length.
    pub buckets_runs: Vec<Bucket>,
    /// Distances in bytes from the end of the one before to the start, either way, 0 included.
    pub jumps_bytes: Distribution,
    /// The first sector that is read or written, of all devices the least.
    pub first_sector: i64,
    /// The sector behind the last one, of all devices the largest.
    pub end_sector: i64,
    /// From there to there in bytes.
    pub address_span_bytes: u64,
    /// The share of writes that write again a sector of the very write before on their device (003-C11).
    pub rewrite_share: f64,
}

impl Sequentiality {
    /// Before the first request.
    pub fn new(interleave_sectors: u32) -> Self {
        Self { interleave: i64::from(interleave_sectors), ..Self::default() }
    }

    /// Counts a read or write of the sectors from `lbn` to before `end`.
    #[inline]
    pub fn add(&mut self, lbn: i64, end: i64, write: bool) {
        let op = usize::from(write);
        self.counted[op] += 1;
        let mut adjacent = false;
        if let Some(before) = self.tail.end {
            let distance = lbn - before;
            adjacent = distance == 0;
            self.adjacent[op] += u64::from(adjacent);
            self.interleaved += u64::from(!adjacent && distance == self.interleave);
            self.jumps.add(distance.unsigned_abs());
        }
        if adjacent {
            self.tail.run += 1;
        } else {
            self.close_run();
            self.tail.run = 1;
        }
        if write {
            self.rewritten += u64::from(lbn < self.tail.written.1 && end > self.tail.written.0);
            self.tail.written = (lbn, end);
        }
        self.tail.end = Some(end);
        self.lowest = Some(self.lowest.map_or(lbn, |lowest| lowest.min(lbn)));
        self.highest = self.highest.max(end);
    }

    fn close_run(&mut self) {
        if self.tail.run > 0 {
            self.runs.add(self.tail.run);
        }
    }

    /// Leaves the device that was counted until now for another one: its tail for that of the other.
    pub fn swap_tail(&mut self, tail: &mut Tail) {
        std::mem::swap(&mut self.tail, tail);
    }

    /// Ends the run of a device that was left.
    pub fn end_run(&mut self, tail: &Tail) {
        if tail.run > 0 {
            self.runs.add(tail.run);
        }
    }

    /// The memory that it takes besides itself.
    pub fn bytes(&self) -> usize {
        self.runs.bytes() + self.jumps.bytes()
    }

    /// Counts what another device has counted; the runs of both end.
    pub fn merge(&mut self, other: &Self) {
        self.close_run();
        self.tail.run = 0;
        for op in 0..2 {
            self.counted[op] += other.counted[op];
            self.adjacent[op] += other.adjacent[op];
        }
        self.interleaved += other.interleaved;
        self.runs.merge(&other.runs);
        self.end_run(&other.tail);
        self.jumps.merge(&other.jumps);
        self.lowest = self.lowest.into_iter().chain(other.lowest).min();
        self.highest = self.highest.max(other.highest);
        self.rewritten += other.rewritten;
    }

    pub fn figures(&self) -> PlaceFigures {
        let [reads, writes] = self.counted;
        let [adjacent_reads, adjacent_writes] = self.adjacent;
        let adjacent = adjacent_reads + adjacent_writes;
        let mut runs = self.runs.clone();
        if self.tail.run > 0 {
            runs.add(self.tail.run);
        }
        let span = self.lowest.map_or(0, |lowest| (self.highest - lowest) as u64);
        PlaceFigures {
            sequential_share: share(adjacent, reads + writes),
            sequential_share_of_reads: share(adjacent_reads, reads),
            sequential_share_of_writes: share(adjacent_writes, writes),
            logical_sequentiality: share(adjacent + self.interleaved, reads + writes),
            runs: runs.distribution(),
            buckets_runs: runs.buckets().collect(),
            jumps_bytes: self.jumps.scaled(SECTOR_BYTES as f64),
            first_sector: self.lowest.unwrap_or(0),
            end_sector: self.highest,
            address_span_bytes: bytes(span),
            rewrite_share: share(self.rewritten, writes),
        }
    }
}
