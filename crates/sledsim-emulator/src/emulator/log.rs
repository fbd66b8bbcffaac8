//! Record the outcome of every request to the simulated device, beside the data of the simulation.

use std::collections::VecDeque;

use crate::nbd::Kind;

/// A request to the simulated device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Kind of the client's request.
    pub kind: Kind,
    /// Number of the connection.
    pub connection: u64,
    /// Due time of the answer in nanoseconds of the clock.
    pub due_ns: u64,
    /// Time at which the last byte was sent; None if the client had left or read nothing for seconds.
    pub sent_ns: Option<u64>,
    is_over: bool,
}

impl Served {
    pub(super) fn new(kind: Kind, connection: u64) -> Self {
        Self { kind, connection, due_ns: 0, sent_ns: None, is_over: false }
    }

    /// Lateness in nanoseconds: time sent minus time due; negative if the answer was early.
    #[must_use]
    pub fn lateness_ns(&self) -> Option<i64> {
        self.sent_ns.map(|sent_ns| sent_ns as i64 - self.due_ns as i64)
    }
}

/// Rows, one per request of the simulation, in its order.
#[derive(Default)]
pub(super) struct Log {
    rows: VecDeque<Served>,
    /// Number of the first row.
    first: u64,
    /// Number of leading rows that are over: answered, or without a client that waits.
    over: usize,
}

impl Log {
    pub(super) fn push(&mut self, served: Served) {
        self.rows.push_back(served);
    }

    pub(super) fn sent(&mut self, first: u64, parts: u32, due_ns: u64, sent_ns: Option<u64>) {
        let at = (first - self.first) as usize;
        for row in self.rows.range_mut(at..at + parts as usize) {
            (row.due_ns, row.sent_ns, row.is_over) = (due_ns, sent_ns, true);
        }
        self.over += self.rows.range(self.over..).take_while(|row| row.is_over).count();
    }

    /// Record a row that was due but not answered.
    pub(super) fn unanswered(&mut self, row: u32, due_ns: u64) {
        let at = row.wrapping_sub(self.first as u32) as usize;
        if let Some(row) = self.rows.get_mut(at).filter(|row| !row.is_over) {
            row.due_ns = due_ns;
        }
    }

    /// Number of leading rows that are over.
    pub(super) fn over(&self) -> usize {
        self.over
    }

    /// Remove and return the first `rows` rows.
    pub(super) fn take(&mut self, rows: usize) -> Vec<Served> {
        self.first += rows as u64;
        self.over -= rows;
        self.rows.drain(..rows).collect()
    }

    pub(super) fn into_rows(self) -> Vec<Served> {
        self.rows.into()
    }
}
