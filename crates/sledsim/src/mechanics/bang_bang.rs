//! The time-optimal seek: full force towards the destination, then full force against the motion.

use super::{Axis, SeekModel};

/// Closed form of 000-F2..F5 (Eqs 2, 5, 6), written without their differences of nearly equal numbers.
///
/// Between two points of one phase, where the force is constant, a mass on a spring takes
/// (2/w) atan(w d / (v0 + v1)) for the distance d between them: the tangent of half the phase angle. It is
/// exact however short the seek (arccos is not), and becomes 2 d / (v0 + v1), uniform acceleration, as the
/// spring vanishes. The speed at the switch point follows from the energy, and both phases join into one
/// arc tangent.
#[derive(Clone, Copy, Debug)]
pub struct BangBang {
    axis: Axis,
    /// w^2 / (2 a) and 2 / w: a division less each time.
    tilt_per_m: f64,
    double_period_s: f64,
}

impl BangBang {
    /// The seek model of one axis.
    #[must_use]
    pub fn new(axis: Axis) -> Self {
        Self {
            axis,
            tilt_per_m: axis.stiffness_per_s2 / (2.0 * axis.acceleration_m_per_s2),
            double_period_s: 2.0 / axis.omega_per_s,
        }
    }
}

impl SeekModel for BangBang {
    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64 {
        let Axis { acceleration_m_per_s2, stiffness_per_s2, omega_per_s, .. } = self.axis;
        let distance_m = (to_m - from_m).abs();
        if distance_m == 0.0 {
            return 0.0;
        }
        // A seek takes as long back as forth, and as long on either side of the centre. Computing one of
        // the four makes that exact, to the last bit.
        let sum_m = (from_m + to_m).abs();
        let start_m = 0.5 * (sum_m - distance_m);
        let tilt = self.tilt_per_m * sum_m;
        let accelerate_m = 0.5 * distance_m * (1.0 + tilt);
        let brake_m = 0.5 * distance_m * (1.0 - tilt);
        let mean_pull = stiffness_per_s2 * (start_m + 0.5 * accelerate_m);
        let peak2 = speed_m_per_s * speed_m_per_s + 2.0 * accelerate_m * (acceleration_m_per_s2 - mean_pull);
        let speeds = speed_m_per_s + peak2.sqrt();
        if omega_per_s == 0.0 {
            return 2.0 * distance_m / speeds;
        }
        // From rest the square is known before the root: the division need not wait for it.
        let speeds2 = if speed_m_per_s == 0.0 { peak2 } else { speeds * speeds };
        let per_speed = omega_per_s * distance_m / (speeds2 - stiffness_per_s2 * accelerate_m * brake_m);
        let half_phase = per_speed * speeds;
        self.double_period_s * libm::atan(half_phase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Acceleration, spring factor, stroke, access speed, full stroke in x and y in ms (reading notes, Z1).
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
