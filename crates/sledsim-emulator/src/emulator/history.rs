//! Recording of a device's writes in a history file.

use std::io;

use crate::history::Writer;
use crate::nbd::{Kind, Request};

/// The history file, and the numbers of writes and answers recorded so far.
pub(super) struct History {
    writer: Writer,
    writes: u64,
    /// Number of answers to writes recorded so far.
    answers: u64,
}

impl History {
    pub(super) fn new(writer: Writer) -> Self {
        Self { writer, writes: 0, answers: 0 }
    }

    /// Close the file; return true if the history is complete.
    pub(super) fn finish(self) -> io::Result<bool> {
        self.writer.finish()
    }

    /// Number of answers to writes recorded so far.
    pub(super) fn answers(&self) -> u64 {
        self.answers
    }

    /// Record that a flush of the first `covers` answered writes was answered at `now_ns`.
    pub(super) fn flushed(&mut self, now_ns: u64, covers: u64) {
        self.writer.flushed(now_ns, covers);
    }

    /// Record that the write with number `write` was answered at `now_ns`; `is_done` is true if the write
    /// succeeded.
    pub(super) fn completed(&mut self, now_ns: u64, write: u64, is_done: bool) {
        self.writer.completed(now_ns, write, is_done);
        self.answers += 1;
    }

    /// Record the submission of a request. Return the number of the write, or `None` if the request changes no
    /// data.
    pub(super) fn submitted(&mut self, now_ns: u64, row: u64, request: &Request) -> Option<u64> {
        let Request { offset, fua, bytes, ref data, .. } = *request;
        match request.kind {
            Kind::Write => self.writer.write(now_ns, row, offset, fua, data),
            Kind::WriteZeroes => self.writer.zero(now_ns, row, offset, fua, bytes.into()),
            _ => return None,
        }
        self.writes += 1;
        Some(self.writes - 1)
    }
}
