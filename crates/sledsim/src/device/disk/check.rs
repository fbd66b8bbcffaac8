//! Checks of the parameters of a drive: tables must be in order, and the zones must have room for all blocks.

use super::check_zones::check_zones;
use super::zones::{rows, zones};
use crate::error::{ensure, fault, fault_of, Error, Result};
use crate::params::{DiskParams, Queue, Sparing, LONGEST_MS};

/// Upper limit for two parameters: the number of cylinders that share spare sectors, and the number of
/// waiting requests in the drive. No real drive reaches it.
const LARGEST_COUNT: u64 = 1_000_000_000;

/// Rejects impossible parameters; the error names the key, its value and the expected values.
pub(super) fn check(p: &DiskParams) -> Result<()> {
    seeks(p)?;
    range(p)?;
    queue(p)?;
    early_disconnect(p)?;
    check_zones(p, &zones(p)?)
}

/// Checks the seek curve: its distances must ascend, its times must be possible, and it must have enough
/// rows to compute seek times beyond its last row.
fn seeks(p: &DiskParams) -> Result<()> {
    let formula = rows(p.seek_formula.as_ref());
    if formula.len() > 1 || formula.iter().any(|row| row.len() != 5 || row.iter().any(|v| !v.is_finite())) {
        return fault_of(
            "seek_formula",
            format!("expected one row of five numbers [d0, a, b, c, e], found {formula:?}"),
        );
    }
    let (mut before, least) = (0.0, if formula.is_empty() { 2 } else { 1 });
    for row in p.seek_curve.rows() {
        match row[..] {
            [cylinders, ms] if cylinders > before && (0.0..=LONGEST_MS).contains(&ms) => before = cylinders,
            _ => {
                return fault_of(
                    "seek_curve",
                    format!(
                        "expected a row of [cylinders, ms] with more than {before} cylinders and 0 to {LONGEST_MS} ms, found {row:?}"
                    ),
                )
            }
        }
    }
    ensure!(
        p.seek_curve.rows().len() >= least,
        Error::Parameter(format!(
            "expected at least {least} rows (2 without seek_formula, 1 with it), found {}",
            p.seek_curve.rows().len()
        ))
        .at("seek_curve")
    );
    Ok(())
}

fn range(p: &DiskParams) -> Result<()> {
    match (p.sparing, p.spare_range_cylinders) {
        (Sparing::Range, Some(_)) => Ok(()),
        (Sparing::Range, None) => fault_of(
            "spare_range_cylinders",
            format!(
                "sparing = \"range\" needs spare_range_cylinders, a whole number from 1 to {LARGEST_COUNT}"
            ),
        ),
        (_, Some(cylinders)) => {
            fault(format!("spare_range_cylinders = {cylinders} applies to sparing = \"range\" only"))
        }
        (Sparing::None, None) if !rows(p.slips.as_ref()).is_empty() => {
            fault_of("slips", "sparing = \"none\" allows no slips: omit slips, or set another sparing".into())
        }
        _ => Ok(()),
    }
}

/// Rejects `preseeks` and `queue_depth` for a drive without a queue of its own, because requests wait at the host.
fn queue(p: &DiskParams) -> Result<()> {
    if p.preseeks == Some(true) && p.queue != Some(Queue::Drive) {
        return fault("preseeks = true needs queue = \"drive\"".into());
    }
    match (p.queue, p.queue_depth) {
        (_, None) | (Some(Queue::Drive), _) => Ok(()),
        (_, Some(depth)) => fault(format!("queue_depth = {depth} needs queue = \"drive\"")),
    }
}

/// Rejects a drive that has some but not all of the five times of early disconnect.
fn early_disconnect(p: &DiskParams) -> Result<()> {
    let times = [
        p.early_disconnect_command_ms,
        p.early_disconnect_ms,
        p.early_disconnect_wait_ms,
        p.second_disconnect_ms,
        p.second_reselect_ms,
    ];
    ensure!(
        times.iter().all(Option::is_some) || times.iter().all(Option::is_none),
        "early_disconnect_command_ms, early_disconnect_ms, early_disconnect_wait_ms, second_disconnect_ms, \
         second_reselect_ms: give all of them or none"
    );
    Ok(())
}
