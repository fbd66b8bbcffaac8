//! The arc tangent, computed by a table and a series. The formula of a seek time needs no other
//! transcendental function.

/// Number of table entries for each unit of the argument.
const PLACES_PER_UNIT: usize = 16;
/// Number of table entries; their arguments reach slightly beyond the square root of 3.
const PLACES: usize = 29;

/// The arc tangent of numbers from 0 to the square root of 3, with an error of at most two units in
/// the last place.
///
/// atan(x) = atan(c) + atan((x - c) / (1 + c x)), where c is the nearest argument in the table. The second
/// term has an argument below 1/31, so five terms of its series are enough. No branch depends on x, so
/// compilers can compute several values together. Only basic arithmetic is used, so the result is the same
/// on every platform.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArcTangent([f64; PLACES]);

impl ArcTangent {
    pub(super) fn new() -> Self {
        Self(std::array::from_fn(|at| libm::atan(at as f64 / PLACES_PER_UNIT as f64)))
    }

    #[inline]
    pub(super) fn of(&self, x: f64) -> f64 {
        // Converting through a signed 32-bit number takes one instruction.
        let at = ((x * PLACES_PER_UNIT as f64 + 0.5) as i32 as usize).min(PLACES - 1);
        let c = at as f64 / PLACES_PER_UNIT as f64;
        let z = (x - c) / (1.0 + c * x);
        let z2 = z * z;
        let series = 1.0 / 3.0 - z2 * (1.0 / 5.0 - z2 * (1.0 / 7.0 - z2 * (1.0 / 9.0 - z2 / 11.0)));
        self.0[at] + (z - z * z2 * series)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_arc_tangent() {
        let arc_tangent = ArcTangent::new();
        let all = (0..=1_000_000).map(|at| f64::from(at) * 1.733e-6);
        for x in all.chain((0..300).map(|power| 0.5_f64.powi(power))) {
            let exact = libm::atan(x);
            assert!((arc_tangent.of(x) - exact).abs() <= 2.0 * f64::EPSILON * exact, "at {x}");
        }
    }

    /// The result below the first argument in the table is that of the series alone, right to one unit in
    /// the last place.
    #[test]
    fn its_series_is_right_to_one_unit_in_the_last_place() {
        let arc_tangent = ArcTangent::new();
        for x in (0..100_000).map(|at| f64::from(at) * 3.125e-7) {
            let units = arc_tangent.of(x).to_bits().abs_diff(libm::atan(x).to_bits());
            assert!(units <= 1, "{units} units at {x}");
        }
    }
}
