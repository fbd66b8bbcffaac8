//! What makes a set of parameters possible: ranges, and geometry that fits.

use std::cmp::Ordering;

use super::MemsParams;
use crate::error::{unknown_name, Error, Result};
use crate::layout::LAYOUTS;
use crate::mechanics::{Axis, BangBang, SeekModel, SEEK_MODELS};
use crate::media::Geometry;

/// Longest time that a parameter may give, so that every phase of positioning fits its column.
const LONGEST_MS: f64 = 1_000.0;
/// Longest way across the sled in seconds: twice as long still fits the columns of a record.
const LONGEST_SEEK_S: f64 = 2.0;
/// More bits, tips or sleds than any device has; products of them stay far from overflow.
const LARGEST_COUNT: u64 = 1_000_000;

/// Refuses a device that cannot be, naming the key, the value and what would do.
pub(super) fn check(p: &MemsParams) -> Result<()> {
    counts(p)?;
    physics(p)?;
    names(p)?;
    settling(p)?;
    Geometry::new(p)?;
    longest_seek(p)
}

/// A sled that takes seconds across its stroke, or cannot reach its access velocity, is a mistake in a unit.
/// Compared so that what is not a number is refused, too.
fn longest_seek(p: &MemsParams) -> Result<()> {
    let speed_m_per_s = p.access_velocity_mm_per_s * 1e-3;
    let row_bits = p.servo_bits + p.sector_encoded_bits;
    let row_s = (row_bits * p.bit_width_nm) as f64 * 1e-9 / speed_m_per_s;
    fits("a row", row_s, p)?;
    for stroke_nm in [p.stroke_x_nm, p.stroke_y_nm] {
        let stroke_m = stroke_nm as f64 * 1e-9;
        let axis = Axis::new(p.acceleration_m_per_s2, p.spring_factor, stroke_m);
        let from_rest_m = axis.launch(0.0, 1.0, speed_m_per_s).distance_m;
        if !matches!(from_rest_m.partial_cmp(&axis.reach_m), Some(Ordering::Less | Ordering::Equal)) {
            return Err(Error::Parameter(format!(
                "access_velocity_mm_per_s = {} is not reached from rest within half a stroke of {stroke_nm} nm \
                 at acceleration_m_per_s2 = {}",
                p.access_velocity_mm_per_s, p.acceleration_m_per_s2
            )));
        }
        let across_s = BangBang::new(axis).seek_s(-stroke_m / 2.0, stroke_m / 2.0, 0.0);
        let turn_s = axis.turnaround_s(-stroke_m / 2.0, 1.0, speed_m_per_s);
        fits("a seek", across_s + 2.0 * turn_s + p.settle_s(), p)?;
    }
    Ok(())
}

fn fits(what: &str, time_s: f64, p: &MemsParams) -> Result<()> {
    if time_s <= LONGEST_SEEK_S {
        return Ok(());
    }
    Err(Error::Parameter(format!(
        "{what} would take up to {time_s:.3e} s, expected at most {LONGEST_SEEK_S} s: is a unit wrong in \
         acceleration_m_per_s2 = {}, access_velocity_mm_per_s = {}, stroke_x_nm = {}, stroke_y_nm = {}?",
        p.acceleration_m_per_s2, p.access_velocity_mm_per_s, p.stroke_x_nm, p.stroke_y_nm
    )))
}

fn counts(p: &MemsParams) -> Result<()> {
    let at_least_one = [
        ("stroke_x_nm", p.stroke_x_nm),
        ("stroke_y_nm", p.stroke_y_nm),
        ("bit_width_nm", p.bit_width_nm),
        ("tips", p.tips),
        ("active_tips", p.active_tips),
        ("tips_per_block", p.tips_per_block),
        ("sector_data_bytes", p.sector_data_bytes),
        ("sector_encoded_bits", p.sector_encoded_bits),
        ("sleds", p.sleds),
    ];
    for (key, value) in at_least_one {
        whole(key, value, 1)?;
    }
    whole("servo_bits", p.servo_bits, 0)
}

fn whole(key: &str, value: u64, least: u64) -> Result<()> {
    // A stroke is given in nanometres: a thousand times the largest count is a millimetre.
    let most = if key.ends_with("_nm") { LARGEST_COUNT * 1_000 } else { LARGEST_COUNT };
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Error::Parameter(format!("{key} = {value}: must be a whole number from {least} to {most}")))
}

fn physics(p: &MemsParams) -> Result<()> {
    positive("acceleration_m_per_s2", p.acceleration_m_per_s2)?;
    positive("access_velocity_mm_per_s", p.access_velocity_mm_per_s)?;
    if !(0.0..1.0).contains(&p.spring_factor) {
        return Err(Error::Parameter(format!(
            "spring_factor = {}: must be at least 0 and below 1: at 1 the springs pull as hard as the \
             actuators push, and the sled cannot leave the edge",
            p.spring_factor
        )));
    }
    within("overhead_ms", p.overhead_ms, LONGEST_MS)?;
    within("bus_mb_per_s", p.bus_mb_per_s, f64::MAX)?;
    if p.bus_mb_per_s > 0.0 && p.bus_mb_per_s < 1e-3 {
        return Err(Error::Parameter(format!(
            "bus_mb_per_s = {}: must be 0 (no bus) or at least 0.001 MB/s",
            p.bus_mb_per_s
        )));
    }
    within("sled_power_mw", p.sled_power_mw, f64::MAX)?;
    within("tip_power_mw", p.tip_power_mw, f64::MAX)?;
    within("parked_power_mw", p.parked_power_mw, f64::MAX)
}

fn positive(key: &str, value: f64) -> Result<()> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(Error::Parameter(format!("{key} = {value}: must be a positive number")))
}

fn within(key: &str, value: f64, most: f64) -> Result<()> {
    if value.is_finite() && (0.0..=most).contains(&value) {
        return Ok(());
    }
    let bound = if most == f64::MAX { String::new() } else { format!(" and at most {most}") };
    Err(Error::Parameter(format!("{key} = {value}: must be a number, 0 or more{bound}")))
}

fn names(p: &MemsParams) -> Result<()> {
    if !LAYOUTS.iter().any(|row| row.name == p.layout) {
        return Err(unknown_name("layout", &p.layout, LAYOUTS.iter().map(|row| row.name)));
    }
    if !SEEK_MODELS.iter().any(|row| row.name == p.seek_model) {
        return Err(unknown_name("seek_model", &p.seek_model, SEEK_MODELS.iter().map(|row| row.name)));
    }
    Ok(())
}

fn settling(p: &MemsParams) -> Result<()> {
    match (p.settle_ms, p.resonant_frequency_hz, p.settle_time_constants) {
        (Some(settle_ms), None, None) => within("settle_ms", settle_ms, LONGEST_MS),
        (None, Some(frequency_hz), Some(constants)) => {
            positive("resonant_frequency_hz", frequency_hz)?;
            within("settle_time_constants", constants, f64::MAX)?;
            within("settling time in ms", p.settle_s() * 1e3, LONGEST_MS)
        }
        _ => Err(Error::Parameter(
            "settling needs either settle_ms, or both resonant_frequency_hz and settle_time_constants".into(),
        )),
    }
}
