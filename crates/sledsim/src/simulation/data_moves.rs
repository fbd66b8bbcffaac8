//! Movements of request data between the host, the memory of a volume and its devices, for programs that keep
//! the bytes. The simulation itself computes times only.

use std::ops::Range;

/// A place in the memory of a volume: a sector of the buffer of a job. A buffer exists from its first use
/// until it is [closed](DataMove::Close).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlace {
    /// Number of the volume.
    pub volume: u32,
    /// Number of the job; reused for another job after the buffer is closed.
    pub job: u32,
    /// Sector of the buffer.
    pub sector: u64,
}

/// Sectors of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceExtent {
    /// Index of the device in the order of the [stations](super::Simulation::stations).
    pub device: u32,
    /// Range of sectors of the device.
    pub sectors: Range<u64>,
}

/// A movement of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataMove {
    /// A write of the host arrives with its data.
    Arrive {
        /// Row of the request.
        row: u32,
        /// Place of the data from now on.
        to: MemoryPlace,
        /// Number of sectors.
        sectors: u64,
    },
    /// Sectors are copied within memory.
    Copy {
        /// First sector of the source.
        from: MemoryPlace,
        /// First sector of the target.
        to: MemoryPlace,
        /// Number of sectors.
        sectors: u64,
    },
    /// Sectors are XORed into others in memory.
    Xor {
        /// First sector of the source.
        from: MemoryPlace,
        /// First sector of the target.
        to: MemoryPlace,
        /// Number of sectors.
        sectors: u64,
    },
    /// A sector in memory is filled with a note that the volume reads after a power failure.
    Note {
        /// Place of the note.
        at: MemoryPlace,
        /// Number of sectors before the note that its checksum covers.
        sealed: u64,
        /// Content of the note.
        words: Vec<u64>,
    },
    /// A write is sent to a device, with the present content of its place in memory.
    Send {
        /// Number of the part; reused for another part after this one is written.
        part: u32,
        /// First sector of the source in memory.
        from: MemoryPlace,
        /// Sectors to write.
        to: DeviceExtent,
    },
    /// The part has reached the medium of the device.
    Written {
        /// Number of the part.
        part: u32,
    },
    /// A device has read data into memory.
    Read {
        /// Sectors read.
        from: DeviceExtent,
        /// First sector of the target in memory.
        to: MemoryPlace,
    },
    /// A read of the host is complete.
    Found {
        /// Row of the request.
        row: u32,
        /// First sector of the data in memory.
        from: MemoryPlace,
        /// Number of sectors.
        sectors: u64,
    },
    /// A job ends and its buffer is freed.
    Close {
        /// Number of the volume.
        volume: u32,
        /// Number of the job.
        job: u32,
    },
}
