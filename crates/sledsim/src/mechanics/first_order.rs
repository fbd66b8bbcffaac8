//! The seek model "first-order" of paper 002: full force ahead and full force back, without springs.

use super::settings::SeekModelRow;
use super::BangBang;

/// Entry for this model in the table of seek models. The axis has no springs (002-F5, F7), so the sled
/// accelerates over half of the distance and brakes over the other half.
pub(super) const ROW: SeekModelRow = SeekModelRow::new(
    "first-order",
    "full acceleration, then full braking (bang-bang), without springs",
    &|settings| Ok(Box::new(BangBang::new(settings.axis))),
)
.source("002 Eqs 2-5");

#[cfg(test)]
mod tests {
    use super::super::{Axis, SeekModel};
    use super::*;

    /// Paper 002, Eqs 2 and 4: d/2 = v t/2 + a (t/2)^2 / 2, so t = 2 (sqrt(v^2 + a d) - v) / a. The test
    /// computes t by a formula that does not subtract nearly equal numbers.
    #[test]
    fn without_springs_bang_bang_is_the_papers_equation() {
        let axis = Axis::new(114.8, 0.0, 100e-6);
        for from_um in [-50.0, -17.3, 0.0, 49.0] {
            for distance_um in [0.0, 1e-3, 0.05, 1.0, 33.3, 90.0] {
                let (from_m, to_m) = (from_um * 1e-6, (from_um - distance_um) * 1e-6);
                for speed in [0.0, 0.02] {
                    let distance_m = f64::abs(to_m - from_m);
                    let peak = (speed * speed + axis.acceleration_m_per_s2 * distance_m).sqrt();
                    let paper_s = if distance_m == 0.0 { 0.0 } else { 2.0 * distance_m / (speed + peak) };
                    let ours_s = BangBang::new(axis).seek_s(from_m, to_m, speed);
                    assert_eq!(ours_s.to_bits(), paper_s.to_bits(), "{from_um} by {distance_um}");
                }
            }
        }
    }
}
