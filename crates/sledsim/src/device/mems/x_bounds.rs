//! Bounds on the time in x, by where the sled is and how far it has to go.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::OnceLock;

use super::motion::Motion;
use crate::device::XBounds;
use crate::time::Span;

/// Parts of the stroke: within one of them the time over a distance differs little.
const PARTS: usize = 64;
/// By what the time of a seek that is computed with others can differ from that of one alone.
const ROUNDING_NS: u32 = 1;

/// The table, which is made once a scheduler has asked for enough bounds to be worth it.
#[derive(Default)]
pub(super) struct LazyXBounds {
    asked: AtomicU32,
    table: OnceLock<XBoundsTable>,
}

impl LazyXBounds {
    /// Bounds from a cylinder, upwards and downwards; none while there is no table.
    pub(super) fn from(&self, cylinder: u32, motion: &Motion) -> Option<[XBounds<'_>; 2]> {
        let asked = self.asked.load(Relaxed);
        if u64::from(asked) < motion.geometry.cylinders {
            self.asked.store(asked + 1, Relaxed);
            return None;
        }
        Some(self.table.get_or_init(|| XBoundsTable::new(motion)).from(cylinder))
    }
}

/// For each part of the stroke, upwards and downwards, the least and the most time of each step of the distance.
///
/// Times grow with the distance: no seek of a step takes less than those over the distance with which it begins, nor
/// more than those with which the next one begins, or than those to the end of the stroke.
struct XBoundsTable {
    /// By part, direction, and step.
    bounds_ns: Vec<[u32; 2]>,
    steps: usize,
    cylinders_a_part: usize,
}

impl XBoundsTable {
    fn new(motion: &Motion) -> Self {
        let count = motion.geometry.cylinders as usize;
        let step = |distance: usize| XBounds::step(distance as u32);
        let steps = step(count - 1) + 1;
        let mut table = Self {
            bounds_ns: vec![[u32::MAX, 0]; 2 * PARTS * steps],
            steps,
            cylinders_a_part: count.div_ceil(PARTS),
        };
        table.bounds_ns.iter_mut().step_by(steps).for_each(|staying| *staying = [0, 0]);

        let seeks = Seeks::new(motion);
        let mut begin = 1;
        let mut at_begin = seeks.over(begin);
        while begin < count {
            let next = (begin + 1..count).find(|distance| step(*distance) > step(begin)).unwrap_or(count);
            let at_next = seeks.over(next);
            table.add(step(begin), begin, &at_begin, &seeks.with_ends(begin, &at_next));
            (begin, at_begin) = (next, at_next);
        }
        table
    }

    /// Takes in the seeks over the least distance of a step, and those that take no less than its longest ones.
    fn add(&mut self, step: usize, begin: usize, least: &BothWays, most: &BothWays) {
        for side in [0, 1] {
            for (from, (least_ns, most_ns)) in least[side].iter().zip(&most[side]).enumerate() {
                let part = (from + side * begin) / self.cylinders_a_part;
                let bounds_ns = &mut self.bounds_ns[(2 * part + side) * self.steps + step];
                bounds_ns[0] = bounds_ns[0].min(least_ns.saturating_sub(ROUNDING_NS));
                bounds_ns[1] = bounds_ns[1].max(most_ns.saturating_add(ROUNDING_NS));
            }
        }
    }

    /// From a cylinder, upwards and downwards.
    #[inline]
    fn from(&self, cylinder: u32) -> [XBounds<'_>; 2] {
        let first = 2 * self.steps * (cylinder as usize / self.cylinders_a_part);
        [0, 1].map(|side| XBounds(&self.bounds_ns[first + side * self.steps..][..self.steps]))
    }
}

/// Nanoseconds of seeks over one distance, upwards by their first, and downwards by their last cylinder.
type BothWays = [Vec<u32>; 2];

/// Seeks between cylinders, with the settling of the operation that settles faster.
struct Seeks<'a> {
    motion: &'a Motion,
    places_m: Vec<f64>,
    /// From each cylinder to the last, and to the first.
    to_ends_ns: BothWays,
}

impl<'a> Seeks<'a> {
    fn new(motion: &'a Motion) -> Self {
        let places_m: Vec<f64> =
            (0..motion.geometry.cylinders).map(|cylinder| motion.cylinder_m(cylinder)).collect();
        let mut seeks = Self { motion, places_m, to_ends_ns: BothWays::default() };
        let ends_m =
            [seeks.places_m.last(), seeks.places_m.first()].map(|end| *end.expect("there is a cylinder"));
        seeks.to_ends_ns =
            ends_m.map(|end_m| seeks.times_ns(&seeks.places_m, &vec![end_m; seeks.places_m.len()]));
        seeks
    }

    fn times_ns(&self, from_m: &[f64], to_m: &[f64]) -> Vec<u32> {
        let mut times_s = vec![0.0; from_m.len()];
        self.motion.seeks_x_s(from_m, to_m, &mut times_s);
        let longer_s = (self.motion.settle_s - self.motion.write_settle_s).max(0.0);
        times_s.iter().map(|time_s| Span::from_s((time_s - longer_s).max(0.0)).0 as u32).collect()
    }

    fn over(&self, distance: usize) -> BothWays {
        let (low_m, high_m) = (&self.places_m[..self.places_m.len() - distance], &self.places_m[distance..]);
        let up_ns = self.times_ns(low_m, high_m);
        let down_ns =
            if self.motion.seek_x.is_symmetric() { up_ns.clone() } else { self.times_ns(high_m, low_m) };
        [up_ns, down_ns]
    }

    /// For each cylinder from which there are seeks over `begin`: those over a longer distance, or to the end.
    fn with_ends(&self, begin: usize, longer: &BothWays) -> BothWays {
        let [up_ns, down_ns] = longer;
        let [to_last_ns, to_first_ns] = &self.to_ends_ns;
        let (count, far) = (self.places_m.len(), up_ns.len());
        [
            [up_ns, &to_last_ns[far..count - begin]].concat(),
            [&to_first_ns[begin..count - far], down_ns].concat(),
        ]
    }
}
