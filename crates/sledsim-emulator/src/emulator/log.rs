//! Times of the replies to all requests to the simulated device, which supplement the record of the
//! simulation.

use std::collections::VecDeque;

use crate::nbd::Kind;

/// Times of the reply to a request to the simulated device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Kind of the client's request.
    pub kind: Kind,
    /// Number of the connection over which the request came.
    pub connection: u64,
    /// Time in ns of the clock at which the reply was due.
    pub due_ns: u64,
    /// Clock time in ns at which the last byte of the reply was sent. None if the client had left, or had not
    /// read the reply for several seconds.
    pub sent_ns: Option<u64>,
    is_over: bool,
}

impl Served {
    pub(super) fn new(kind: Kind, connection: u64) -> Self {
        Self { kind, connection, due_ns: 0, sent_ns: None, is_over: false }
    }

    /// Lateness of the reply in ns: the time at which it was sent, minus the time at which it was due. The
    /// lateness is negative for an early reply.
    #[must_use]
    pub fn lateness_ns(&self) -> Option<i64> {
        self.sent_ns.map(|sent_ns| sent_ns as i64 - self.due_ns as i64)
    }
}

/// Times of replies, with one row for each request of the simulation, in the order of the requests.
#[derive(Default)]
pub(super) struct Log {
    rows: VecDeque<Served>,
    /// Number of the first row that is still in the log; [`take`](Self::take) has removed the rows before.
    first: u64,
    /// Number of finished rows at the start of the log: the reply was sent, or no client waits for a reply any
    /// more.
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

    /// Record a request whose reply was due at `due_ns` but was not sent.
    pub(super) fn unanswered(&mut self, row: u32, due_ns: u64) {
        let at = row.wrapping_sub(self.first as u32) as usize;
        if let Some(row) = self.rows.get_mut(at).filter(|row| !row.is_over) {
            row.due_ns = due_ns;
        }
    }

    /// Number of finished rows at the start of the log, which [`take`](Self::take) may remove.
    pub(super) fn over(&self) -> usize {
        self.over
    }

    /// Remove the first `rows` rows from the log and return them.
    pub(super) fn take(&mut self, rows: usize) -> Vec<Served> {
        self.first += rows as u64;
        self.over -= rows;
        self.rows.drain(..rows).collect()
    }

    pub(super) fn into_rows(self) -> Vec<Served> {
        self.rows.into()
    }
}
