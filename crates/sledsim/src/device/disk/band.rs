//! A zone of a disk: the mapping between its blocks, sectors and angles.
//!
//! Sectors have consecutive numbers along a track, track after track and cylinder after cylinder, including
//! unused and spare sectors.

use std::ops::Range;

use strength_reduce::StrengthReducedU64 as Divisor;

use super::slips::Slips;
use super::track::{BlockPlace, Track};
use super::zones::Zone;
use crate::params::{DiskParams, HeadOrder, Sparing};

/// A zone of a disk, prepared for the mapping of blocks to sectors and back.
#[derive(Clone, Debug)]
pub struct Band {
    /// Number of blocks in the zone.
    pub blocks: u64,
    /// The outermost cylinder of the zone.
    pub first_cylinder: u32,
    /// The cylinder after the innermost cylinder of the zone.
    pub end_cylinder: u32,
    first_block: u64,
    first_track: u64,
    zone: Zone,
    sectors_per_track: Divisor,
    surfaces: Divisor,
    slips: Slips,
    /// True if each slipped (skipped) sector also moves the starts of all later cylinders by the angle of
    /// one sector.
    turns: bool,
    head_order: HeadOrder,
}

impl Band {
    /// Prepares a zone for the mapping of blocks; the number of its first block is `first_block`.
    pub fn new(p: &DiskParams, zone: Zone, first_block: u64) -> Self {
        let turns = matches!(
            p.sparing,
            Sparing::Cylinder
                | Sparing::Track
                | Sparing::CylinderSlipZone
                | Sparing::CylinderFront
                | Sparing::CylinderFrontSlipZone
        );
        Self {
            blocks: zone.blocks(p).max(0) as u64,
            first_cylinder: zone.first_cylinder as u32,
            end_cylinder: zone.last_cylinder as u32 + 1,
            first_block,
            first_track: zone.first_cylinder * p.surfaces,
            sectors_per_track: Divisor::new(zone.sectors_per_track),
            surfaces: Divisor::new(p.surfaces),
            slips: Slips::new(p, &zone),
            turns,
            head_order: p.head_order,
            zone,
        }
    }

    /// The reason why the blocks of the zone need more than its `sectors` sectors; None if the blocks fit.
    pub fn fault(&self, sectors: u64) -> Option<String> {
        let last = self.slips.sector(self.zone.unused + self.blocks - 1).0;
        if last >= sectors {
            return Some(format!(
                "its last block would lie on sector {last}, beyond the last sector {} of the zone: the zone needs more spare sectors",
                sectors - 1
            ));
        }
        self.slips.fault()
    }

    /// Number of sectors on a track.
    pub fn sectors_per_track(&self) -> u64 {
        self.sectors_per_track.get()
    }

    /// Number of sectors in a cylinder.
    pub fn sectors_per_cylinder(&self) -> u64 {
        self.sectors_per_track.get() * self.surfaces.get()
    }

    /// The place of block `lbn`.
    pub fn place(&self, lbn: u64) -> BlockPlace {
        let (sector, run) = self.sector(lbn);
        let (track, within) = Divisor::div_rem(sector, self.sectors_per_track);
        let (cylinder, order) = Divisor::div_rem(track, self.surfaces);
        BlockPlace {
            track: Track {
                cylinder: self.first_cylinder + cylinder as u32,
                head: self.head(cylinder, order) as u32,
            },
            slot: ((self.turned(cylinder, order) + within) % self.sectors_per_track) as u32,
            sectors_per_track: self.sectors_per_track() as u32,
            run: run.min(self.first_block + self.blocks - lbn) as u32,
        }
    }

    /// Index of the track of block `lbn` on the whole disk.
    pub fn track_number(&self, lbn: u64) -> u64 {
        self.first_track + self.sector(lbn).0 / self.sectors_per_track
    }

    /// The block on sector position `slot` (counted from angle 0) of a track; None if no block lies there.
    pub fn block(&self, track: Track, slot: u32) -> Option<u64> {
        let cylinder = u64::from(track.cylinder.checked_sub(self.first_cylinder)?);
        let per_track = self.sectors_per_track();
        if track.cylinder >= self.end_cylinder || u64::from(slot) >= per_track {
            return None;
        }
        // Reversing the order twice gives the original order.
        let order = self.head(cylinder, u64::from(track.head));
        let within = (u64::from(slot) + per_track - self.turned(cylinder, order) % per_track) % per_track;
        let mut sector = (cylinder * self.surfaces.get() + order) * per_track + within;
        if self.zone.remaps.iter().any(|(bad, _)| *bad == sector) {
            return None;
        }
        if let Some((bad, _)) = self.zone.remaps.iter().find(|(_, good)| *good == sector) {
            sector = *bad;
        }
        let offset = self.slips.before(sector);
        let lbn = (self.first_block + offset).checked_sub(self.zone.unused)?;
        let is_its = lbn >= self.first_block && offset < self.zone.unused + self.blocks;
        (is_its && self.slips.sector(offset).0 == sector).then_some(lbn)
    }

    /// The blocks that lie in the same part of the zone as block `lbn`, if the zone is divided into parts
    /// of `sectors` sectors, such as tracks or cylinders. A block on a replacement sector counts at its
    /// original sector.
    pub fn around(&self, lbn: u64, sectors: u64) -> Range<u64> {
        let start = self.start_around(lbn, sectors);
        self.first_from(start)..self.first_from(start + sectors)
    }

    /// The first block after the part of the zone with block `lbn`, if the zone is divided into parts of
    /// `sectors` sectors, such as tracks.
    pub fn end_around(&self, lbn: u64, sectors: u64) -> u64 {
        self.first_from(self.start_around(lbn, sectors) + sectors)
    }

    /// The first sector of the part of the zone with block `lbn`, if the zone is divided into parts of
    /// `sectors` sectors, such as tracks.
    fn start_around(&self, lbn: u64, sectors: u64) -> u64 {
        let sector = self.slips.sector(lbn - self.first_block + self.zone.unused).0;
        sector - sector % sectors
    }

    /// The first block that lies on sector `sector` or on a later sector.
    fn first_from(&self, sector: u64) -> u64 {
        let offset = self.slips.before(sector).clamp(self.zone.unused, self.zone.unused + self.blocks);
        self.first_block + offset - self.zone.unused
    }

    /// The sector of block `lbn`, and the number of blocks from `lbn` on, including it, that lie on
    /// consecutive sectors.
    fn sector(&self, lbn: u64) -> (u64, u64) {
        let (sector, mut run) = self.slips.sector(lbn - self.first_block + self.zone.unused);
        for (bad, replacement) in &self.zone.remaps {
            if *bad == sector {
                return (*replacement, 1);
            }
            if (sector..sector + run).contains(bad) {
                run = bad - sector;
            }
        }
        (sector, run)
    }

    /// The head of the track that is used as number `order` (from 0) in a cylinder of the zone. Applied to
    /// a head, the same function gives the number of its track.
    fn head(&self, cylinder: u64, order: u64) -> u64 {
        let is_backwards = match self.head_order {
            HeadOrder::Same => false,
            HeadOrder::SerpentineByZone => cylinder % 2 == 1,
            HeadOrder::Serpentine => (u64::from(self.first_cylinder) + cylinder) % 2 == 1,
        };
        if is_backwards {
            self.surfaces.get() - 1 - order
        } else {
            order
        }
    }

    /// The angle, in sectors, at which the track used as number `order` (from 0) in a cylinder of the zone begins.
    fn turned(&self, cylinder: u64, order: u64) -> u64 {
        let tracks = cylinder * (self.surfaces.get() - 1) + order;
        let mut turned =
            self.zone.first_slot + cylinder * self.zone.cylinder_skew + tracks * self.zone.track_skew;
        if self.turns {
            let start = cylinder * self.sectors_per_cylinder();
            turned += self.zone.slips.partition_point(|slip| *slip < start) as u64;
        }
        turned
    }
}
