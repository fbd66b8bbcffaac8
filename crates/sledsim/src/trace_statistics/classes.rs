//! Numbers of requests by the class that the file system gave to the requested blocks.

use serde::Serialize;

use super::units::SECTOR_BYTES;
use crate::trace::{flags, Op, TraceRow};

/// Counts of requests by class number; the table is as long as the highest class number requires.
#[derive(Debug, Clone, Default)]
pub(super) struct Classes {
    rows: Vec<Counts>,
}

/// Counts for one class, in this order: requests, reads, synchronous requests, asynchronous requests,
/// requests of the update daemon, sectors.
type Counts = [u64; 6];

/// Statistics of the requests of one class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassFigures {
    /// Number of the class, as in the column `class` of the trace.
    pub class: u8,
    /// Number of reads and writes of this class.
    pub requests: u64,
    /// Share of this class among all reads and writes.
    pub share: f64,
    /// Number of reads of this class.
    pub reads: u64,
    /// Number of requests of this class that are marked as synchronous.
    pub sync: u64,
    /// Number of requests of this class that are marked as asynchronous.
    #[serde(rename = "async")]
    pub asynchronous: u64,
    /// Number of requests of this class that are marked as write-back by the daemon which flushes the
    /// cache.
    pub flush_daemon: u64,
    /// Mean size in bytes of the requests of this class.
    pub mean_bytes: f64,
}

impl Classes {
    /// Counts a read or write.
    #[inline]
    pub fn add(&mut self, row: &TraceRow) {
        let is = |flag| u64::from(row.flags & flag != 0);
        let (read, sectors) = (u64::from(row.op == Op::Read), u64::from(row.blocks.unsigned_abs()));
        let [sync, asynchronous, flush_daemon] = [flags::SYNC, flags::ASYNC, flags::DAEMON].map(is);
        self.count(row.class.into(), &[1, read, sync, asynchronous, flush_daemon, sectors]);
    }

    /// Adds the counts of the table `other` to this one.
    pub fn merge(&mut self, other: &Self) {
        other.rows.iter().enumerate().for_each(|(class, counts)| self.count(class, counts));
    }

    #[inline]
    fn count(&mut self, class: usize, counts: &Counts) {
        if class >= self.rows.len() {
            self.rows.resize(class + 1, Counts::default());
        }
        self.rows[class].iter_mut().zip(counts).for_each(|(mine, more)| *mine += more);
    }

    /// Memory of the counts on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.rows[..])
    }

    /// Statistics of the classes that occur, most frequent class first; empty if no request has a class.
    pub fn figures(&self) -> Vec<ClassFigures> {
        if self.rows.len() < 2 {
            return Vec::new();
        }
        let all: u64 = self.rows.iter().map(|[requests, ..]| requests).sum();
        let some = self.rows.iter().enumerate().filter(|(_, [requests, ..])| *requests > 0);
        let mut figures: Vec<ClassFigures> = some
            .map(|(class, &[requests, reads, sync, asynchronous, flush_daemon, sectors])| ClassFigures {
                class: class as u8,
                requests,
                share: requests as f64 / all as f64,
                reads,
                sync,
                asynchronous,
                flush_daemon,
                mean_bytes: sectors as f64 / requests as f64 * SECTOR_BYTES as f64,
            })
            .collect();
        figures.sort_by_key(|row| (std::cmp::Reverse(row.requests), row.class));
        figures
    }
}
