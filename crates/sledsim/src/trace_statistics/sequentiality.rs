//! Counts of sequential requests, which start where the previous request on their device ended.

use serde::Serialize;

use super::log_histogram::{Bucket, Distribution, LogHistogram};
use super::units::{bytes, share, SECTOR_BYTES};

/// Counter of sequential requests among the reads and writes of a device.
#[derive(Debug, Clone, Default)]
pub(super) struct Sequentiality {
    /// Gap in sectors that a file system's interleave leaves between the blocks of a file; 0: no gap.
    interleave: i64,
    tail: Tail,
    /// Number of reads and number of writes, in this order.
    counted: [u64; 2],
    adjacent: [u64; 2],
    interleaved: u64,
    runs: LogHistogram,
    /// Histogram of the distances, in sectors, from the end of a request to the start of the next
    /// one, in either direction.
    jumps: LogHistogram,
    lowest: Option<i64>,
    highest: i64,
    rewritten: u64,
}

/// State of a device after its last request, with which the next request of the device is compared.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tail {
    /// Sector behind the last read or write of the device; `None` before the first.
    end: Option<i64>,
    /// Number of requests in the current run of sequential requests.
    run: u64,
    /// First sector of the last write, and the sector behind this write.
    written: (i64, i64),
}

/// Sequentiality and positions of reads and writes. All figures except quantiles are exact.
#[derive(Debug, Clone, Serialize)]
pub struct PlaceFigures {
    /// Share of reads and writes that start where the previous read or write on their device ended.
    pub sequential_share: f64,
    /// Share of reads that start where the previous read or write on their device ended.
    pub sequential_share_of_reads: f64,
    /// Share of writes that start where the previous read or write on their device ended.
    pub sequential_share_of_writes: f64,
    /// Share of reads and writes that are logically sequential (000-F24, 003 Table 2): they start
    /// where the previous read or write on their device ended, or after the gap that the file
    /// system's interleave leaves.
    pub logical_sequentiality: f64,
    /// Distribution of the lengths of sequential runs, in requests. Each request of a run except
    /// the first starts where the previous one ended.
    pub runs: Distribution,
    /// Histogram of the lengths of sequential runs, in requests.
    pub buckets_runs: Vec<Bucket>,
    /// Distribution of the distances in bytes from the end of a request to the start of the next
    /// one on the same device, in either direction; 0 for sequential requests.
    pub jumps_bytes: Distribution,
    /// Lowest sector that is read or written, over all devices.
    pub first_sector: i64,
    /// Sector behind the highest sector that is read or written, over all devices.
    pub end_sector: i64,
    /// Number of bytes from the first sector to the end sector.
    pub address_span_bytes: u64,
    /// Share of writes that overlap the previous write on their device (003-C11).
    pub rewrite_share: f64,
}

impl Sequentiality {
    /// Returns empty counts. A request counts as logically sequential if it starts
    /// `interleave_sectors` after the end of the previous one.
    pub fn new(interleave_sectors: u32) -> Self {
        Self { interleave: i64::from(interleave_sectors), ..Self::default() }
    }

    /// Counts a read or write of the sectors from `lbn` to `end` (excluded).
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

    /// Switches to another device: exchanges the state of the current device for `tail`, the state
    /// of the other device.
    pub fn swap_tail(&mut self, tail: &mut Tail) {
        std::mem::swap(&mut self.tail, tail);
    }

    /// Ends the sequential run of a device with the state `tail`, and counts the run.
    pub fn end_run(&mut self, tail: &Tail) {
        if tail.run > 0 {
            self.runs.add(tail.run);
        }
    }

    /// Memory of the counts on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        self.runs.bytes() + self.jumps.bytes()
    }

    /// Adds the counts `other` of another device to these. The current run of each device is
    /// counted and ends.
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
