//! Slipping: bad sectors are left out, and later (or earlier) sectors hold the blocks instead. Unused,
//! spare and slipped sectors hold no blocks.

use strength_reduce::StrengthReducedU64 as Divisor;

use super::zones::Zone;
use crate::params::{DiskParams, Sparing};

/// A number of sectors that no zone reaches. A group of this size has the whole zone in it.
const ENDLESS: u64 = 1 << 60;

/// The sectors to which blocks move when a bad sector is slipped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Push {
    /// Blocks move by whole tracks, from the bad track to the end of the zone.
    Tracks,
    /// Blocks move by one sector, from the bad sector to the end of the zone.
    Zone,
    /// Blocks after the bad sector move by one sector, up to the spare sectors at the end of the group. A
    /// group is a track, a cylinder or several cylinders.
    Group,
    /// Blocks before the bad sector move back by one sector, down to the spare sectors at the front of the
    /// group. A group is a cylinder.
    Front,
}

/// The mapping from the blocks of a zone to sectors, which leaves out slipped and spare sectors.
#[derive(Clone, Debug)]
pub struct Slips {
    push: Push,
    sectors_per_track: Divisor,
    /// Number of sectors in a group. The sectors of a group share their spare sectors.
    group: Divisor,
    /// Number of sectors of a group that are not spare.
    used: Divisor,
    /// Number of spare sectors at the front of a group.
    front: u64,
    /// Slipped sectors (or slipped tracks), in ascending order.
    slips: Vec<u64>,
    /// Number of sectors (or tracks) with blocks before each slipped sector (or track); empty if slips move
    /// blocks only within a group.
    before: Vec<u64>,
}

impl Slips {
    /// Computes the mapping for a zone with its slipped sectors.
    pub fn new(p: &DiskParams, zone: &Zone) -> Self {
        let cylinder = p.surfaces * zone.sectors_per_track;
        let (push, group, spares) = match p.sparing {
            Sparing::Tracks => (Push::Tracks, ENDLESS, 0),
            Sparing::Cylinder => (Push::Group, cylinder, zone.spares),
            Sparing::Track => (Push::Group, zone.sectors_per_track, zone.spares),
            Sparing::Range => (Push::Group, p.spare_range_cylinders.unwrap_or(1) * cylinder, zone.spares),
            Sparing::CylinderFront => (Push::Front, cylinder, zone.spares),
            Sparing::CylinderSlipZone | Sparing::CylinderFrontSlipZone => (Push::Zone, cylinder, zone.spares),
            Sparing::None | Sparing::Disk | Sparing::Zone | Sparing::ZoneAndSlips => (Push::Zone, ENDLESS, 0),
        };
        let at_front = matches!(p.sparing, Sparing::CylinderFront | Sparing::CylinderFrontSlipZone);
        let mut slips = Self {
            push,
            sectors_per_track: Divisor::new(zone.sectors_per_track),
            group: Divisor::new(group),
            used: Divisor::new(group.saturating_sub(spares).max(1)),
            front: if at_front { spares } else { 0 },
            slips: zone.slips.clone(),
            before: Vec::new(),
        };
        let counted = zone.slips.iter().enumerate();
        slips.before = match push {
            Push::Tracks => counted.map(|(index, track)| track - index as u64).collect(),
            Push::Zone => counted.map(|(index, slip)| slips.usable_before(*slip) - index as u64).collect(),
            Push::Group | Push::Front => Vec::new(),
        };
        slips
    }

    /// The sector of a block, and the number of blocks from it on, including it, on consecutive sectors of
    /// the track. `number` counts the blocks of the zone and the unused sectors at its front.
    pub fn sector(&self, number: u64) -> (u64, u64) {
        match self.push {
            Push::Tracks => {
                let (track, within) = Divisor::div_rem(number, self.sectors_per_track);
                let slipped = self.before.partition_point(|before| *before <= track) as u64;
                let per_track = self.sectors_per_track.get();
                ((track + slipped) * per_track + within, per_track - within)
            }
            Push::Zone => {
                let slipped = self.before.partition_point(|before| *before <= number);
                let (group, within) = Divisor::div_rem(number + slipped as u64, self.used);
                let sector = group * self.group.get() + self.front + within;
                (sector, self.run(sector, self.used.get() - within, slipped))
            }
            Push::Group | Push::Front => self.sector_in_group(number),
        }
    }

    /// The reason why the zone cannot have these slipped sectors; None if it can.
    pub fn fault(&self) -> Option<String> {
        let spares = self.group.get() - self.used.get();
        for slip in &self.slips {
            let (group, within) = Divisor::div_rem(*slip, self.group);
            let data = self.front..self.front + self.used.get();
            match self.push {
                Push::Front | Push::Zone if !data.contains(&within) => {
                    return Some(format!("sector {slip} is a spare sector and cannot be slipped"));
                }
                Push::Front | Push::Group => {
                    let end = (group + 1) * self.group.get();
                    let count = self.slips.partition_point(|other| *other < end) - self.start(group).0;
                    if count as u64 > spares {
                        return Some(format!(
                            "{count} sectors are slipped in the group of sector {slip}, which has only {spares} spare sectors"
                        ));
                    }
                }
                Push::Zone | Push::Tracks => {}
            }
        }
        None
    }

    fn sector_in_group(&self, number: u64) -> (u64, u64) {
        let (group, within) = Divisor::div_rem(number, self.used);
        let (first, start) = self.start(group);
        let mut sector = start + within;
        let mut next = first;
        while self.slips.get(next).is_some_and(|slip| *slip <= sector) {
            sector += 1;
            next += 1;
        }
        (sector, self.run(sector, self.used.get() - within, next))
    }

    /// Number of blocks that lie before sector `sector`. Unused sectors at the front of the zone count as blocks.
    pub fn before(&self, sector: u64) -> u64 {
        let slipped = |sector| self.slips.partition_point(|slip| *slip < sector) as u64;
        match self.push {
            Push::Tracks => {
                let (track, within) = Divisor::div_rem(sector, self.sectors_per_track);
                let before = slipped(track);
                let is_slipped = self.slips.get(before as usize) == Some(&track);
                (track - before) * self.sectors_per_track.get() + if is_slipped { 0 } else { within }
            }
            Push::Zone => self.usable_before(sector) - slipped(sector),
            Push::Group | Push::Front => {
                let group = sector / self.group;
                let (first, start) = self.start(group);
                let holding = sector.saturating_sub(start + slipped(sector).saturating_sub(first as u64));
                group * self.used.get() + holding.min(self.used.get())
            }
        }
    }

    /// Index (in `slips`) of the first slipped sector of a group, and the first sector of the group that
    /// may hold a block.
    fn start(&self, group: u64) -> (usize, u64) {
        let base = group * self.group.get();
        let first = self.slips.partition_point(|slip| *slip < base);
        if self.push == Push::Group {
            return (first, base);
        }
        let behind = self.slips.partition_point(|slip| *slip < base + self.group.get());
        (first, base + self.front.saturating_sub((behind - first) as u64))
    }

    /// Number of sectors before `sector` that are not spare; slipped sectors count.
    fn usable_before(&self, sector: u64) -> u64 {
        let (group, within) = Divisor::div_rem(sector, self.group);
        group * self.used.get() + within.saturating_sub(self.front).min(self.used.get())
    }

    /// Number of sectors from `sector` to the nearest of three ends: the end of the track, the spare
    /// sectors, and the next slipped sector.
    fn run(&self, sector: u64, to_spares: u64, next_slip: usize) -> u64 {
        let to_end = self.sectors_per_track.get() - sector % self.sectors_per_track;
        let to_slip = self.slips.get(next_slip).map_or(u64::MAX, |slip| slip - sector);
        to_spares.min(to_end).min(to_slip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_disk;

    /// Computes the mapping for a zone of 4 cylinders with 2 tracks of 10 sectors each, in which sector
    /// `slip` is slipped.
    fn slips(params: &DiskParams, slip: u64) -> Slips {
        let zone = Zone {
            first_cylinder: 0,
            last_cylinder: 3,
            sectors_per_track: 10,
            first_slot: 0,
            unused: 0,
            track_skew: 0,
            cylinder_skew: 0,
            spares: 2,
            slips: vec![slip],
            remaps: Vec::new(),
        };
        Slips::new(params, &zone)
    }

    /// No block lies on a slipped sector, even if the first sector of a group is slipped.
    #[test]
    fn no_block_lies_on_a_slipped_sector() {
        for sparing in [
            Sparing::Cylinder,
            Sparing::CylinderFront,
            Sparing::CylinderSlipZone,
            Sparing::CylinderFrontSlipZone,
            Sparing::Track,
            Sparing::Range,
            Sparing::Disk,
            Sparing::Zone,
            Sparing::ZoneAndSlips,
        ] {
            let spare_range_cylinders = (sparing == Sparing::Range).then_some(2);
            let params = DiskParams { surfaces: 2, sparing, spare_range_cylinders, ..load_disk("st41601n") };
            for slip in 0..80 {
                let slips = slips(&params, slip);
                if slips.fault().is_none() {
                    let sectors: Vec<u64> = (0..64).map(|number| slips.sector(number).0).collect();
                    assert!(!sectors.contains(&slip), "{sparing:?}: {slip} is slipped");
                    assert!(sectors.is_sorted_by(|one, next| one < next), "{sparing:?}: {slip} is slipped");
                }
            }
        }
    }
}
