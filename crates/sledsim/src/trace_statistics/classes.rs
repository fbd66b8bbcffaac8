//! Requests by the class of block that the file system gave them.

use serde::Serialize;

use super::units::SECTOR_BYTES;
use crate::trace::{flags, Op, Request};

/// A table of classes, as far as there are.
#[derive(Debug, Clone, Default)]
pub(super) struct Classes {
    rows: Vec<Class>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Class {
    requests: u64,
    reads: u64,
    sync: u64,
    asynchronous: u64,
    flush_daemon: u64,
    sectors: u64,
}

/// The requests of one class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassFigures {
    /// Its number, as the column has it.
    pub class: u8,
    /// Reads and writes.
    pub requests: u64,
    /// Their share of all reads and writes.
    pub share: f64,
    /// Reads among them.
    pub reads: u64,
    /// Those that are marked as synchronous.
    pub sync: u64,
    /// As asynchronous.
    #[serde(rename = "async")]
    pub asynchronous: u64,
    /// As written by the daemon that flushes the cache.
    pub flush_daemon: u64,
    /// Their mean size.
    pub mean_bytes: f64,
}

impl Classes {
    /// Counts a read or write.
    #[inline]
    pub fn add(&mut self, row: &Request) {
        let class = usize::from(row.class);
        if class >= self.rows.len() {
            self.rows.resize(class + 1, Class::default());
        }
        let counts = &mut self.rows[class];
        counts.requests += 1;
        counts.reads += u64::from(row.op == Op::Read);
        counts.sync += u64::from(row.flags & flags::SYNC != 0);
        counts.asynchronous += u64::from(row.flags & flags::ASYNC != 0);
        counts.flush_daemon += u64::from(row.flags & flags::DAEMON != 0);
        counts.sectors += u64::from(row.blocks.unsigned_abs());
    }

    /// Counts what another one has counted.
    pub fn merge(&mut self, other: &Self) {
        if other.rows.len() > self.rows.len() {
            self.rows.resize(other.rows.len(), Class::default());
        }
        for (mine, theirs) in self.rows.iter_mut().zip(&other.rows) {
            mine.requests += theirs.requests;
            mine.reads += theirs.reads;
            mine.sync += theirs.sync;
            mine.asynchronous += theirs.asynchronous;
            mine.flush_daemon += theirs.flush_daemon;
            mine.sectors += theirs.sectors;
        }
    }

    /// The classes that there are, the most frequent first; none where no request has one.
    pub fn figures(&self) -> Vec<ClassFigures> {
        if self.rows.len() < 2 {
            return Vec::new();
        }
        let all: u64 = self.rows.iter().map(|row| row.requests).sum();
        let some = self.rows.iter().enumerate().filter(|(_, row)| row.requests > 0);
        let mut figures: Vec<ClassFigures> = some
            .map(|(class, row)| ClassFigures {
                class: class as u8,
                requests: row.requests,
                share: row.requests as f64 / all as f64,
                reads: row.reads,
                sync: row.sync,
                asynchronous: row.asynchronous,
                flush_daemon: row.flush_daemon,
                mean_bytes: row.sectors as f64 / row.requests as f64 * SECTOR_BYTES as f64,
            })
            .collect();
        figures.sort_by_key(|row| (std::cmp::Reverse(row.requests), row.class));
        figures
    }
}
