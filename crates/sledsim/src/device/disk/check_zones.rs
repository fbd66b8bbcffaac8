//! Checks that the zones of a drive are valid and have room for its blocks.

use super::zones::Zone;
use crate::error::{ensure, fault_of, Error, Result};
use crate::params::{DiskParams, Sparing};

/// Maximum number of sectors on a track. Up to this number, angles are computed without rounding.
const MOST_SECTORS: u64 = 1_000_000;

/// Checks that the zones are in ascending order, that each zone has room for blocks, and that all zones
/// together have room for `block_count` blocks.
pub(super) fn check_zones(p: &DiskParams, zones: &[Zone]) -> Result<()> {
    let (mut next, mut blocks) = (0, 0);
    for (number, zone) in zones.iter().enumerate() {
        let wrong = |found: String| fault_of("zones", format!("zone {number}: {found}"));
        let (first, last) = (zone.first_cylinder, zone.last_cylinder);
        if first < next || last < first {
            return wrong(format!(
                "cylinders {first} to {last}: expected ascending cylinders from {next} on, after the previous zone"
            ));
        }
        next = last + 1;
        let (sectors, room) = (zone.sectors_per_track, zone.blocks(p));
        if sectors > MOST_SECTORS {
            return wrong(format!("{sectors} sectors per track, expected at most {MOST_SECTORS}"));
        }
        if sectors == 0 || room <= 0 {
            return wrong(format!(
                "all {} sectors are unused or spare: expected at least one sector for blocks",
                zone.sectors(p.surfaces)
            ));
        }
        inside(p, number, zone)?;
        blocks += room as u64;
    }
    ensure!(
        blocks >= p.block_count,
        Error::Parameter(format!("the zones hold {blocks} blocks, fewer than the drive has"))
            .marked("block_count", format!(" = {}", p.block_count))
    );
    Ok(())
}

/// Checks that all slipped and replaced sectors (or tracks) of zone `number` exist in the zone.
fn inside(p: &DiskParams, number: usize, zone: &Zone) -> Result<()> {
    let sectors = zone.sectors(p.surfaces);
    let tracks = p.sparing == Sparing::Tracks;
    let limit = if tracks { sectors / zone.sectors_per_track } else { sectors };
    if let Some(slip) = zone.slips.iter().find(|slip| **slip >= limit) {
        return fault_of(
            "slips",
            format!(
                "zone {number}: expected a {} from 0 to {}, found {slip}",
                if tracks { "track" } else { "sector" },
                limit - 1
            ),
        );
    }
    if let Some(twice) = zone.slips.windows(2).find(|pair| pair[0] == pair[1]) {
        return fault_of("slips", format!("zone {number} lists {} twice, expected it once", twice[0]));
    }
    if tracks && zone.slips.len() as u64 > zone.spares {
        return fault_of(
            "slips",
            format!(
                "zone {number} has {} slipped tracks, but only {} spare tracks",
                zone.slips.len(),
                zone.spares
            ),
        );
    }
    if let Some((bad, good)) = zone.remaps.iter().find(|(bad, good)| *bad.max(good) >= sectors) {
        return fault_of(
            "defects",
            format!(
                "zone {number}: expected sectors from 0 to {}, found {bad} remapped to {good}",
                sectors - 1
            ),
        );
    }
    Ok(())
}
