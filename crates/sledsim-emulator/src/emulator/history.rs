//! What is kept of the writes of a device.

use std::io;

use crate::history::Writer;
use crate::nbd::{Kind, Request};

/// Where writes are kept, and how many there were.
pub(super) struct History {
    writer: Writer,
    writes: u64,
}

impl History {
    pub(super) fn new(writer: Writer) -> Self {
        Self { writer, writes: 0 }
    }

    /// Closes it; whether it is whole.
    pub(super) fn finish(self) -> io::Result<bool> {
        self.writer.finish()
    }

    /// A flush is over.
    pub(super) fn flushed(&mut self, now_ns: u64) {
        self.writer.flushed(now_ns);
    }

    /// A write is over; whether it was done.
    pub(super) fn completed(&mut self, now_ns: u64, write: u64, is_done: bool) {
        self.writer.completed(now_ns, write, is_done);
    }

    /// A write is asked for; its number.
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
