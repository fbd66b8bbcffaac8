//! The place of a block on a disk, in integers: zone, cylinder, head and angle.

use std::ops::Range;

use super::band::Band;
use super::track::{BlockPlace, Track};
use super::zones::zones;
use crate::error::{fault_of, Result};
use crate::params::DiskParams;

/// The zones of a disk.
#[derive(Clone, Debug)]
pub struct ZonedLayout {
    bands: Vec<Band>,
    /// First block of each zone.
    starts: Vec<u64>,
    /// Number of blocks that fit, which read-ahead may reach.
    pub mapped: u64,
    /// Number of blocks that hosts may use.
    pub blocks: u64,
    /// Number of cylinders, including unused cylinders.
    pub cylinders: u32,
}

impl ZonedLayout {
    /// The layout of a drive.
    ///
    /// # Errors
    /// Invalid zones, or more slips in a place than spares.
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

    /// Sectors on a track of a cylinder that zones use.
    pub(super) fn sectors_per_track(&self, cylinder: u32) -> u32 {
        self.bands[self.bands.partition_point(|band| band.end_cylinder <= cylinder)].sectors_per_track()
            as u32
    }

    /// The place of a block.
    #[must_use]
    pub fn place(&self, lbn: u64) -> BlockPlace {
        self.band(lbn).place(lbn)
    }

    /// The block at an angle of a track, if any.
    #[must_use]
    pub fn block(&self, track: Track, slot: u32) -> Option<u64> {
        let last = self.bands.partition_point(|band| band.first_cylinder <= track.cylinder);
        self.bands[..last].last()?.block(track, slot)
    }

    /// The blocks on the track of a block.
    #[must_use]
    pub fn track(&self, lbn: u64) -> Range<u64> {
        let band = self.band(lbn);
        band.around(lbn, band.sectors_per_track())
    }

    /// The block behind the last block on the track of a block.
    #[must_use]
    pub fn track_end(&self, lbn: u64) -> u64 {
        let band = self.band(lbn);
        band.end_around(lbn, band.sectors_per_track())
    }

    /// The blocks in the cylinder of a block.
    #[must_use]
    pub fn cylinder(&self, lbn: u64) -> Range<u64> {
        let band = self.band(lbn);
        band.around(lbn, band.sectors_per_cylinder())
    }

    /// The number of the track of a block, counted over the whole disk in the order of blocks.
    #[must_use]
    pub fn track_number(&self, lbn: u64) -> u64 {
        self.band(lbn).track_number(lbn)
    }

    fn band(&self, lbn: u64) -> &Band {
        &self.bands[self.starts.partition_point(|start| *start <= lbn) - 1]
    }
}
