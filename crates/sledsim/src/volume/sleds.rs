//! The volume that concatenates its devices: the first sectors are on the first device, the next ones on the second,
//! and so on.

use super::array::MOST_DEVICES;
use super::pieces::{PendingJobs, RequestPart};
use super::shared_bus::SHARED_BUS;
use super::{Io, Job, Kept, Part, Promises, RoleRow, Start, Volume, VolumeKind, VolumeRequest, VolumeRow};
use crate::options::OptionRow;
use crate::time::Time;

/// Entry of the concatenated devices in the table of volumes.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "sleds",
    "concatenated devices, each with its own queue; for sleds that move together, set the device parameter `sleds`",
    VolumeKind {
        roles: &[RoleRow::devices("the devices in the order of their addresses; devices may differ")],
        counters: &[],
        promises: Promises {
            options: "devices=3",
            members: &[&[100, 3, 140]],
            start: Start::Zeros,
            largest: 30,
            metadata: 0.1,
            after_power: |_| Kept::All,
            after_failure: |_, _| Kept::Refused,
            failures: false,
        },
        build: |_, members| Ok(Box::new(Sleds::new(&members[0]))),
    },
)
.aliases(&["concatenation"])
.options(&[&[OptionRow::whole("devices", "3", [1, MOST_DEVICES], "number of devices")], SHARED_BUS]);

/// Concatenated devices: the first sectors are on the first device, the next ones on the second, and so on.
#[derive(Clone)]
struct Sleds {
    /// First sector of the volume behind the last sector of each device.
    ends: Vec<u64>,
    /// Number of parts in flight of each job.
    pending: PendingJobs,
}

impl Sleds {
    fn new(sizes: &[u64]) -> Self {
        let ends = sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
        Self { ends: ends.collect(), pending: PendingJobs::default() }
    }

    /// The member that holds the sector `sector` of the volume, and the first sector of the volume on this member.
    fn member(&self, sector: u64) -> (usize, u64) {
        let member = self.ends.partition_point(|end| *end <= sector);
        (member, if member == 0 { 0 } else { self.ends[member - 1] })
    }
}

impl Volume for Sleds {
    fn sectors(&self) -> u64 {
        self.ends[self.ends.len() - 1]
    }

    fn submit(&mut self, _now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let whole = RequestPart::whole(job, request);
        let mut from = 0;
        while from < whole.sectors {
            let (member, start) = self.member(whole.sector + from);
            let sectors = (whole.sectors - from).min(self.ends[member] - (whole.sector + from));
            let part = whole.stretch(from, sectors);
            self.pending.wait(job);
            io.submit(part.part(member as u32, part.sector - start, 0));
            from += sectors;
        }
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        self.pending.end(part.job);
        self.pending.complete(now, io);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_sector_has_a_place_of_its_own(sizes in prop::collection::vec(1_u64..40, 1..8)) {
            let sleds = Sleds::new(&sizes);
            let mut free: Vec<Vec<bool>> = sizes.iter().map(|size| vec![true; *size as usize]).collect();
            for sector in 0..sleds.sectors() {
                let (member, start) = sleds.member(sector);
                let place = &mut free[member][(sector - start) as usize];
                prop_assert!(std::mem::take(place), "sector {}", sector);
            }
            prop_assert!(free.into_iter().flatten().all(|free| !free));
        }
    }
}
