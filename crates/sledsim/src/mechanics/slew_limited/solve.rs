//! Solving of the equations of a slew-limited motion, by Newton's method, or by bisection if Newton's method fails.

use super::super::State;
use super::equations::{SlewMotion, Unknowns};

/// Maximum number of Newton steps; about four are enough.
const STEPS: u32 = 15;

/// Relative size of a Newton step below which the method stops. The error of the result is then about the
/// square of this size.
const LAST_STEP: f64 = 1e-10;

/// Rounding error, relative to the duration of the motion, by which the duration of an empty segment may be
/// negative.
const ROUNDING: f64 = 1e-14;

/// Factor from one duration to the next when durations are tried one after another, and the range of these
/// durations in multiples of the guess.
const GROWTH: f64 = 1.1;
const SCANNED: [f64; 2] = [1e-2, 1e2];

/// Number of times that an interval is halved in a bisection; more would not change a floating-point number.
const HALVINGS: u32 = 64;

/// Multiple of the guessed duration that certainly exceeds the solution; Newton's method can start there.
const FAR: f64 = 2.0;

/// Number of Newton steps that improve the guess of the duration.
const GUESS_STEPS: u32 = 4;

/// Method to find the durations of the five segments of the quickest motion whose force first rises.
type Method = fn(&SlewMotion) -> Option<[f64; 5]>;

/// The methods in the order in which they are tried. The first one nearly always succeeds and the last is
/// the most reliable: Newton's method from a guess, from far above the guess, and from the result of a scan
/// with bisection.
pub(super) const METHODS: [Method; 3] = [
    |trip| newton(trip, guess(trip)),
    |trip| newton(trip, Unknowns { duration_s: FAR * guess(trip).duration_s, fall_s: 0.0 }),
    |trip| newton(trip, scan(trip, guess(trip).duration_s)?),
];

/// Guess of the unknowns: of a motion under full force with ramps added or, if the force never reaches full
/// force, of a motion of ramps alone.
fn guess(trip: &SlewMotion) -> Unknowns {
    let ramped_s = ramped_s(trip);
    let saturates = 0.5 * trip.slew * ramped_s > trip.axis.acceleration_m_per_s2;
    let (duration_s, fall_s) = if saturates {
        let [start, end] =
            [0, 1].map(|at: usize| State { place_m: trip.places_m[at], speed_m_per_s: trip.speeds[at] });
        let [ahead_s, back_s] = trip.axis.full_force_s(start, end);
        let rise_s = trip.axis.acceleration_m_per_s2 / trip.slew;
        (ahead_s + back_s + rise_s, 0.5 * (ahead_s - back_s))
    } else {
        (ramped_s, (trip.speeds[1] - trip.speeds[0]) / (trip.slew * ramped_s))
    };
    let duration_s = duration_s.max(trip.shortest_s());
    let [first_s, last_s] = trip.fall_range_s(duration_s);
    Unknowns { duration_s, fall_s: fall_s.max(first_s).min(last_s) }
}

/// Duration in seconds of a motion without a spring and without a bound on the force. It solves j T^4/32 +
/// (v0 + v1) T^2/2 - d T = (v1 - v0)^2/(2 j), by some Newton steps from above.
fn ramped_s(trip: &SlewMotion) -> f64 {
    let SlewMotion { slew, distance_m, speeds: [v0, v1], .. } = *trip;
    let (sum, gain) = (v0 + v1, v1 - v0);
    let cube_s = libm::cbrt(32.0 * distance_m.abs() / slew);
    let way_s = if distance_m > 0.0 && sum > 0.0 {
        cube_s.min(2.0 * distance_m / sum)
    } else {
        cube_s + 4.0 * (sum.abs() / slew).sqrt()
    };
    let turn_s = 2.0 * (gain.abs() / slew).sqrt();
    let mut t = turn_s + way_s;
    for _ in 0..GUESS_STEPS {
        let excess = ((slew * t * t / 32.0 + 0.5 * sum) * t - distance_m) * t - 0.5 * gain * gain / slew;
        let slope = (slew * t * t / 8.0 + sum) * t - distance_m;
        t = (t - excess / slope).max(turn_s);
    }
    t
}

/// Solves the equations by Newton's method from a guess; no step changes an unknown by more than half the duration.
fn newton(trip: &SlewMotion, guess: Unknowns) -> Option<[f64; 5]> {
    let mut at = guess;
    for _ in 0..STEPS {
        let misses = trip.misses(at);
        let ([place, place_t, place_c], [speed, speed_t, speed_c]) = (misses.place, misses.speed);
        let determinant = place_t * speed_c - place_c * speed_t;
        let step_t = (place_c * speed - speed_c * place) / determinant;
        let step_c = (speed_t * place - place_t * speed) / determinant;
        let damped = (0.5 * at.duration_s / step_t.abs().max(step_c.abs())).min(1.0);
        at.duration_s += damped * step_t;
        at.fall_s += damped * step_c;
        if step_t.abs() + step_c.abs() <= LAST_STEP * at.duration_s {
            return valid(trip, at);
        }
    }
    None
}

/// Durations of the five segments in seconds; None if one of them is negative.
fn valid(trip: &SlewMotion, at: Unknowns) -> Option<[f64; 5]> {
    let durations_s = trip.durations_s(at);
    let least_s = -ROUNDING * at.duration_s;
    durations_s.iter().all(|&part_s| part_s >= least_s).then(|| durations_s.map(|part_s| part_s.max(0.0)))
}

/// Tries longer and longer durations until a motion reaches the destination, and refines the first such
/// duration by bisection.
fn scan(trip: &SlewMotion, guess_s: f64) -> Option<Unknowns> {
    let shortest_s = trip.shortest_s();
    let mut beyond_s = SCANNED[0] * guess_s;
    let mut before_s = shortest_s;
    while beyond_s < SCANNED[1] * guess_s {
        if reaches(trip, shortest_s + beyond_s).is_some() {
            return Some(first_reach(trip, [before_s, shortest_s + beyond_s]));
        }
        before_s = shortest_s + beyond_s;
        beyond_s *= GROWTH;
    }
    None
}

/// The unknowns of the motion of the duration `duration_s` that ends at the right speed and reaches
/// farthest; None if it does not reach the destination.
fn reaches(trip: &SlewMotion, duration_s: f64) -> Option<Unknowns> {
    let [mut low_s, mut high_s] = trip.fall_range_s(duration_s);
    let miss = |fall_s: f64| trip.misses(Unknowns { duration_s, fall_s });
    if miss(low_s).speed[0] < 0.0 || miss(high_s).speed[0] > 0.0 {
        return None;
    }
    // If the force falls later, it removes less of the speed at the end.
    for _ in 0..HALVINGS {
        let fall_s = 0.5 * (low_s + high_s);
        *(if miss(fall_s).speed[0] > 0.0 { &mut low_s } else { &mut high_s }) = fall_s;
    }
    let fall_s = 0.5 * (low_s + high_s);
    (miss(fall_s).place[0] >= 0.0).then_some(Unknowns { duration_s, fall_s })
}

/// Finds by bisection the shortest duration in which a motion reaches the destination, between one that is
/// too short and one that is long enough.
fn first_reach(trip: &SlewMotion, [mut short_s, mut long_s]: [f64; 2]) -> Unknowns {
    let mut found = Unknowns { duration_s: long_s, fall_s: 0.0 };
    for _ in 0..HALVINGS {
        let middle_s = 0.5 * (short_s + long_s);
        match reaches(trip, middle_s) {
            Some(near) => (long_s, found) = (middle_s, near),
            None => short_s = middle_s,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::g2;
    use super::*;

    /// The guess for ramps alone exceeds the solution of its equation by less than 1 %, unless the change
    /// of speed alone needs more time.
    #[test]
    fn a_guess_of_ramps_alone_is_close() {
        const SPEEDS: [f64; 3] = [-0.028, 0.0, 0.028];
        for slew in [1e5, 4e7, 1e9] {
            for (distance_m, v0, v1) in [0.0, 1e-9, 1e-6, 5e-5]
                .iter()
                .flat_map(|d| SPEEDS.iter().flat_map(move |v0| SPEEDS.map(|v1| (*d, *v0, v1))))
                .filter(|(distance_m, v0, v1)| *distance_m > 0.0 || v0 != v1)
            {
                let [from, to] = [(0.0, v0), (distance_m, v1)]
                    .map(|(place_m, speed_m_per_s)| State { place_m, speed_m_per_s });
                let excess = |t: f64| {
                    let [sum, gain] = [v0 + v1, v1 - v0];
                    slew * t.powi(4) / 32.0 + 0.5 * sum * t * t - distance_m * t - 0.5 * gain * gain / slew
                };
                let found_s = ramped_s(&SlewMotion::new(g2(), slew, from, to, 1.0));
                let shortest_s = 2.0 * ((v1 - v0).abs() / slew).sqrt();
                let is_shortest = (found_s / shortest_s - 1.0).abs() < 1e-12;
                assert!(
                    found_s > (1.0 - 1e-12) * shortest_s
                        && excess((1.0 + 1e-9) * found_s) > 0.0
                        && (is_shortest || excess(0.99 * found_s) < 0.0),
                    "{slew}: {distance_m} at {v0} and {v1}: {found_s}"
                );
            }
        }
    }
}
