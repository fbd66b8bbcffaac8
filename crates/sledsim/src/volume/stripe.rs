//! RAID-0: striping without redundancy.

use super::array::{alike, stripe_unit, MOST_DEVICES, STRIPE_UNIT_KIB};
use super::per_job::PerJob;
use super::shared_bus::SHARED_BUS;
use super::{
    Io, Job, Kept, Members, Part, Promises, RoleRow, Start, Volume, VolumeKind, VolumeRequest, VolumeRow,
};
use crate::error::{ensure, Error, Result};
use crate::options::{OptionRow, Options};
use crate::request::Op;
use crate::time::Time;

/// Entry of RAID-0 in the table of volumes.
pub(super) const ROW: VolumeRow = VolumeRow::new(
    "stripe",
    "RAID-0: stripe units on each device in turn, without redundancy",
    VolumeKind {
        roles: &[RoleRow { alike: true, ..RoleRow::devices("the striped devices") }],
        counters: &[],
        promises: Promises {
            options: "devices=4,stripe_unit_kib=4",
            members: &[&[84, 84, 84, 84]],
            start: Start::Zeros,
            // The largest request covers more than two stripe units on each device.
            largest: 80,
            metadata: 0.1,
            after_power: |_| Kept::All,
            after_failure: |_, _| Kept::Refused,
            failures: false,
        },
        build: |options, members| Ok(Box::new(Stripe::new(options, members)?)),
    },
)
.aliases(&["raid0"])
.source("001-F27")
.options(&[
    &[
        OptionRow::whole("devices", "4", [1, MOST_DEVICES], "number of devices, all of one size"),
        STRIPE_UNIT_KIB,
    ],
    SHARED_BUS,
]);

/// Tag of a part whose data lie together in the data of its request.
const WHOLE: u64 = 0;
/// Tag of a part whose data are several pieces of the data of its request. During the part, a copy of these pieces lies
/// together in the buffer, behind the data of the request.
const GATHERED: u64 = 1;

#[derive(Clone, Copy, Default)]
struct Asked {
    sector: u64,
    left: u32,
}

/// A volume whose stripe units lie on each device in turn.
#[derive(Clone)]
struct Stripe {
    devices: u64,
    unit: u64,
    sectors: u64,
    asked: PerJob<Asked>,
}

impl Stripe {
    fn new(options: &Options, members: &Members) -> Result<Self> {
        let (devices, unit) = (members[0].len() as u64, stripe_unit(options)?);
        let size = alike(&members[0])?;
        ensure!(size >= unit, too_large("stripe", options, size));
        Ok(Self { devices, unit, sectors: size / unit * unit * devices, asked: PerJob::default() })
    }

    /// The place of the sector `sector` of the volume: its member, and its sector there.
    #[cfg(test)]
    fn place(&self, sector: u64) -> (u64, u64) {
        let unit = sector / self.unit;
        (unit % self.devices, unit / self.devices * self.unit + sector % self.unit)
    }

    /// Divides the sectors from `from` up to but excluding `end` of a member at the borders of stripe units, and calls
    /// `piece` for each. Arguments: offset from `from`, first sector of the volume, and number of sectors.
    fn pieces(&self, member: u64, from: u64, end: u64, mut piece: impl FnMut(u64, u64, u64)) {
        let mut at = from;
        while at < end {
            let sectors = (self.unit - at % self.unit).min(end - at);
            let unit = at / self.unit * self.devices + member;
            piece(at - from, unit * self.unit + at % self.unit, sectors);
            at += sectors;
        }
    }
}

/// The error for a stripe unit that is too large: devices have only `size` sectors.
pub(super) fn too_large(volume: &str, options: &Options, size: u64) -> Error {
    let unit = options.text("stripe_unit_kib");
    let expected = format!("expected at most {}, because a device has {size} sectors of 512 bytes", size / 2);
    Error::Parameter(expected).marked("stripe_unit_kib", format!(" = {unit}")).at(volume)
}

impl Volume for Stripe {
    fn sectors(&self) -> u64 {
        self.sectors
    }

    /// Sends one part to each member that the request touches: the stripe units of the request on a member are
    /// neighbours there.
    fn submit(&mut self, _now: Time, job: Job, request: &VolumeRequest, io: &mut Io) {
        let VolumeRequest { sector, sectors, op, metadata } = *request;
        let (unit, devices) = (self.unit, self.devices);
        let end = sector + u64::from(sectors);
        let (first, last) = (sector / unit, (end - 1) / unit);
        let touched = (last - first + 1).min(devices);
        *self.asked.of(job) = Asked { sector, left: touched as u32 };
        let mut behind = u64::from(sectors);
        for unit_there in first..first + touched {
            let member = unit_there % devices;
            let last_there = unit_there + (last - unit_there) / devices * devices;
            let from = unit_there / devices * unit + if unit_there == first { sector % unit } else { 0 };
            let to =
                last_there / devices * unit + if last_there == last { (end - 1) % unit + 1 } else { unit };
            let (mut at, mut tag) = ((unit_there * unit).max(sector) - sector, WHOLE);
            if last_there > unit_there {
                (at, tag) = (behind, GATHERED);
                behind += to - from;
                if op == Op::Write {
                    self.pieces(member, from, to, |offset, piece, sectors| {
                        io.copy((job, piece - sector), (job, at + offset), sectors);
                    });
                }
            }
            let (member, sectors) = (member as u32, (to - from) as u32);
            io.submit(Part { member, sector: from, sectors, op, metadata, job, at, tag });
        }
    }

    fn done(&mut self, now: Time, part: &Part, io: &mut Io) {
        let asked = self.asked.of(part.job);
        asked.left -= 1;
        let Asked { sector, left } = *asked;
        if part.tag == GATHERED && part.op == Op::Read {
            let end = part.sector + u64::from(part.sectors);
            self.pieces(u64::from(part.member), part.sector, end, |offset, piece, sectors| {
                io.copy((part.job, part.at + offset), (part.job, piece - sector), sectors);
            });
        }
        if left == 0 {
            io.complete(part.job, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_sector_has_a_place_of_its_own(
            devices in 1_u64..9, unit_kib in 1_u64..9, size in 16_u64..100,
        ) {
            let text = format!("devices={devices},stripe_unit_kib={unit_kib}");
            let options = ROW.parse(&text).unwrap();
            let stripe = Stripe::new(&options, &vec![vec![size; devices as usize]]).unwrap();
            let mut free = vec![vec![true; size as usize]; devices as usize];
            for sector in 0..stripe.sectors() {
                let (member, there) = stripe.place(sector);
                prop_assert!(std::mem::take(&mut free[member as usize][there as usize]), "sector {}", sector);
                stripe.pieces(member, there, there + 1, |_, back, _| assert_eq!(back, sector));
            }
            // The remaining sectors of each device are less than a stripe unit.
            prop_assert!(free.iter().all(|free| free.iter().filter(|free| **free).count() < 2 * unit_kib as usize));
        }
    }

    #[test]
    fn unlike_devices_are_refused() {
        let options = ROW.parse("devices=2").unwrap();
        let error = Stripe::new(&options, &vec![vec![1000, 2000]]).err().unwrap().to_string();
        assert!(error.contains("1000 sectors in device 0 and 2000 in device 1: use one device"), "{error}");
        let error = Stripe::new(&options, &vec![vec![100, 100]]).err().unwrap().to_string();
        assert!(error.contains("stripe_unit_kib = 64: expected at most 50"), "{error}");
    }
}
