//! The time-optimal seek: full force towards the destination, then full force against the motion.

use super::arc_tangent::ArcTangent;
use super::settings::SeekModelRow;
use super::{Axis, SeekModel};

/// Entry for this model in the table of seek models.
pub(super) const ROW: SeekModelRow = SeekModelRow::new(
    "bang-bang",
    "full acceleration, then full braking, against springs; an exact formula",
    &|settings| Ok(Box::new(BangBang::new(settings.axis))),
)
.source("000-F1..F5");

/// Number of seeks that are computed in one chunk, so that the chunk fits into the processor's nearest cache.
const AT_ONCE: usize = 256;

/// Seek times of 000-F2..F5 (Eqs 2, 5, 6) as a formula that never subtracts nearly equal numbers.
///
/// Under constant force, a mass on a spring moves between two points in the time (2/w) atan(w d / (v0 +
/// v1)), where d is the distance of the points, and v0 and v1 are the speeds there. The arc tangent is half
/// the phase angle. Unlike a formula with arccos, this one is exact for short seeks, too. Without a spring
/// it becomes 2 d / (v0 + v1), uniform acceleration. The speed at the switch point follows from the energy,
/// and a single arc tangent gives the time of both phases.
#[derive(Clone, Copy, Debug)]
pub struct BangBang {
    axis: Axis,
    /// The constants w^2 / (2 a) and 2 / w, stored to save a division for each seek.
    tilt_per_m: f64,
    pub(super) double_period_s: f64,
    arc_tangent: ArcTangent,
}

impl BangBang {
    /// Creates the seek model of one axis.
    #[must_use]
    pub fn new(axis: Axis) -> Self {
        Self {
            axis,
            tilt_per_m: axis.stiffness_per_s2 / (2.0 * axis.acceleration_m_per_s2),
            double_period_s: 2.0 / axis.omega_per_s,
            arc_tangent: ArcTangent::new(),
        }
    }

    /// The tangent of half the phase angle of a whole seek, for an axis with springs.
    ///
    /// The value never exceeds the square root of 3. It reaches this value in a seek from rest across the
    /// whole stroke, with springs as strong as the actuator: each phase then turns by 60 degrees (000-F4
    /// with c = L).
    #[inline]
    pub(super) fn half_phase(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64 {
        let phases = self.phases(from_m, to_m, speed_m_per_s);
        let speeds = speed_m_per_s + phases.peak2.sqrt();
        // The square of the speed from rest is known before the root, so the division does not wait
        // for the root.
        let speeds2 = if speed_m_per_s == 0.0 { phases.peak2 } else { speeds * speeds };
        let Axis { stiffness_per_s2, omega_per_s, .. } = self.axis;
        let below = speeds2 - stiffness_per_s2 * phases.accelerate_m * phases.brake_m;
        // The denominator is zero only if the distance is zero, too.
        omega_per_s * phases.distance_m / below.max(f64::MIN_POSITIVE) * speeds
    }

    /// Computes the times of many seeks: first the half phases (of which compilers can compute several
    /// together), then the times by `finish`.
    #[inline]
    pub(super) fn seeks_by(
        &self,
        (from_m, to_m): (&[f64], &[f64]),
        speed_m_per_s: f64,
        out: &mut [f64],
        finish: impl Fn(f64) -> f64,
    ) {
        let parts = out.chunks_mut(AT_ONCE).zip(from_m.chunks(AT_ONCE)).zip(to_m.chunks(AT_ONCE));
        for ((out, from_m), to_m) in parts {
            for ((half_phase, from_m), to_m) in out.iter_mut().zip(from_m).zip(to_m) {
                *half_phase = self.half_phase(*from_m, *to_m, speed_m_per_s);
            }
            for time_s in out {
                *time_s = finish(*time_s);
            }
        }
    }

    #[inline]
    fn phases(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> Phases {
        // A seek takes the same time in both directions and on both sides of the centre. Only one
        // of the four cases is computed, so this holds to the last bit.
        let distance_m = (to_m - from_m).abs();
        let sum_m = (from_m + to_m).abs();
        let start_m = 0.5 * (sum_m - distance_m);
        let tilt = self.tilt_per_m * sum_m;
        let accelerate_m = 0.5 * distance_m * (1.0 + tilt);
        let brake_m = 0.5 * distance_m * (1.0 - tilt);
        let mean_pull = self.axis.stiffness_per_s2 * (start_m + 0.5 * accelerate_m);
        let gain = accelerate_m * (self.axis.acceleration_m_per_s2 - mean_pull);
        Phases { distance_m, accelerate_m, brake_m, peak2: speed_m_per_s * speed_m_per_s + 2.0 * gain }
    }
}

/// The two phases of a seek: the total distance, the distance of each phase, and the square of the speed at
/// the switch point between them.
struct Phases {
    distance_m: f64,
    accelerate_m: f64,
    brake_m: f64,
    peak2: f64,
}

impl SeekModel for BangBang {
    fn axis(&self) -> &Axis {
        &self.axis
    }

    fn grows_with_distance(&self) -> bool {
        true
    }

    /// True, as a formula shows: the tangent of half the phase angle of a seek from rest is that of an
    /// equally long seek about the centre, divided by sqrt(1 - (2 t m)^2). Here m is the middle of the
    /// seek, and t is `tilt_per_m`.
    fn grows_off_centre(&self) -> bool {
        true
    }

    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64 {
        if from_m == to_m {
            return 0.0;
        }
        if self.axis.omega_per_s == 0.0 {
            let phases = self.phases(from_m, to_m, speed_m_per_s);
            return 2.0 * phases.distance_m / (speed_m_per_s + phases.peak2.sqrt());
        }
        self.double_period_s * self.arc_tangent.of(self.half_phase(from_m, to_m, speed_m_per_s))
    }

    fn seeks_s(&self, from_m: &[f64], to_m: &[f64], speed_m_per_s: f64, out: &mut [f64]) {
        if self.axis.omega_per_s != 0.0 {
            let finish = |half_phase| self.double_period_s * self.arc_tangent.of(half_phase);
            return self.seeks_by((from_m, to_m), speed_m_per_s, out, finish);
        }
        for ((time_s, from_m), to_m) in out.iter_mut().zip(from_m).zip(to_m) {
            *time_s = self.seek_s(*from_m, *to_m, speed_m_per_s);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Devices of papers: acceleration, spring factor, stroke, access velocity, and the times in ms of
    /// seeks over the full stroke in x and in y (reading notes, Z1).
    const DEVICES: [(f64, f64, f64, f64, f64, f64); 3] = [
        (114.8, 0.0, 100e-6, 0.020, 2.590 - 0.7234, 1.5504),
        (803.6, 0.75, 100e-6, 0.028, 0.770 - 0.2154, 0.5157),
        (1033.2, 0.75, 90e-6, 0.030, 0.6075 - 0.1436, 0.4316),
    ];

    #[test]
    fn full_strokes_of_the_papers() {
        for (acceleration, spring, stroke, speed, x_ms, y_ms) in DEVICES {
            let seek = BangBang::new(Axis::new(acceleration, spring, stroke));
            let (from, to) = (-stroke / 2.0, stroke / 2.0);
            assert!((seek.seek_s(from, to, 0.0) * 1e3 - x_ms).abs() < 6e-4);
            assert!((seek.seek_s(from, to, speed) * 1e3 - y_ms).abs() < 6e-5);
        }
    }

    #[test]
    fn one_column_of_the_papers() {
        let seek = BangBang::new(Axis::new(803.6, 0.75, 100e-6));
        assert!((seek.seek_s(0.0, 40e-9, 0.0) * 1e3 - 0.0141).abs() < 5e-5);
    }

    #[test]
    fn without_springs_it_is_the_first_order_model() {
        // 002-F5, Eq 2, and 002-F7, Eq 4.
        let (a, v) = (114.8_f64, 0.02);
        let seek = BangBang::new(Axis::new(a, 0.0, 100e-6));
        for distance_m in [50e-9_f64, 1e-6, 30e-6, 100e-6] {
            let x_s = 2.0 * (distance_m / a).sqrt();
            let y_s = 2.0 * (-v + (v * v + a * distance_m).sqrt()) / a;
            assert!((seek.seek_s(-50e-6, distance_m - 50e-6, 0.0) / x_s - 1.0).abs() < 1e-9);
            assert!((seek.seek_s(-50e-6, distance_m - 50e-6, v) / y_s - 1.0).abs() < 1e-8);
        }
    }
}
