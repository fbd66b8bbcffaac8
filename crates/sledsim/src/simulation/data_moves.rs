//! Movements of request data between the host, the memory of a volume and its devices. Programs that store the data use
//! them; the simulation itself computes only times.

use std::ops::Range;

/// A place in the memory of a volume: a sector in the buffer of a job, that is, of a request or of the volume's own
/// work. The buffer exists from its first use until it is [closed](DataMove::Close).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlace {
    /// Number of the volume that has the buffer, in the order in which the run builds its volumes.
    pub volume: u32,
    /// Number of the job; after the buffer is closed, another job may have the same number.
    pub job: u32,
    /// Sector within the buffer, counted from 0.
    pub sector: u64,
}

/// A range of consecutive sectors on one device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceExtent {
    /// Number of the device in the list of [stations](super::Simulation::stations).
    pub device: u32,
    /// Range of sectors on this device.
    pub sectors: Range<u64>,
}

/// A movement of data, or the end of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataMove {
    /// A write of the host arrives with its data.
    Arrive {
        /// Number of the request in the record.
        row: u32,
        /// Place of the first sector of the data in memory. The data are there from now on.
        to: MemoryPlace,
        /// Number of sectors of the write.
        sectors: u64,
    },
    /// Sectors are copied within memory.
    Copy {
        /// Place of the first sector that is copied.
        from: MemoryPlace,
        /// Place to which the first sector is copied.
        to: MemoryPlace,
        /// Number of sectors that are copied.
        sectors: u64,
    },
    /// Sectors are combined by XOR with other sectors in memory.
    Xor {
        /// Place of the first sector that is read.
        from: MemoryPlace,
        /// Place of the first sector that is changed.
        to: MemoryPlace,
        /// Number of sectors that are changed.
        sectors: u64,
    },
    /// A sector in memory is filled with a note: words that describe the state of the volume, which the volume reads
    /// after a power failure.
    Note {
        /// Place of the sector.
        at: MemoryPlace,
        /// Number of sectors directly before the note over which the note holds a checksum.
        sealed: u64,
        /// Words of the note.
        words: Vec<u64>,
    },
    /// A volume sends a write to a device; the data of the write are what memory holds now.
    Send {
        /// Number of the part; after the part is written, another part may have the same number.
        part: u32,
        /// Place of the first sector of the data in memory.
        from: MemoryPlace,
        /// Sectors of the device to be written.
        to: DeviceExtent,
    },
    /// All data of the part have reached the medium of the device.
    Written {
        /// Number of the part that was written.
        part: u32,
    },
    /// A device has read sectors into memory.
    Read {
        /// Sectors of the device that were read.
        from: DeviceExtent,
        /// Place of the first sector of the data in memory.
        to: MemoryPlace,
    },
    /// A read of the host is complete.
    Found {
        /// Number of the request in the record.
        row: u32,
        /// Place of the first sector of the data in memory.
        from: MemoryPlace,
        /// Number of sectors of the read.
        sectors: u64,
    },
    /// A job has ended, and its buffer is freed.
    Close {
        /// Number of the volume whose memory held the buffer.
        volume: u32,
        /// Number of the job that has ended.
        job: u32,
    },
}
