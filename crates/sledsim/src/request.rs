//! One request, on its way from a workload to a device.

use std::num::NonZeroU32;

use crate::time::Time;

/// What a request does with its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// From the medium to the host.
    Read,
    /// From the host to the medium.
    Write,
}

/// A read or write of consecutive blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Place in the order of arrival; without volumes that is the row of the record.
    pub row: u32,
    /// What whoever sent it knows it by, where that is another number.
    pub tag: u32,
    /// First logical block.
    pub lbn: u64,
    /// Logical blocks, at least one.
    pub blocks: u32,
    /// Sectors of 512 bytes that are wanted of them, where that is not all.
    pub wanted_sectors: Option<NonZeroU32>,
    /// Read or write.
    pub op: Op,
    /// Whether it is for metadata of a file system.
    pub metadata: bool,
    /// Whether nobody waits for it.
    pub is_background: bool,
    /// When the host issued it.
    pub arrival: Time,
    /// Of a write that the device has accepted: when its data began to cross the bus.
    pub data_from: Time,
}

impl Request {
    /// A request issued at the start of a run, not for metadata.
    #[must_use]
    pub fn new(row: u32, lbn: u64, blocks: u32, op: Op) -> Self {
        let (metadata, is_background, arrival, data_from) = (false, false, Time::ZERO, Time::ZERO);
        let (tag, wanted_sectors) = (row, None);
        Self { row, tag, lbn, blocks, wanted_sectors, op, metadata, is_background, arrival, data_from }
    }
}
