//! Where the data of requests go between the host, the memory of a volume, and its devices: for whoever keeps bytes. The
//! simulation itself knows times only.

use std::ops::Range;

/// A place in the memory of a volume: a sector of the buffer of one of its jobs. A buffer is there from the first time it
/// is named until it is [closed](DataMove::Close).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlace {
    /// The volume.
    pub volume: u32,
    /// The number of the job, which another one may have once it is closed.
    pub job: u32,
    /// The sector of its buffer.
    pub sector: u64,
}

/// Sectors of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceExtent {
    /// The device, in the order in which the [stations](super::Simulation::stations) are listed.
    pub device: u32,
    /// Its sectors.
    pub sectors: Range<u64>,
}

/// One thing that happens to data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataMove {
    /// A write of the host comes: its data are at that place.
    Arrive {
        /// The request.
        row: u32,
        /// Where its data are from now on.
        to: MemoryPlace,
        /// How many sectors.
        sectors: u64,
    },
    /// Sectors are copied in memory.
    Copy {
        /// From there on.
        from: MemoryPlace,
        /// To there.
        to: MemoryPlace,
        /// How many.
        sectors: u64,
    },
    /// Sectors are added, bit by bit, to others in memory.
    Xor {
        /// From there on.
        from: MemoryPlace,
        /// To these.
        to: MemoryPlace,
        /// How many.
        sectors: u64,
    },
    /// A sector in memory is filled with what the volume wants to find there after a loss of power.
    Note {
        /// The sector.
        at: MemoryPlace,
        /// A checksum of so many sectors before it goes with it.
        sealed: u64,
        /// What is noted.
        words: Vec<u64>,
    },
    /// A write sets off to a device, with what its place in memory holds now.
    Send {
        /// The number of the part, which another one may have once this one is written.
        part: u32,
        /// From there on.
        from: MemoryPlace,
        /// To there.
        to: DeviceExtent,
    },
    /// The medium of the device has a part.
    Written {
        /// The number of the part.
        part: u32,
    },
    /// A device has read: the data are in memory.
    Read {
        /// These sectors.
        from: DeviceExtent,
        /// To there.
        to: MemoryPlace,
    },
    /// A read of the host is complete.
    Found {
        /// The request.
        row: u32,
        /// From there on are its data.
        from: MemoryPlace,
        /// How many sectors.
        sectors: u64,
    },
    /// A job is over, and its buffer is gone.
    Close {
        /// The volume.
        volume: u32,
        /// The job.
        job: u32,
    },
}
