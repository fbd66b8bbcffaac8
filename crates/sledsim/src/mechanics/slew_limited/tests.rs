use super::*;
use crate::mechanics::BangBang;

const ACCESS: f64 = 0.028;
pub(super) const RISE_S: f64 = 20e-6;

pub(super) fn g2() -> Axis {
    Axis::new(803.6, 0.75, 100e-6)
}

pub(super) fn risen_in(axis: Axis, rise_s: f64) -> SlewLimited {
    SlewLimited::new(axis, axis.acceleration_m_per_s2 / rise_s)
}

fn state(place_m: f64, speed_m_per_s: f64) -> State {
    State { place_m, speed_m_per_s }
}

/// Pairs of states at many places over the stroke, with all combinations of directions.
pub(super) fn motions() -> impl Iterator<Item = (State, State)> {
    let states = || {
        let places = (-4..=4).map(|place| f64::from(place) * 12e-6);
        places.flat_map(|place_m| [-ACCESS, 0.0, ACCESS].map(|speed| state(place_m, speed)))
    };
    states().flat_map(move |from| states().map(move |to| (from, to)))
}

/// Generator of pseudo-random numbers from 0 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// Final state after a profile, found by integration of the equation of motion with the classical
/// Runge-Kutta method.
fn integrated(axis: &Axis, from: State, profile: &Profile) -> State {
    const STEPS: u32 = 200;
    let (mut x, mut v, mut force) = (from.place_m, from.speed_m_per_s, profile.force_m_per_s2);
    for segment in profile.segments {
        let h = segment.duration_s / f64::from(STEPS);
        for _ in 0..STEPS {
            let pull =
                |x: f64, after_s: f64| force + segment.slew_m_per_s3 * after_s - axis.stiffness_per_s2 * x;
            let (v1, a1) = (v, pull(x, 0.0));
            let (v2, a2) = (v + 0.5 * h * a1, pull(x + 0.5 * h * v1, 0.5 * h));
            let (v3, a3) = (v + 0.5 * h * a2, pull(x + 0.5 * h * v2, 0.5 * h));
            let (v4, a4) = (v + h * a3, pull(x + h * v3, h));
            x += h / 6.0 * (v1 + 2.0 * (v2 + v3) + v4);
            v += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
            force += segment.slew_m_per_s3 * h;
        }
    }
    state(x, v)
}

#[test]
fn an_integrated_plant_gets_there() {
    for (from, to) in motions() {
        let end = integrated(&g2(), from, &risen_in(g2(), RISE_S).profile(from, to));
        // A segment lasts less than 1/w, so the error of the method is about (1/200)^4 / 120 of the
        // distance.
        assert!((end.place_m - to.place_m).abs() < 1e-11 * 100e-6, "{from:?} to {to:?}");
        assert!((end.speed_m_per_s - to.speed_m_per_s).abs() < 1e-10 * ACCESS, "{from:?} to {to:?}");
    }
}

#[test]
fn a_free_sled_follows_the_s_curve() {
    let axis = Axis::new(114.8, 0.0, 100e-6);
    let (a, j) = (axis.acceleration_m_per_s2, axis.acceleration_m_per_s2 / 100e-6);
    let bound_m = 2.0 * a * a * a / (j * j);
    for distance_m in [1e-12, 1e-9, 0.5 * bound_m, 2.0 * bound_m, 30e-6, 100e-6] {
        let expected_s = if distance_m < bound_m {
            4.0 * libm::cbrt(distance_m / (2.0 * j))
        } else {
            a / j + (a / j * (a / j) + 4.0 * distance_m / a).sqrt()
        };
        let seek_s = SlewLimited::new(axis, j).seek_s(0.0, distance_m, 0.0);
        assert!((seek_s / expected_s - 1.0).abs() < 1e-13, "{distance_m}");
    }
}

#[test]
fn a_fast_actuator_is_the_ideal_one() {
    let ideal = BangBang::new(g2());
    // At a place where the springs take three quarters of the force, a lost ramp costs four times
    // its duration.
    let most = 4.0;
    for (from, to) in motions() {
        for rise_s in [RISE_S, 1e-9, 1e-15] {
            let excess_s = risen_in(g2(), rise_s).move_s(from, to) - ideal.move_s(from, to);
            let rounding_s = 1e-18;
            // A motion to or from rest consists of parts in the ideal model, and need not be the
            // quickest.
            let quickest = from.speed_m_per_s.abs() == to.speed_m_per_s.abs();
            assert!(!quickest || excess_s >= -rounding_s, "{from:?} to {to:?}: {excess_s}");
            assert!(excess_s <= most * rise_s + rounding_s, "{from:?} to {to:?}: {excess_s}");
        }
    }
}

#[test]
fn motions_are_the_same_backwards_and_mirrored() {
    let model = risen_in(g2(), RISE_S);
    for (from, to) in motions() {
        let move_s = model.move_s(from, to);
        let backwards = |at: State| state(at.place_m, -at.speed_m_per_s);
        let mirrored = |at: State| state(-at.place_m, -at.speed_m_per_s);
        assert!((model.move_s(backwards(to), backwards(from)) - move_s).abs() <= 1e-13 * move_s);
        assert!((model.move_s(mirrored(from), mirrored(to)) - move_s).abs() <= 1e-13 * move_s);
        let [one, other] = [(from, to), (to, from)].map(|(a, b)| model.seek_s(a.place_m, b.place_m, ACCESS));
        assert_eq!(one, other);
    }
}

#[test]
fn the_farther_the_longer() {
    for rise_s in [1e-6, 50e-6, 300e-6] {
        for speed in [0.0, ACCESS] {
            let seek_s = |nm: i32| risen_in(g2(), rise_s).seek_s(-45e-6, f64::from(nm) * 1e-9 - 45e-6, speed);
            assert!((0..90_000).step_by(500).all(|nm| seek_s(nm + 500) > seek_s(nm)));
        }
    }
}

#[test]
fn every_device_gets_everywhere() {
    let mut numbers = Numbers(3);
    for case in 0..2000 {
        let spring_factor = if case % 5 == 0 { 0.0 } else { numbers.between(0.0, 0.95) };
        let stroke_m = numbers.between(90e-6, 100e-6);
        let axis = Axis::new(numbers.between(50.0, 1100.0), spring_factor, stroke_m);
        let model = risen_in(axis, 1e-6 * libm::pow(300.0, numbers.next()));
        let speed = numbers.between(0.02, 0.03);
        let from_m = numbers.between(-axis.reach_m, axis.reach_m);
        let to_m = match case % 4 {
            0 => from_m * (1.0 - libm::pow(10.0, numbers.between(-7.0, -2.0))),
            _ => numbers.between(-axis.reach_m, axis.reach_m),
        };
        for (from, to) in [-speed, 0.0, speed]
            .iter()
            .flat_map(|&v0| [-speed, 0.0, speed].map(|v1| (state(from_m, v0), state(to_m, v1))))
        {
            let profile = model.profile(from, to);
            assert!(
                profile.segments.iter().all(|segment| segment.duration_s >= 0.0),
                "{model:?} {from:?} {to:?}"
            );
            let (place_m, speed_m_per_s, force) = profile.sample(&axis, from, f64::INFINITY);
            let close_m = f64::max(1e-12 * (to_m - from_m).abs(), 1e-18);
            assert!((place_m - to_m).abs() <= close_m, "{model:?} {from:?} {to:?}");
            assert!((speed_m_per_s - to.speed_m_per_s).abs() <= 1e-12 * speed, "{model:?} {from:?} {to:?}");
            let bound = axis.acceleration_m_per_s2;
            assert!(
                (force - axis.stiffness_per_s2 * to_m).abs() <= 1e-12 * bound,
                "{model:?} {from:?} {to:?}"
            );
            let mut elapsed_s = 0.0;
            for segment in profile.segments {
                elapsed_s += segment.duration_s;
                let (.., force) = profile.sample(&axis, from, elapsed_s);
                assert!(force.abs() <= (1.0 + 1e-12) * bound, "{model:?} {from:?} {to:?}");
            }
        }
    }
}

#[test]
fn every_method_finds_the_same() {
    for (from, to) in motions().step_by(29).filter(|(from, to)| from != to) {
        let model = risen_in(g2(), RISE_S);
        let move_s = model.move_s(from, to);
        let trips = [1.0, -1.0].map(|way| SlewMotion::new(g2(), model.slew_m_per_s3, from, to, way));
        let bisected = trips.iter().filter_map(solve::METHODS[2]).map(|parts_s| parts_s.iter().sum());
        assert!((bisected.fold(f64::INFINITY, f64::min) / move_s - 1.0).abs() < 1e-12, "{from:?} to {to:?}");
    }
}

#[test]
fn extremes_give_numbers() {
    for slew in [1e-3, 1.0, 1e4, 1e20, 1e200] {
        let model = SlewLimited::new(g2(), slew);
        for (from_m, to_m) in [(0.0, 0.0), (0.0, 1e-12), (-50e-6, 50e-6), (50e-6, 50e-6 - 1e-12)] {
            for speed in [0.0, ACCESS] {
                let seek_s = model.seek_s(from_m, to_m, speed);
                let ideal_s = BangBang::new(g2()).seek_s(from_m, to_m, speed);
                assert!(seek_s >= ideal_s * (1.0 - 1e-9), "{slew}: {from_m} to {to_m} at {speed}: {seek_s}");
            }
        }
    }
    assert!(risen_in(g2(), RISE_S).seek_s(0.0, 1.0, 0.0).is_nan());
}

#[test]
fn a_turn_goes_farther_than_the_ideal_one() {
    for (place_m, d) in [(0.0, 1.0), (40e-6, 1.0), (-40e-6, 1.0), (10e-6, -1.0)] {
        let ideal_m = g2().stop(place_m, d, ACCESS).distance_m;
        let at = state(place_m, d * ACCESS);
        assert!(risen_in(g2(), RISE_S).overtravel_m(at) > ideal_m);
        assert!((risen_in(g2(), 1e-15).overtravel_m(at) / ideal_m - 1.0).abs() < 1e-9);
    }
}
