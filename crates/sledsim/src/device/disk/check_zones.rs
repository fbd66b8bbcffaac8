//! Whether zones hold the blocks that they are said to.

use super::zones::Zone;
use crate::error::{ensure, fault_of, Error, Result};
use crate::params::{DiskParams, Sparing};

/// Most sectors on a track, so that angles are exact.
const MOST_SECTORS: u64 = 1_000_000;

/// Zones in order, each with room for blocks, and all of them for as many as are promised.
pub(super) fn check_zones(p: &DiskParams, zones: &[Zone]) -> Result<()> {
    let (mut next, mut blocks) = (0, 0);
    for (number, zone) in zones.iter().enumerate() {
        if zone.first_cylinder < next || zone.last_cylinder < zone.first_cylinder {
            return fault_of(
                "zones",
                format!(
                "zone {number}: cylinders {} to {} must ascend and lie behind those before, from {next} on",
                zone.first_cylinder, zone.last_cylinder
            ),
            );
        }
        next = zone.last_cylinder + 1;
        let room = zone.blocks(p);
        ensure!(
            zone.sectors_per_track <= MOST_SECTORS,
            Error::Parameter(format!(
                "zone {number}: {} sectors per track, expected at most {MOST_SECTORS}",
                zone.sectors_per_track
            ))
            .at("zones")
        );
        ensure!(
            zone.sectors_per_track > 0 && room > 0,
            Error::Parameter(format!(
                "zone {number}: {} sectors leave none for blocks",
                zone.sectors(p.surfaces)
            ))
            .at("zones")
        );
        inside(p, number, zone)?;
        blocks += room as u64;
    }
    ensure!(
        blocks >= p.block_count,
        Error::Parameter(format!("the zones hold {blocks}"))
            .marked("block_count", format!(" = {}", p.block_count))
    );
    Ok(())
}

/// Slips and defects lie in their zone.
fn inside(p: &DiskParams, number: usize, zone: &Zone) -> Result<()> {
    let sectors = zone.sectors(p.surfaces);
    let tracks = p.sparing == Sparing::Tracks;
    let limit = if tracks { sectors / zone.sectors_per_track } else { sectors };
    if let Some(slip) = zone.slips.iter().find(|slip| **slip >= limit) {
        return fault_of("slips", format!("zone {number} goes from 0 to {}, found {slip}", limit - 1));
    }
    if let Some(twice) = zone.slips.windows(2).find(|pair| pair[0] == pair[1]) {
        return fault_of("slips", format!("zone {number} has {} twice", twice[0]));
    }
    if tracks && zone.slips.len() as u64 > zone.spares {
        return fault_of(
            "slips",
            format!("zone {number} has {}, but {} spares", zone.slips.len(), zone.spares),
        );
    }
    if let Some((bad, good)) = zone.remaps.iter().find(|(bad, good)| *bad.max(good) >= sectors) {
        return fault_of("defects", format!("zone {number} has {sectors} sectors, found {bad} and {good}"));
    }
    Ok(())
}
