//! The volume over a single device: each sector of the volume is the sector of the device with the same number.

use std::num::NonZeroU32;

use super::{HostRequest, Io, Job, Part, Promises, RoleRow, Volume, VolumeKind, VolumeRequest, VolumeRow};
use crate::media::SECTOR_BYTES;
use crate::request::{Op, Partial, Request};
use crate::time::Time;

/// Entry of the single device in the table of volumes.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "single",
    "one device; the volume passes requests to the device unchanged",
    VolumeKind {
        roles: &[RoleRow::one("device", "osdi00", "the device that serves the requests")],
        counters: &[],
        promises: Promises::OVER_ONE,
        build: |_, members| Ok(Box::new(Single::new(members[0][0]))),
    },
)
.source("001-F12");

/// A volume that passes requests to its device unchanged (001-F12).
#[derive(Clone, Copy, Debug)]
pub struct Single {
    sectors: u64,
}

/// The blocks of a device that a request touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// First logical block that the request touches.
    pub lbn: u64,
    /// Number of logical blocks that the request touches, at least one.
    pub blocks: u32,
    /// Number of sectors of 512 bytes that the request wants; `None` if it wants every sector of its blocks.
    pub wanted_sectors: Option<NonZeroU32>,
    /// Marks whether the request covers its first and its last block only in part.
    pub partial: Partial,
}

impl Placed {
    /// The request for these blocks, as the device receives it.
    #[must_use]
    pub fn request(&self, row: u32, op: Op, metadata: bool, arrival: Time) -> Request {
        let Self { lbn, blocks, wanted_sectors, partial } = *self;
        Request { metadata, arrival, wanted_sectors, partial, ..Request::new(row, lbn, blocks, op) }
    }
}

impl Single {
    /// Creates a volume over a device of `sectors` sectors of 512 bytes.
    #[must_use]
    pub fn new(sectors: u64) -> Self {
        Self { sectors }
    }

    /// The blocks of `block_bytes` bytes that a request touches, even in part.
    #[must_use]
    pub fn place(request: &HostRequest, block_bytes: u64) -> Placed {
        let HostRequest { sector, sectors, .. } = *request;
        if block_bytes == SECTOR_BYTES {
            let partial = Partial::default();
            return Placed { lbn: sector, blocks: sectors, wanted_sectors: None, partial };
        }
        let ends = [sector, sector + u64::from(sectors)].map(|end| end * SECTOR_BYTES);
        let [first, last] = ends.map(|end| !end.is_multiple_of(block_bytes));
        let lbn = ends[0] / block_bytes;
        Placed {
            lbn,
            blocks: (ends[1].div_ceil(block_bytes) - lbn) as u32,
            wanted_sectors: NonZeroU32::new(sectors).filter(|_| first || last),
            partial: Partial { first, last },
        }
    }
}

impl Volume for Single {
    fn sectors(&self) -> u64 {
        self.sectors
    }

    fn submit(&mut self, _now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        io.submit(Part { member: 0, sector, sectors, op, metadata, job, at: 0, tag: 0 });
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        io.complete(part.job, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_block_sizes_cover_the_sectors() {
        let request = HostRequest { traced_device: 0, sector: 7, sectors: 2 };
        let whole = |lbn, blocks| Placed { lbn, blocks, wanted_sectors: None, partial: Partial::default() };
        assert_eq!(Single::place(&request, 512), whole(7, 2));
        assert_eq!(Single::place(&request, 256), whole(14, 4));
        assert_eq!(
            Single::place(&request, 4096),
            Placed {
                wanted_sectors: NonZeroU32::new(2),
                partial: Partial { first: true, last: true },
                ..whole(0, 2)
            }
        );
    }
}
