//! What became of every request to the simulated device, beside what the simulation knows.

use std::collections::VecDeque;

use crate::nbd::Kind;

/// One request to the simulated device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// What the client asked for.
    pub kind: Kind,
    /// Its connection.
    pub connection: u64,
    /// When the answer was due, in nanoseconds of the clock.
    pub due_ns: u64,
    /// When it was sent to its last byte; none if nobody was left to send it to, or who was did not read it for seconds.
    pub sent_ns: Option<u64>,
    is_over: bool,
}

impl Served {
    pub(super) fn new(kind: Kind, connection: u64) -> Self {
        Self { kind, connection, due_ns: 0, sent_ns: None, is_over: false }
    }

    /// How much later than due it was sent, in nanoseconds; less than 0 if earlier.
    #[must_use]
    pub fn lateness_ns(&self) -> Option<i64> {
        self.sent_ns.map(|sent_ns| sent_ns as i64 - self.due_ns as i64)
    }
}

/// One row each for the requests of the simulation, in its order.
#[derive(Default)]
pub(super) struct Log {
    rows: VecDeque<Served>,
    /// The number of the first row.
    first: u64,
    /// So many of the first rows are over: answered, or nobody waits any more.
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

    /// Nobody was answered this row, which was due then.
    pub(super) fn unanswered(&mut self, row: u32, due_ns: u64) {
        let at = row.wrapping_sub(self.first as u32) as usize;
        if let Some(row) = self.rows.get_mut(at).filter(|row| !row.is_over) {
            row.due_ns = due_ns;
        }
    }

    /// How many of the first rows are over.
    pub(super) fn over(&self) -> usize {
        self.over
    }

    /// Takes out so many of the first rows.
    pub(super) fn take(&mut self, rows: usize) -> Vec<Served> {
        self.first += rows as u64;
        self.over -= rows;
        self.rows.drain(..rows).collect()
    }

    pub(super) fn into_rows(self) -> Vec<Served> {
        self.rows.into()
    }
}
