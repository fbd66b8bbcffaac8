//! Overheads of commands: the times for which a drive processes a command before it needs the medium.

use super::mechanics::span;
use crate::params::{DiskParams, WriteHits};
use crate::request::Op;
use crate::time::Span;

/// Times of a write with early disconnect, in which the drive leaves the bus before the data of the write arrive.
#[derive(Clone, Copy, Debug)]
pub struct EarlyDisconnect {
    pub command: Span,
    /// Time from the end of command processing until the data of the write begin to arrive.
    pub to_data: Span,
    /// Time of the second disconnection and reconnection, after the medium is done.
    pub second: Span,
}

/// An overhead that depends on the previous request: its value after a read, and its value after a write.
#[derive(Clone, Copy, Debug, Default)]
pub struct After([Span; 2]);

impl After {
    pub fn of(self, last: Op) -> Span {
        self.0[usize::from(last == Op::Write)]
    }
}

/// Overheads of all kinds of commands; the default is zero for each.
#[derive(Clone, Debug, Default)]
pub struct Overheads {
    pub command: Span,
    pub read_hit: After,
    pub read_miss: After,
    write_hit: After,
    write_miss: After,
    hits_are_sequential: bool,
    pub early_disconnect: Option<EarlyDisconnect>,
}

impl Overheads {
    pub fn new(p: &DiskParams) -> Self {
        let after = |read_ms, write_ms| After([span(read_ms), span(write_ms)]);
        let write_miss = after(p.write_miss_after_read_ms, p.write_miss_after_write_ms);
        let write_hit = after(p.write_hit_after_read_ms, p.write_hit_after_write_ms);
        Self {
            command: span(p.command_ms),
            read_hit: after(p.read_hit_after_read_ms, p.read_hit_after_write_ms),
            read_miss: after(p.read_miss_after_read_ms, p.read_miss_after_write_ms),
            write_hit: if p.writes_back() { write_hit } else { write_miss },
            write_miss,
            hits_are_sequential: p.write_hits == Some(WriteHits::Sequential),
            early_disconnect: early_disconnect(p),
        }
    }

    /// Returns the same overheads without early disconnect: the drive keeps the bus until the data of a
    /// write arrive.
    pub fn without_disconnect(self) -> Self {
        Self { early_disconnect: None, ..self }
    }

    /// Overhead of a write: the overhead of a hit, or of a miss if only sequential writes count as hits and
    /// `is_sequential` is false.
    pub fn write(&self, is_sequential: bool) -> After {
        if is_sequential || !self.hits_are_sequential {
            self.write_hit
        } else {
            self.write_miss
        }
    }
}

fn early_disconnect(p: &DiskParams) -> Option<EarlyDisconnect> {
    Some(EarlyDisconnect {
        command: span(p.early_disconnect_command_ms?),
        to_data: span(p.early_disconnect_ms?) + span(p.early_disconnect_wait_ms?) + span(p.first_reselect_ms),
        second: span(p.second_disconnect_ms?) + span(p.second_reselect_ms?),
    })
}
