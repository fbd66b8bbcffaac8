//! The layout of a disk: the zone, cylinder, head and angle of each block.

use std::ops::Range;

use super::band::Band;
use super::track::{BlockPlace, Track};
use super::zones::zones;
use crate::error::{fault_of, Result};
use crate::params::DiskParams;

/// The layout of a disk: its zones, and the blocks in each zone.
#[derive(Clone, Debug)]
pub struct ZonedLayout {
    bands: Vec<Band>,
    /// The first block of each zone.
    starts: Vec<u64>,
    /// Number of blocks that fit into the zones. Read-ahead may read all of them, even blocks that hosts
    /// may not use.
    pub mapped: u64,
    /// Number of blocks that hosts may use.
    pub blocks: u64,
    /// Number of cylinders, including unused cylinders.
    pub cylinders: u32,
}

impl ZonedLayout {
    /// Computes the layout of a drive from its parameters.
    ///
    /// # Errors
    /// The zones are invalid, or more sectors are slipped in a zone or group of sectors than it has spare sectors.
    pub fn new(p: &DiskParams) -> Result<Self> {
        let (mut bands, mut starts, mut next) = (Vec::new(), Vec::new(), 0);
        for zone in zones(p)? {
            let sectors = zone.sectors(p.surfaces);
            let band = Band::new(p, zone, next);
            if let Some(reason) = band.fault(sectors) {
                return fault_of("slips", format!("zone {}: {reason}", starts.len()));
            }
            starts.push(next);
            next += band.blocks;
            bands.push(band);
        }
        let cylinders = bands.last().map_or(0, |band: &Band| band.end_cylinder);
        Ok(Self { bands, starts, mapped: next, blocks: p.block_count, cylinders })
    }

    /// Number of sectors on the longest track.
    #[must_use]
    pub fn sectors_per_track_max(&self) -> u32 {
        self.bands.iter().map(Band::sectors_per_track).max().unwrap_or(0) as u32
    }

    /// Number of sectors on the shortest track.
    #[must_use]
    pub fn sectors_per_track_min(&self) -> u32 {
        self.bands.iter().map(Band::sectors_per_track).min().unwrap_or(0) as u32
    }

    /// Number of sectors on each track of cylinder `cylinder`, which must lie in a zone.
    pub(super) fn sectors_per_track(&self, cylinder: u32) -> u32 {
        self.bands[self.bands.partition_point(|band| band.end_cylinder <= cylinder)].sectors_per_track()
            as u32
    }

    /// The place of block `lbn`.
    #[must_use]
    pub fn place(&self, lbn: u64) -> BlockPlace {
        self.band(lbn).place(lbn)
    }

    /// The block on sector position `slot` (counted from angle 0) of a track; None if no block lies there.
    #[must_use]
    pub fn block(&self, track: Track, slot: u32) -> Option<u64> {
        let last = self.bands.partition_point(|band| band.first_cylinder <= track.cylinder);
        self.bands[..last].last()?.block(track, slot)
    }

    /// The blocks on the track of block `lbn`.
    #[must_use]
    pub fn track(&self, lbn: u64) -> Range<u64> {
        let band = self.band(lbn);
        band.around(lbn, band.sectors_per_track())
    }

    /// The first block after the track of block `lbn`.
    #[must_use]
    pub fn track_end(&self, lbn: u64) -> u64 {
        let band = self.band(lbn);
        band.end_around(lbn, band.sectors_per_track())
    }

    /// The blocks in the cylinder of block `lbn`.
    #[must_use]
    pub fn cylinder(&self, lbn: u64) -> Range<u64> {
        let band = self.band(lbn);
        band.around(lbn, band.sectors_per_cylinder())
    }

    /// Index of the track of block `lbn` on the whole disk; the index ascends with the blocks.
    #[must_use]
    pub fn track_number(&self, lbn: u64) -> u64 {
        self.band(lbn).track_number(lbn)
    }

    fn band(&self, lbn: u64) -> &Band {
        &self.bands[self.starts.partition_point(|start| *start <= lbn) - 1]
    }
}
