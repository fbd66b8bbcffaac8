//! The seek model "piecewise" of DiskSim: it tries several switch points, and cuts the motion into short
//! chunks of constant acceleration.

use super::settings::SeekModelRow;
use super::{Axis, SeekModel};

/// Entry for this model in the table of seek models.
pub(super) const ROW: SeekModelRow = SeekModelRow::new(
    "piecewise",
    "full acceleration, then full braking (bang-bang), approximated as in DiskSim 4.0, for comparisons; with springs its times are up to 4 % wrong",
    &|settings| Ok(Box::new(Piecewise::new(settings.axis))),
);

/// Number of equally long chunks in each of the two phases of a seek.
const CHUNKS: usize = 8;

/// Number of switch points that are tried for each seek.
const TRIALS: u32 = 8;

/// The numeric seek of DiskSim 4.0 ("piecewise"), for comparisons with results of DiskSim.
///
/// The sled accelerates to a switch point and brakes from there. Each phase is cut into chunks. In
/// a chunk the acceleration is constant: that of the actuator and the mean spring force of the
/// chunk's two borders. The switch point starts in the middle and is moved in 8 trials by nearly
/// constant steps, so the speeds of the two phases at the switch point never agree exactly. The
/// trial with the smallest difference gives the seek time. Without springs this time is exact; with
/// springs its error is -0.9 to +3.6 %, and a seek and its reverse differ slightly. Apart from the
/// iteration, two properties of DiskSim cause the error, and are kept:
///
/// - Braking lags by one chunk: each chunk has the acceleration of the chunk before it, and the
///   first braking chunk has that of the last accelerating chunk.
/// - A chunk across the centre counts as a whole as outward or inward, by its longer side; during
///   braking it counts as the opposite.
#[derive(Clone, Copy, Debug)]
pub struct Piecewise {
    axis: Axis,
}

/// A phase of a seek: from one of its ends to the switch point. Chunks are ordered from the end of the seek
/// to the switch point.
struct Phase {
    chunk_m: f64,
    /// Acceleration in each chunk in m/s^2, positive if the speed grows towards the switch point.
    gains_m_per_s2: [f64; CHUNKS],
}

impl Phase {
    /// Speed at the switch point, from the speed `end_m_per_s` at the other end of the phase.
    fn peak_m_per_s(&self, end_m_per_s: f64) -> f64 {
        let gain = self.gains_m_per_s2.iter().sum::<f64>();
        (end_m_per_s * end_m_per_s + 2.0 * self.chunk_m * gain).sqrt()
    }

    /// Duration of the phase in seconds, from the speed `end_m_per_s` at its end of the seek.
    fn time_s(&self, end_m_per_s: f64) -> f64 {
        let mut speed = end_m_per_s;
        let mut time_s = 0.0;
        for gain in self.gains_m_per_s2 {
            let next = (speed * speed + 2.0 * self.chunk_m * gain).sqrt();
            time_s += 2.0 * self.chunk_m / (speed + next);
            speed = next;
        }
        time_s
    }
}

impl Piecewise {
    /// Creates the seek model of one axis.
    #[must_use]
    pub fn new(axis: Axis) -> Self {
        Self { axis }
    }

    /// The two phases of a seek from `from_m` to `to_m` in positive direction, with the switch point `switch_m`.
    fn phases(&self, from_m: f64, switch_m: f64, to_m: f64) -> [Phase; 2] {
        let full = self.axis.acceleration_m_per_s2;
        let chunk_m = (switch_m - from_m) / CHUNKS as f64;
        let gains_m_per_s2 = std::array::from_fn(|chunk| {
            let (start_m, end_m) = borders(from_m, chunk_m, chunk);
            let outward = end_m.abs() >= start_m.abs();
            full - self.drag(start_m, end_m, outward)
        });
        let accelerate = Phase { chunk_m, gains_m_per_s2 };

        let chunk_m = (to_m - switch_m) / CHUNKS as f64;
        let gains_m_per_s2 = std::array::from_fn(|from_end| {
            let Some(before) = (CHUNKS - 1 - from_end).checked_sub(1) else {
                return accelerate.gains_m_per_s2[CHUNKS - 1];
            };
            let (start_m, end_m) = borders(switch_m, chunk_m, before);
            let across = start_m < 0.0 && end_m > 0.0;
            let outward = (end_m.abs() >= start_m.abs()) != across;
            full + self.drag(start_m, end_m, outward)
        });
        [accelerate, Phase { chunk_m, gains_m_per_s2 }]
    }

    /// Mean deceleration by the springs in a chunk in m/s^2; negative if the springs accelerate the sled.
    fn drag(&self, start_m: f64, end_m: f64, outward: bool) -> f64 {
        let pull = 0.5 * self.axis.stiffness_per_s2 * (start_m.abs() + end_m.abs());
        if outward {
            pull
        } else {
            -pull
        }
    }
}

/// Start and end of the chunk with index `chunk` in a phase that begins at `first_m`.
fn borders(first_m: f64, chunk_m: f64, chunk: usize) -> (f64, f64) {
    (first_m + chunk as f64 * chunk_m, first_m + (chunk + 1) as f64 * chunk_m)
}

impl SeekModel for Piecewise {
    fn axis(&self) -> &Axis {
        &self.axis
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn seek_s(&self, from_m: f64, to_m: f64, speed_m_per_s: f64) -> f64 {
        if from_m == to_m {
            return 0.0;
        }
        // The springs are symmetric about the centre, so every seek can be computed in positive
        // direction.
        let way = (to_m - from_m).signum();
        let (from_m, to_m) = (way * from_m, way * to_m);
        let distance_m = to_m - from_m;
        let mut switch_m = from_m + 0.5 * distance_m;
        let mut smallest_gap = f64::INFINITY;
        let mut best = None;
        for trial in 1..=TRIALS {
            let phases = self.phases(from_m, switch_m, to_m);
            let [accelerated, braked] = [0, 1].map(|phase: usize| phases[phase].peak_m_per_s(speed_m_per_s));
            let gap = (accelerated - braked).abs() / braked;
            if gap < smallest_gap {
                smallest_gap = gap;
                best = Some(phases);
            }
            let step_m = (0.05 - 0.01 / f64::from(TRIALS + 1 - trial)) * distance_m;
            switch_m += if accelerated > braked { -step_m } else { step_m };
        }
        // The result is missing only if a place out of reach makes a speed NaN, as in the closed
        // form.
        best.map_or(f64::NAN, |phases| phases.iter().map(|phase| phase.time_s(speed_m_per_s)).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::super::BangBang;
    use super::*;

    const ACCESS: f64 = 0.028;

    fn g2(spring_factor: f64) -> Axis {
        Axis::new(803.6, spring_factor, 100e-6)
    }

    /// Pairs of different places over the whole stroke.
    fn seeks() -> impl Iterator<Item = (f64, f64)> {
        let places = || (-12..=12).map(|place| f64::from(place) * 4e-6);
        places()
            .flat_map(move |from_m| places().map(move |to_m| (from_m, to_m)))
            .filter(|(from, to)| from != to)
    }

    #[test]
    fn without_springs_it_is_exact() {
        let axis = g2(0.0);
        for (from_m, to_m) in seeks() {
            for speed in [0.0, ACCESS] {
                let exact_s = BangBang::new(axis).seek_s(from_m, to_m, speed);
                assert!((Piecewise::new(axis).seek_s(from_m, to_m, speed) / exact_s - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn with_springs_it_is_off_by_what_disksim_is() {
        let axis = g2(0.75);
        for (from_m, to_m) in seeks() {
            for speed in [0.0, ACCESS] {
                let exact_s = BangBang::new(axis).seek_s(from_m, to_m, speed);
                let error = Piecewise::new(axis).seek_s(from_m, to_m, speed) / exact_s - 1.0;
                assert!((-0.009..0.036).contains(&error), "{from_m} to {to_m} at {speed}: {error}");
            }
        }
    }

    #[test]
    fn values_that_disksim_prints() {
        let seek = Piecewise::new(g2(0.75));
        for (from_m, to_m, seek_s) in [
            (-29.16e-6, -50e-6, 361.403_694_898_727e-6),
            (12.48e-6, -50e-6, 488.970_832_200_979e-6),
            (33.32e-6, -50e-6, 532.320_000_213_290e-6),
        ] {
            assert!((seek.seek_s(from_m, to_m, 0.0) / seek_s - 1.0).abs() < 1e-12);
        }
        let seek_s = 280.212_222_245_791e-6;
        assert!((seek.seek_s(-28.48e-6, -48.8e-6, ACCESS) / seek_s - 1.0).abs() < 1e-12);
    }

    #[test]
    fn nowhere_takes_no_time() {
        assert_eq!(Piecewise::new(g2(0.75)).seek_s(1e-6, 1e-6, ACCESS), 0.0);
    }
}
