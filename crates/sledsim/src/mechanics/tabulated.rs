//! The seek model "table": seek times of the model "bang-bang" with a table instead of the arc tangent
//! (000-F21), for schedulers that compare many requests.

use super::settings::{missing, SeekModelRow};
use super::{Axis, BangBang, SeekModel};

/// Entry for this model in the table of seek models.
pub(super) const ROW: SeekModelRow = SeekModelRow::new(
    "table",
    "times of the model bang-bang, interpolated in a table of `seek_table_steps` steps",
    &|settings| {
        let steps = settings.table_steps.ok_or_else(|| missing("table", "seek_table_steps"))?;
        Ok(Box::new(Tabulated::new(settings.axis, steps)))
    },
)
.source("000-F21")
.keys(&["seek_table_steps"]);

/// Maximum of the half phase of a seek (see `BangBang::half_phase`): the square root of 3.
const HALF_PHASE_MAX: f64 = 1.732_050_807_568_877_3;
/// Seek model that interpolates linearly in a table of the arc tangent of the half phase of a seek.
///
/// The table is not over the cosine z of the phase angle: short seeks lie near z = 1 (000-D15), where the
/// slope of the arc cosine has no bound. The tangent of half the phase angle grows as sqrt(1 - z), and its
/// arc tangent is almost straight there. With N equal steps, the interpolation error is at most (2 / w)
/// (sqrt(3) / N)^2 (3 sqrt(3) / 8) / 8 seconds.
#[derive(Clone, Debug)]
pub struct Tabulated {
    exact: BangBang,
    /// Straight line of each step of the table in seconds: its value at half phase 0, and its slope.
    lines: Vec<[f64; 2]>,
    steps_per_unit: f64,
}

impl Tabulated {
    /// Creates the seek model of one axis, with a table of `steps` steps.
    #[must_use]
    pub fn new(axis: Axis, steps: u64) -> Self {
        let steps_per_unit = steps as f64 / HALF_PHASE_MAX;
        let exact = BangBang::new(axis);
        let time_s = |at: u64| exact.double_period_s * libm::atan(at as f64 / steps_per_unit);
        let line = |step: u64| {
            let slope = (time_s(step + 1) - time_s(step)) * steps_per_unit;
            [time_s(step) - slope * step as f64 / steps_per_unit, slope]
        };
        // One more line is stored, because rounding may put the largest half phase just beyond the
        // last step.
        let lines = if axis.omega_per_s == 0.0 { Vec::new() } else { (0..=steps).map(line).collect() };
        Self { exact, lines, steps_per_unit }
    }

    #[inline]
    fn look_up_s(&self, half_phase: f64) -> f64 {
        // A half phase is positive and below 2, so converting through a signed number takes one
        // instruction.
        let step = (half_phase * self.steps_per_unit) as i32 as usize;
        let [base_s, slope_s] = self.lines[step.min(self.lines.len() - 1)];
        base_s + slope_s * half_phase
    }
}

impl SeekModel for Tabulated {
    fn axis(&self) -> &Axis {
        self.exact.axis()
    }

    fn grows_with_distance(&self) -> bool {
        true
    }

    fn grows_off_centre(&self) -> bool {
        true
    }

    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64 {
        if self.lines.is_empty() || from_m == to_m {
            return self.exact.seek_s(from_m, to_m, speed_m_per_s);
        }
        self.look_up_s(self.exact.half_phase(from_m, to_m, speed_m_per_s))
    }

    fn seeks_s(&self, from_m: &[f64], to_m: &[f64], speed_m_per_s: f64, out: &mut [f64]) {
        if self.lines.is_empty() {
            return self.exact.seeks_s(from_m, to_m, speed_m_per_s, out);
        }
        self.exact.seeks_by((from_m, to_m), speed_m_per_s, out, |half_phase| self.look_up_s(half_phase));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [u64; 3] = [16, 512, 4096];
    /// Maximum of the second derivative of the arc tangent: 3 sqrt(3) / 8.
    const CURVATURE_MAX: f64 = 0.649_519_052_838_329;

    /// Maximum error in seconds over seeks across the whole stroke and short seeks, from rest and at access
    /// velocity.
    fn worst_s(axis: Axis, steps: u64) -> f64 {
        let (exact, table) = (BangBang::new(axis), Tabulated::new(axis, steps));
        let mut worst_s = 0.0_f64;
        for from in 0..60 {
            for to in 0..600 {
                let place = |at: i32, of: i32| (2.0 * f64::from(at) / f64::from(of) - 1.0) * axis.reach_m;
                for speed in [0.0, 0.028] {
                    let [exact_s, table_s] = [&exact as &dyn SeekModel, &table]
                        .map(|model| model.seek_s(place(from, 60), place(to, 600), speed));
                    worst_s = worst_s.max((exact_s - table_s).abs());
                }
            }
        }
        worst_s
    }

    #[test]
    fn it_is_within_its_bound_and_needs_it() {
        for spring in [0.1, 0.75, 0.999_999] {
            let axis = Axis::new(803.6, spring, 100e-6);
            for steps in STEPS {
                let (worst_s, step) = (worst_s(axis, steps), HALF_PHASE_MAX / steps as f64);
                let bound_s = 2.0 / axis.omega_per_s * step * step * CURVATURE_MAX / 8.0;
                assert!(worst_s <= bound_s * (1.0 + 1e-6), "{steps} steps: {worst_s} over {bound_s}");
                assert!(worst_s > 0.3 * bound_s, "the bound is no guess: {worst_s} of {bound_s}");
            }
        }
    }

    #[test]
    fn the_longest_seek_is_on_the_table() {
        let axis = Axis::new(803.6, 1.0 - f64::EPSILON, 100e-6);
        let longest = BangBang::new(axis).half_phase(-50e-6, 50e-6, 0.0);
        assert!((longest - HALF_PHASE_MAX).abs() < 1e-6);
    }

    #[test]
    fn many_at_once_are_the_same() {
        let table = Tabulated::new(Axis::new(803.6, 0.75, 100e-6), 512);
        let from_m: Vec<f64> = (0..1000).map(|at| f64::from(at) * 1e-7 - 50e-6).collect();
        let to_m: Vec<f64> = from_m.iter().rev().copied().chain([]).collect();
        let mut out = vec![0.0; from_m.len()];
        table.seeks_s(&from_m, &to_m, 0.0, &mut out);
        for at in 0..from_m.len() {
            assert_eq!(out[at], table.seek_s(from_m[at], to_m[at], 0.0));
        }
        table.seeks_s(&from_m, &from_m, 0.0, &mut out);
        assert!(out.iter().all(|time_s| *time_s == 0.0));
    }
}
