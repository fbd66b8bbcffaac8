//! A trace in memory: one column a quantity, one row a request.

use std::collections::BTreeMap;
use std::fmt;

/// A block trace as columns of equal length. Sectors are 512 bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// Arrival times in ns from the start of the trace, never decreasing.
    pub arrival_ns: Vec<i64>,
    /// First sectors (logical block numbers).
    pub lbn: Vec<i64>,
    /// Lengths in sectors, at least 1.
    pub blocks: Vec<i32>,
    /// Whether the request is a write.
    pub write: Vec<bool>,
    /// Whether the file system marked the request as metadata.
    pub metadata: Vec<bool>,
    /// The device: as DiskSim numbers it, or counted from 0 in order of first request.
    pub device: Vec<i32>,
    /// The name of the format that it was read from.
    pub format: &'static str,
    /// What the file held besides requests.
    pub skipped: Skipped,
}

/// Dispatched commands that are no reads or writes, and so are not in the columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Cache flushes and other commands without sectors.
    pub flushes: u64,
    /// Discards (trims).
    pub discards: u64,
    /// Commands passed through to the device (SCSI packet commands).
    pub commands: u64,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { flushes, discards, commands } = self;
        write!(f, "{flushes} flushes, {discards} discards, {commands} passed-through commands")
    }
}

/// One row of a [`Trace`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Arrival time in ns.
    pub arrival_ns: i64,
    /// First sector.
    pub lbn: i64,
    /// Length in sectors.
    pub blocks: i32,
    /// Whether it is a write.
    pub write: bool,
    /// Whether it is file-system metadata.
    pub metadata: bool,
    /// Device number.
    pub device: i32,
}

impl Trace {
    /// The number of requests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.arrival_ns.len()
    }

    /// Whether there are no requests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.arrival_ns.is_empty()
    }

    /// Appends one request.
    pub fn push(&mut self, request: Request) {
        self.arrival_ns.push(request.arrival_ns);
        self.lbn.push(request.lbn);
        self.blocks.push(request.blocks);
        self.write.push(request.write);
        self.metadata.push(request.metadata);
        self.device.push(request.device);
    }

    /// Sorts all columns by arrival time; requests of equal times keep their order.
    pub fn sort_by_arrival(&mut self) {
        if self.arrival_ns.is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&row| self.arrival_ns[row]);
        gather(&mut self.arrival_ns, &order);
        gather(&mut self.lbn, &order);
        gather(&mut self.blocks, &order);
        gather(&mut self.write, &order);
        gather(&mut self.metadata, &order);
        gather(&mut self.device, &order);
    }
}

fn gather<T: Copy>(column: &mut Vec<T>, order: &[usize]) {
    *column = order.iter().map(|&row| column[row]).collect();
}

/// Counts devices from 0 in the order in which they are first asked for.
#[derive(Debug, Default)]
pub(super) struct DeviceNumbers {
    numbers: BTreeMap<(u32, u32), i32>,
}

impl DeviceNumbers {
    /// The number of the device with this major and minor number.
    pub fn number(&mut self, major: u32, minor: u32) -> i32 {
        let next = i32::try_from(self.numbers.len()).unwrap_or(i32::MAX);
        *self.numbers.entry((major, minor)).or_insert(next)
    }
}
