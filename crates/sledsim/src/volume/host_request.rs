//! Requests to volumes.

use crate::request::Op;

/// A request of the host, before a volume has placed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRequest {
    /// Which of the devices of the trace it went to.
    pub traced_device: u32,
    /// First sector of 512 bytes.
    pub sector: u64,
    /// Sectors, at least one.
    pub sectors: u32,
}

/// A request to a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolumeRequest {
    /// First sector of 512 bytes of the volume.
    pub sector: u64,
    /// Sectors, at least one.
    pub sectors: u32,
    /// Read or write.
    pub op: Op,
    /// Whether it is for metadata of a file system.
    pub metadata: bool,
}
