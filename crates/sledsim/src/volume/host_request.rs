//! Requests to volumes.

use crate::request::Op;

/// A request of the host, before a volume has placed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRequest {
    /// Index of the traced device of the request.
    pub traced_device: u32,
    /// First sector of 512 bytes.
    pub sector: u64,
    /// Number of sectors, at least one.
    pub sectors: u32,
}

/// A request to a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolumeRequest {
    /// First sector of 512 bytes of the volume.
    pub sector: u64,
    /// Number of sectors, at least one.
    pub sectors: u32,
    /// Operation: read or write.
    pub op: Op,
    /// True if the request is for metadata of a file system.
    pub metadata: bool,
}
