//! Volumes: which device requests a host request becomes.

mod single;

pub use single::Single;

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

/// The part of a host request that goes to one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which of the volume's devices.
    pub device: u32,
    /// First logical block of that device.
    pub lbn: u64,
    /// Logical blocks, at least one.
    pub blocks: u32,
}

/// Places host requests on devices.
pub trait Volume: Send {
    /// How many devices it stands on.
    fn devices(&self) -> u32;

    /// Where a host request goes.
    fn place(&self, request: &HostRequest) -> Part;
}

/// One kind of volume.
pub struct VolumeRow {
    /// The name that users give.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// Makes it over that many devices with blocks of that many bytes.
    pub build: fn(devices: u32, block_bytes: u64) -> Box<dyn Volume>,
}

/// Every kind of volume: one file and one row here.
pub const VOLUMES: &[VolumeRow] = &[VolumeRow {
    name: "single",
    description: "every device of the trace is one simulated device, block for block (001-F12)",
    build: |devices, block_bytes| Box::new(Single::new(devices, block_bytes)),
}];
