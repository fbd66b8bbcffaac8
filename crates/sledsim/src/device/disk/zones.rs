//! Zones of a disk, read from the rows of the table `zones` in a device file.

use crate::error::{Error, Result};
use crate::params::{DiskParams, Rows, Sparing};

/// Maximum number of sectors, tracks or cylinders in a table. No real drive reaches it, and the product of
/// three such numbers does not overflow.
const LARGEST: f64 = 1e9;

/// A band of cylinders with the same number of sectors on each track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Outermost cylinder of the zone.
    pub first_cylinder: u64,
    /// Innermost cylinder of the zone.
    pub last_cylinder: u64,
    /// Number of sectors on a track.
    pub sectors_per_track: u64,
    /// Angle at which the first sector of the zone begins, in sectors from angle 0.
    pub first_slot: u64,
    /// Number of sectors at the beginning of the zone that hold no blocks.
    pub unused: u64,
    /// Track skew: the angle, in sectors, between the starts of two successive tracks of a cylinder.
    pub track_skew: u64,
    /// Cylinder skew: the angle, in sectors, between the starts of the last track of a cylinder and the
    /// first track of the next cylinder.
    pub cylinder_skew: u64,
    /// Number of spare sectors or tracks. The parameter `sparing` determines what is counted, for example
    /// sectors per cylinder or per zone.
    pub spares: u64,
    /// Slipped sectors (or tracks), in ascending order.
    pub slips: Vec<u64>,
    /// Pairs of a bad sector and the sector that replaces it, in ascending order.
    pub remaps: Vec<(u64, u64)>,
}

impl Zone {
    fn new(row: &[f64]) -> Result<Self> {
        let [first_cylinder, last_cylinder, sectors_per_track, first_slot, unused, track_skew, cylinder_skew, spares] =
            whole("zones", row)?;
        let (slips, remaps) = (Vec::new(), Vec::new());
        Ok(Self {
            first_cylinder,
            last_cylinder,
            sectors_per_track,
            first_slot,
            unused,
            track_skew,
            cylinder_skew,
            spares,
            slips,
            remaps,
        })
    }

    /// Number of cylinders in the zone.
    #[must_use]
    pub fn cylinders(&self) -> u64 {
        self.last_cylinder - self.first_cylinder + 1
    }

    /// Number of sectors in the zone, including unused and spare sectors.
    #[must_use]
    pub fn sectors(&self, surfaces: u64) -> u64 {
        self.cylinders() * surfaces * self.sectors_per_track
    }

    /// Number of logical blocks that fit into the zone; negative if more sectors would be unused or spare
    /// than the zone has.
    #[must_use]
    pub fn blocks(&self, p: &DiskParams) -> i64 {
        let slipped = self.slips.len() as u64;
        let lost = match p.sparing {
            Sparing::None => 0,
            Sparing::Tracks => self.spares * self.sectors_per_track,
            Sparing::Cylinder | Sparing::CylinderFront => self.spares * self.cylinders(),
            Sparing::CylinderSlipZone | Sparing::CylinderFrontSlipZone => {
                self.spares * self.cylinders() + slipped
            }
            Sparing::Track => self.spares * self.cylinders() * p.surfaces,
            Sparing::Disk => slipped,
            Sparing::Range => self.spares * (self.cylinders() / p.spare_range_cylinders.unwrap_or(1)),
            Sparing::Zone => self.spares,
            Sparing::ZoneAndSlips => self.spares + slipped,
        };
        self.sectors(p.surfaces) as i64 - (self.unused + lost) as i64
    }
}

/// The zones of a drive, each with its slipped and its replaced sectors.
pub(super) fn zones(p: &DiskParams) -> Result<Vec<Zone>> {
    let mut zones = p.zones.rows().iter().map(|row| Zone::new(row)).collect::<Result<Vec<_>>>()?;
    for row in rows(p.slips.as_ref()) {
        let [zone, slip] = whole("slips", row)?;
        numbered(&mut zones, "slips", zone)?.slips.push(slip);
    }
    for row in rows(p.defects.as_ref()) {
        let [zone, bad, replacement] = whole("defects", row)?;
        numbered(&mut zones, "defects", zone)?.remaps.push((bad, replacement));
    }
    for zone in &mut zones {
        zone.slips.sort_unstable();
        zone.remaps.sort_unstable();
    }
    Ok(zones)
}

/// The rows of an optional table; empty if the device has no such table.
pub(super) fn rows(table: Option<&Rows>) -> &[Vec<f64>] {
    table.map_or(&[], Rows::rows)
}

fn numbered<'a>(zones: &'a mut [Zone], key: &str, number: u64) -> Result<&'a mut Zone> {
    let count = zones.len();
    let fault =
        || Error::Parameter(format!("zone {number}: expected a zone number from 0 to {}", count - 1)).at(key);
    zones.get_mut(number as usize).ok_or_else(fault)
}

/// Converts a row of the table `key` to `COUNT` whole numbers.
fn whole<const COUNT: usize>(key: &str, row: &[f64]) -> Result<[u64; COUNT]> {
    let fault = || {
        Error::Parameter(format!("expected rows of {COUNT} whole numbers from 0 to 10^9, found {row:?}"))
            .at(key)
    };
    let row: &[f64; COUNT] = row.try_into().map_err(|_| fault())?;
    if row.iter().all(|value| value.fract() == 0.0 && (0.0..=LARGEST).contains(value)) {
        return Ok(row.map(|value| value as u64));
    }
    Err(fault())
}
