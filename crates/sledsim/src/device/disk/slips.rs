//! Sectors of a zone that hold blocks: all except unused, spare and slipped sectors.

use strength_reduce::StrengthReducedU64 as Divisor;

use super::zones::Zone;
use crate::params::{DiskParams, Sparing};

/// A number of sectors greater than that of any zone.
const ENDLESS: u64 = 1 << 60;

/// Sectors that move when a bad sector is slipped, and their direction.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Push {
    /// Slipping of whole tracks, up to the end of the zone.
    Tracks,
    /// Slipping up to the end of the zone.
    Zone,
    /// Slipping within a group of sectors: sectors after the bad sector move towards the spares at
    /// the end.
    Group,
    /// Slipping within a group of sectors: sectors before the bad sector move towards the spares at
    /// the front.
    Front,
}

/// The order in which the sectors of a zone hold blocks.
#[derive(Clone, Debug)]
pub struct Slips {
    push: Push,
    sectors_per_track: Divisor,
    /// Number of sectors in a group that shares spares.
    group: Divisor,
    /// Number of sectors of a group that hold blocks.
    used: Divisor,
    /// Number of spares at the front of a group.
    front: u64,
    /// Bad sectors (or tracks), in ascending order.
    slips: Vec<u64>,
    /// Number of sectors (or tracks) with blocks before each slip, if slips move sectors up to the
    /// end of the zone.
    before: Vec<u64>,
}

impl Slips {
    /// Computes the order of the sectors of a zone from its slips.
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

    /// The sector of the block with this number in the zone (unused sectors at the front of the
    /// zone count), and the number of blocks from there on that lie on consecutive sectors of its
    /// track.
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

    /// The reason why the slips are impossible; None if they are possible.
    pub fn fault(&self) -> Option<String> {
        let spares = self.group.get() - self.used.get();
        for slip in &self.slips {
            let (group, within) = Divisor::div_rem(*slip, self.group);
            let data = self.front..self.front + self.used.get();
            match self.push {
                Push::Front | Push::Zone if !data.contains(&within) => {
                    return Some(format!("sector {slip} is a spare and cannot be slipped"));
                }
                Push::Front | Push::Group => {
                    let end = (group + 1) * self.group.get();
                    let count = self.slips.partition_point(|other| *other < end) - self.start(group).0;
                    if count as u64 > spares {
                        return Some(format!(
                            "{count} slips in the group of sector {slip}, which has only {spares} spare sectors"
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

    /// Number of blocks in the sectors before `sector`; unused sectors at the front of the zone
    /// count as blocks.
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

    /// Index of the first slip of a group, and the first sector of the group that may hold a block.
    fn start(&self, group: u64) -> (usize, u64) {
        let base = group * self.group.get();
        let first = self.slips.partition_point(|slip| *slip < base);
        if self.push == Push::Group {
            return (first, base);
        }
        let behind = self.slips.partition_point(|slip| *slip < base + self.group.get());
        (first, base + self.front.saturating_sub((behind - first) as u64))
    }

    /// Number of sectors before `sector` that would hold blocks if no sector were slipped.
    fn usable_before(&self, sector: u64) -> u64 {
        let (group, within) = Divisor::div_rem(sector, self.group);
        group * self.used.get() + within.saturating_sub(self.front).min(self.used.get())
    }

    /// Number of sectors from `sector` up to the end of the track, the spares or the next slip.
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

    /// Computes the order for one slipped sector in a zone of 4 cylinders with 2 tracks of 10
    /// sectors each.
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

    /// No block lies on a slipped sector, even if that is the first sector of a group.
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
