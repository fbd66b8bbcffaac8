//! One simulated device for each traced one.

use super::{HostRequest, Part, Volume};
use crate::media::SECTOR_BYTES;

/// Passes requests on block for block, each traced device to a device of its own (001-F12).
#[derive(Clone, Copy, Debug)]
pub struct Single {
    devices: u32,
    block_bytes: u64,
}

impl Single {
    /// A volume over that many devices with blocks of that many bytes.
    #[must_use]
    pub fn new(devices: u32, block_bytes: u64) -> Self {
        Self { devices, block_bytes }
    }
}

impl Volume for Single {
    fn devices(&self) -> u32 {
        self.devices
    }

    fn place(&self, request: &HostRequest) -> Part {
        let HostRequest { traced_device, sector, sectors } = *request;
        if self.block_bytes == SECTOR_BYTES {
            return Part { device: traced_device, lbn: sector, blocks: sectors };
        }
        // Whole blocks: those that the request touches.
        let lbn = sector * SECTOR_BYTES / self.block_bytes;
        let end = ((sector + u64::from(sectors)) * SECTOR_BYTES).div_ceil(self.block_bytes);
        Part { device: traced_device, lbn, blocks: (end - lbn) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_block_sizes_cover_the_sectors() {
        let request = HostRequest { traced_device: 0, sector: 7, sectors: 2 };
        assert_eq!(Single::new(1, 512).place(&request), Part { device: 0, lbn: 7, blocks: 2 });
        assert_eq!(Single::new(1, 4096).place(&request), Part { device: 0, lbn: 0, blocks: 2 });
        assert_eq!(Single::new(1, 256).place(&request), Part { device: 0, lbn: 14, blocks: 4 });
    }
}
