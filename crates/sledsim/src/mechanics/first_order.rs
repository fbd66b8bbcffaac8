//! The first-order model of 002: a free mass under full force.

use super::settings::SeekModelRow;
use super::{Axis, SeekModel};

/// The seek model as its table lists it.
pub(super) const ROW: SeekModelRow =
    SeekModelRow::new("first-order", "bang-bang without springs", &|settings| {
        Ok(Box::new(FirstOrder::new(settings.axis)))
    })
    .source("002 Eqs 2-5");

/// A sled without springs (002-F5, F7; Eqs 2 and 4): half of the distance is covered under full force ahead,
/// half under full force back, d/2 = v t/2 + a (t/2)^2 / 2.
///
/// Written without the difference of nearly equal numbers: 2 (sqrt(v^2 + a d) - v) / a is
/// 2 d / (v + sqrt(v^2 + a d)).
#[derive(Clone, Copy, Debug)]
pub struct FirstOrder {
    axis: Axis,
}

impl FirstOrder {
    /// The seek model of one axis, which has no springs.
    #[must_use]
    pub fn new(axis: Axis) -> Self {
        Self { axis }
    }
}

impl SeekModel for FirstOrder {
    fn axis(&self) -> &Axis {
        &self.axis
    }

    fn grows_with_distance(&self) -> bool {
        true
    }

    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64 {
        let distance_m = (to_m - from_m).abs();
        if distance_m == 0.0 {
            return 0.0;
        }
        let peak2 = speed_m_per_s * speed_m_per_s + self.axis.acceleration_m_per_s2 * distance_m;
        2.0 * distance_m / (speed_m_per_s + peak2.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::super::BangBang;
    use super::*;

    #[test]
    fn it_is_bang_bang_without_springs() {
        let axis = Axis::new(114.8, 0.0, 100e-6);
        for from_um in [-50.0, -17.3, 0.0, 49.0] {
            for distance_um in [1e-3, 0.05, 1.0, 33.3, 90.0] {
                let (from_m, to_m) = (from_um * 1e-6, (from_um - distance_um) * 1e-6);
                for speed in [0.0, 0.02] {
                    let ours_s = FirstOrder::new(axis).seek_s(from_m, to_m, speed);
                    let exact_s = BangBang::new(axis).seek_s(from_m, to_m, speed);
                    assert!((ours_s / exact_s - 1.0).abs() < 1e-12, "{from_um} by {distance_um}");
                }
            }
        }
    }
}
