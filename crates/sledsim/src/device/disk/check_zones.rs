//! Whether zones hold the blocks that they are said to.

use super::zones::Zone;
use crate::error::{ensure, fault, Result};
use crate::params::{DiskParams, Sparing};

/// Most sectors on a track, so that angles are exact.
const MOST_SECTORS: u64 = 1_000_000;

/// Zones in order, each with room for blocks, and all of them for as many as are promised.
pub(super) fn check_zones(p: &DiskParams, zones: &[Zone]) -> Result<()> {
    let (mut next, mut blocks) = (0, 0);
    for (number, zone) in zones.iter().enumerate() {
        if zone.first_cylinder < next || zone.last_cylinder < zone.first_cylinder {
            return fault(format!(
                "zones: zone {number}: cylinders {} to {} must ascend and lie behind those before, from {next} on",
                zone.first_cylinder, zone.last_cylinder
            ));
        }
        next = zone.last_cylinder + 1;
        let room = zone.blocks(p);
        ensure!(
            zone.sectors_per_track <= MOST_SECTORS,
            "zones: zone {number}: {} sectors per track, expected at most {MOST_SECTORS}",
            zone.sectors_per_track
        );
        ensure!(
            zone.sectors_per_track > 0 && room > 0,
            "zones: zone {number}: {} sectors leave none for blocks",
            zone.sectors(p.surfaces)
        );
        inside(p, number, zone)?;
        blocks += room as u64;
    }
    ensure!(blocks >= p.block_count, "block_count = {}: the zones hold {blocks}", p.block_count);
    Ok(())
}

/// Slips and defects lie in their zone.
fn inside(p: &DiskParams, number: usize, zone: &Zone) -> Result<()> {
    let sectors = zone.sectors(p.surfaces);
    let tracks = p.sparing == Sparing::Tracks;
    let limit = if tracks { sectors / zone.sectors_per_track } else { sectors };
    if let Some(slip) = zone.slips.iter().find(|slip| **slip >= limit) {
        return fault(format!("slips: zone {number} goes from 0 to {}, found {slip}", limit - 1));
    }
    if let Some(twice) = zone.slips.windows(2).find(|pair| pair[0] == pair[1]) {
        return fault(format!("slips: zone {number} has {} twice", twice[0]));
    }
    if tracks && zone.slips.len() as u64 > zone.spares {
        return fault(format!("slips: zone {number} has {}, but {} spares", zone.slips.len(), zone.spares));
    }
    if let Some((bad, good)) = zone.remaps.iter().find(|(bad, good)| *bad.max(good) >= sectors) {
        return fault(format!("defects: zone {number} has {sectors} sectors, found {bad} and {good}"));
    }
    Ok(())
}
