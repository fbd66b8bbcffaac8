//! Checks of the parameters of a MEMS device: keys that need each other, and a geometry that is possible.

use std::cmp::Ordering;

use crate::error::{ensure, fault, in_few_digits, Error, Result};
use crate::layout;
use crate::mechanics::{SeekModel, State, LONGEST_SEEK_S, SEEK_MODELS};
use crate::media::{Format, Geometry};
use crate::params::{
    whole, within, CylinderSwitch, Idle, Mechanism, MemsParams, RowOrder, WriteStart, COUNT, TIME_MS,
};
use crate::power;

/// Minimum speed of a bus in MB/s; on a slower bus, a request would take years.
const SLOWEST_BUS_MB_PER_S: f64 = 1e-3;

/// Rejects impossible parameters; the error names the key, its value and the expected values.
pub(super) fn check(p: &MemsParams) -> Result<()> {
    format(p)?;
    physics(p)?;
    SEEK_MODELS.find(&p.seek_model)?;
    mechanism(p)?;
    seek_model(p)?;
    settling(p)?;
    let geometry = Geometry::new(p)?;
    layout::build(p, &geometry)?;
    p.usable_blocks(&geometry)?;
    let speed_m_per_s = p.access_velocity_mm_per_s * 1e-3;
    in_time("a row", geometry.bits_m(geometry.row_bits as i64) / speed_m_per_s, p)?;
    let [x, y] = p.seek_models()?;
    let (reach_x_m, reach_y_m) = (x.axis().reach_m, y.axis().reach_m);
    ensure!(
        x.settles() || p.write_settle_ms.is_none(),
        "write_settle_ms: seek_model = {} includes settling; omit write_settle_ms",
        p.seek_model
    );
    let settle_s = if x.settles() { p.settle_s().max(p.write_settle_s()) } else { 0.0 };
    in_time("a seek in x", settle_s + x.seek_s(-reach_x_m, reach_x_m, 0.0), p)?;
    reaches_access_velocity(p, &*y, p.stroke_y_nm)?;
    let away = State { place_m: -reach_y_m, speed_m_per_s: -speed_m_per_s };
    let back = State { place_m: reach_y_m, speed_m_per_s: -speed_m_per_s };
    in_time("a seek in y with its turnarounds", y.move_s(away, back), p)?;
    travel(p, &geometry, [&*x, &*y])
}

/// Checks that the sled, from rest, can reach access velocity within half a stroke. NaN also fails this check.
fn reaches_access_velocity(p: &MemsParams, y: &dyn SeekModel, stroke_nm: u64) -> Result<()> {
    let from_rest_m = y.axis().launch(0.0, 1.0, p.access_velocity_mm_per_s * 1e-3).distance_m;
    if matches!(from_rest_m.partial_cmp(&y.axis().reach_m), Some(Ordering::Less | Ordering::Equal)) {
        return Ok(());
    }
    fault(format!(
        "access_velocity_mm_per_s = {} is not reached from rest within half a stroke of {stroke_nm} nm at \
         acceleration_m_per_s2 = {}",
        p.access_velocity_mm_per_s, p.acceleration_m_per_s2
    ))
}

/// Checks that turnarounds at the outermost rows and overshooting seeks stay within the stroke and the
/// spare travel (000-D3). Without `spare_travel_nm` only the springs limit the travel.
fn travel(p: &MemsParams, geometry: &Geometry, [x, y]: [&dyn SeekModel; 2]) -> Result<()> {
    let Some(spare_nm) = p.spare_travel_nm else { return Ok(()) };
    let edge_m = geometry.row_edge_m();
    let at = State { place_m: edge_m, speed_m_per_s: p.access_velocity_mm_per_s * 1e-3 };
    let last_m = geometry.bits_m(geometry.x_bits(0)).abs();
    let motions = [
        ("a turnaround beyond the outermost row", edge_m, y.overtravel_m(at), p.stroke_y_nm, "stroke_y_nm"),
        (
            "a seek to the outermost cylinder",
            last_m,
            x.overshoot_m(2.0 * last_m),
            p.stroke_x_nm,
            "stroke_x_nm",
        ),
    ];
    for (what, place_m, beyond_m, stroke_nm, key) in motions {
        let limit_m = stroke_nm as f64 * 0.5e-9 + spare_nm as f64 * 1e-9;
        // A difference below a picometre is rounding.
        if place_m + beyond_m > limit_m + 1e-12 {
            let um = 1e6;
            return fault(format!(
                "{what} at {:.3} um overshoots by {:.3} um, to {:.3} um from the centre, but {key} / 2 = {} um + spare_travel_nm = {spare_nm} allow only {:.3} um; spare_travel_nm = {:.0} is enough",
                place_m * um,
                beyond_m * um,
                (place_m + beyond_m) * um,
                stroke_nm as f64 / 2e3,
                limit_m * um,
                ((place_m + beyond_m) * 1e9 - stroke_nm as f64 * 0.5).ceil()
            ));
        }
    }
    Ok(())
}

fn in_time(what: &str, time_s: f64, p: &MemsParams) -> Result<()> {
    if time_s <= LONGEST_SEEK_S {
        return Ok(());
    }
    fault(format!(
        "{what} would take up to {time_s:.3e} s, expected at most {LONGEST_SEEK_S} s: is a unit wrong in \
         acceleration_m_per_s2 = {}, access_velocity_mm_per_s = {}, stroke_x_nm = {}, stroke_y_nm = {}, or in \
         what seek_model = {} needs?",
        p.acceleration_m_per_s2, p.access_velocity_mm_per_s, p.stroke_x_nm, p.stroke_y_nm, p.seek_model
    ))
}

/// Checks the key `format`, and then the ranges of the four parameters that follow from it. A wrong format
/// is reported first, because its message explains more.
fn format(p: &MemsParams) -> Result<()> {
    p.format.as_ref().map_or(Ok(()), |text| text.parse::<Format>()?.check(p))?;
    let following = [
        ("active_tips", p.active_tips),
        ("tips_per_block", p.tips_per_block),
        ("sector_data_bytes", p.sector_data_bytes),
        ("sector_encoded_bits", p.sector_encoded_bits),
    ];
    following.into_iter().try_for_each(|(key, value)| whole(key, "", value, COUNT))
}

fn physics(p: &MemsParams) -> Result<()> {
    if !(0.0..1.0).contains(&p.spring_factor) {
        let (stroke_nm, push) = (p.stroke_x_nm.max(p.stroke_y_nm), p.acceleration_m_per_s2);
        return fault(format!(
            "spring_factor = {:?}: must be at least 0 and below 1: at full displacement, {} um, the springs would \
             pull with {:?} x {push} = {:?} m/s^2 against the {push} m/s^2 of the actuators, and the sled could not \
             leave the edge",
            p.spring_factor,
            stroke_nm as f64 * 0.5e-3,
            p.spring_factor,
            (p.spring_factor * push * 10.0).round() / 10.0
        ));
    }
    ensure!(
        p.bus_mb_per_s == 0.0 || p.bus_mb_per_s >= SLOWEST_BUS_MB_PER_S,
        "bus_mb_per_s = {}: must be 0 (no bus) or at least {SLOWEST_BUS_MB_PER_S} MB/s",
        in_few_digits(p.bus_mb_per_s)
    );
    power::build(&p.power_policy).map(|_| ())
}

/// Rejects values that apply only to a sled if the tips move on cantilevers.
fn mechanism(p: &MemsParams) -> Result<()> {
    if p.mechanism == Mechanism::Sled {
        return Ok(());
    }
    let expected = [
        ("sleds", "1", p.sleds == 1),
        ("row_order", "lbn", p.row_order == RowOrder::Lbn),
        ("cylinder_switch", "seek", p.cylinder_switch == CylinderSwitch::Seek),
        ("idle", "hold", p.idle == Idle::Hold),
        ("power_policy", "always-on", p.power_policy == "always-on"),
        ("write_start", "buffered", p.write_start == WriteStart::Buffered),
    ];
    match expected.iter().find(|(_, _, met)| !met) {
        None => Ok(()),
        Some((key, value, _)) => fault(format!(
            "mechanism = cantilevers needs {key} = {value}, because other values apply only to a sled"
        )),
    }
}

/// Rejects keys that do not fit the seek model, and a device that lacks keys of its seek model.
fn seek_model(p: &MemsParams) -> Result<()> {
    let fault = |text: String| Err(Error::Parameter(format!("seek_model = {} {text}", p.seek_model)));
    match p.seek_model.as_str() {
        "first-order" if p.spring_factor != 0.0 => {
            fault(format!("has no springs: expected spring_factor = 0, found {}", p.spring_factor))
        }
        "measured" if p.measured_x.is_none() => fault("needs measured_x, a table of seek times".into()),
        _ => Ok(()),
    }
}

fn settling(p: &MemsParams) -> Result<()> {
    match (p.settle_ms, p.resonant_frequency_hz, p.settle_time_constants, p.settle_error_nm) {
        (Some(_), None, None, None) | (None, Some(_), Some(_), None) => {}
        (None, None, None, Some(_)) if p.position_loop().is_some() => {}
        _ => {
            return fault(
                "settling needs settle_ms, or resonant_frequency_hz and settle_time_constants, or settle_error_nm with loop_frequency_hz, loop_damping and loop_tolerance_nm"
                    .into(),
            )
        }
    }
    within("settling time in ms", "", p.settle_s() * 1e3, TIME_MS)
}

#[cfg(test)]
mod tests {
    use crate::device::load;

    fn refused(overrides: &str) -> Option<String> {
        load("osdi00", overrides.parse().unwrap()).err().map(|error| error.to_string())
    }

    /// The spare travel that the error message suggests is enough, and 1 nm less is too little, for
    /// turnarounds and for seeks.
    #[test]
    fn the_spare_travel_that_would_do_does() {
        for motion in
            ["access_velocity_mm_per_s = 100.0", "seek_model = \"linear-system\"\nloop_damping = 0.3"]
        {
            let with = |spare_nm: u64| refused(&format!("{motion}\nspare_travel_nm = {spare_nm}"));
            let said = with(0).expect("the motion exceeds the travel");
            let (_, enough) = said.rsplit_once("; spare_travel_nm = ").unwrap();
            let enough: u64 = enough.strip_suffix(" is enough").unwrap().parse().unwrap();
            assert!(enough > 0, "{said}");
            assert_eq!(with(enough), None, "{said}");
            assert!(
                with(enough - 1).unwrap().ends_with(&format!("spare_travel_nm = {enough} is enough")),
                "{said}"
            );
        }
    }
}
