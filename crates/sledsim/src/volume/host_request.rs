//! Requests that a volume receives, from the host or from a volume above it.

use crate::request::Op;

/// A request of the host to a traced device, before it is assigned to the blocks of a simulated device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRequest {
    /// Number of the traced device to which the request was sent, counted from 0.
    pub traced_device: u32,
    /// First sector of 512 bytes of the traced device.
    pub sector: u64,
    /// Number of sectors of the request, at least one.
    pub sectors: u32,
}

/// A request to a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolumeRequest {
    /// First sector of 512 bytes of the request, on the volume.
    pub sector: u64,
    /// Number of sectors of the request, at least one.
    pub sectors: u32,
    /// Operation: read or write.
    pub op: Op,
    /// True if the request is for metadata of a file system.
    pub metadata: bool,
}
