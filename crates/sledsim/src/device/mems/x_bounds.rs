//! Table of bounds on the time in x, by the place of the sled and the distance in cylinders.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::OnceLock;

use super::motion::Motion;
use crate::device::XBounds;
use crate::time::Span;

/// Number of parts into which the stroke is divided. Seeks that start in the same part and cover the same
/// distance take similar times.
const PARTS: usize = 64;
/// Number of parts for seek models whose shortest and longest seeks are known in advance. It is smaller
/// because the table is then computed at the first use.
const FEW_PARTS: usize = 8;
/// Maximum difference in nanoseconds between a seek time that is computed in a chunk and the same time
/// computed alone.
const ROUNDING_NS: u32 = 1;

/// A table of bounds that is computed once it has been asked for often enough to be worth its cost, or at
/// the first use if it costs little.
#[derive(Default)]
pub(super) struct LazyXBounds {
    asked: AtomicU32,
    table: OnceLock<XBoundsTable>,
}

impl LazyXBounds {
    /// Bounds on the time in x from `cylinder` to higher and to lower cylinders; None until the table is
    /// worth its cost.
    pub(super) fn from(&self, cylinder: u32, motion: &Motion) -> Option<[XBounds<'_>; 2]> {
        let asked = self.asked.load(Relaxed);
        if u64::from(asked) < motion.geometry.cylinders && !motion.seek_x.grows_off_centre() {
            self.asked.store(asked + 1, Relaxed);
            return None;
        }
        Some(self.table.get_or_init(|| XBoundsTable::new(motion)).from(cylinder))
    }
}

/// The shortest and the longest time in x for each part of the stroke in which a seek starts, each
/// direction, and each step (range of distances).
///
/// Times grow with the distance. So a seek over the shortest distance of a step gives the lower bound of
/// the step. The upper bound is a seek over the shortest distance of the next step, or to the end of the
/// stroke.
struct XBoundsTable {
    /// Lower and upper bounds in nanoseconds, ordered by part, then direction, then step.
    bounds_ns: Vec<[u32; 2]>,
    steps: usize,
    cylinders_a_part: usize,
}

impl XBoundsTable {
    fn new(motion: &Motion) -> Self {
        let count = motion.geometry.cylinders as usize;
        let step = |distance: usize| XBounds::step(distance as u32);
        let steps = step(count - 1) + 1;
        let few = motion.seek_x.grows_off_centre();
        let parts = if few { FEW_PARTS } else { PARTS };
        let mut table = Self {
            bounds_ns: vec![[u32::MAX, 0]; 2 * parts * steps],
            steps,
            cylinders_a_part: count.div_ceil(parts),
        };
        table.bounds_ns.iter_mut().step_by(steps).for_each(|staying| *staying = [0, 0]);

        let begins: Vec<usize> = (1..count).filter(|distance| step(*distance) > step(distance - 1)).collect();
        let ends = begins.iter().skip(1).copied().chain([count]);
        if few {
            let steps: Vec<_> = begins.iter().copied().zip(ends.map(|next| next - 1)).collect();
            table.add_extremes(motion, &steps);
            return table;
        }
        let seeks = Seeks::new(motion);
        let mut at_begin = seeks.over(1);
        for (begin, next) in begins.iter().copied().zip(ends) {
            let at_next = seeks.over(next);
            table.add(step(begin), begin, &at_begin, &seeks.with_ends(begin, &at_next));
            at_begin = at_next;
        }
        table
    }

    /// Adds the shortest and the longest seek of every part, direction and step. `steps` holds the shortest
    /// and the longest distance of each step.
    fn add_extremes(&mut self, motion: &Motion, steps: &[(usize, usize)]) {
        let last = motion.geometry.cylinders as i64 - 1;
        let (mut places, mut from_m, mut to_m) = (Vec::new(), Vec::new(), Vec::new());
        let cylinder_m = |cylinder: i64| motion.cylinder_m(cylinder as u64);
        for first in (0..=last).step_by(self.cylinders_a_part) {
            let part = [first, last.min(first + self.cylinders_a_part as i64 - 1)];
            for (near, far) in steps {
                for side in [0, 1] {
                    let distances = [*near as i64, *far as i64];
                    let Some(seeks) = extremes(part, distances, side == 0, last) else { continue };
                    let number = first as usize / self.cylinders_a_part;
                    places.push((2 * number + side) * self.steps + XBounds::step(*near as u32));
                    from_m.extend(seeks.map(|seek| cylinder_m(seek[0])));
                    to_m.extend(seeks.map(|seek| cylinder_m(seek[1])));
                }
            }
        }
        let times_ns = times_ns(motion, &from_m, &to_m);
        for (place, seeks_ns) in places.iter().zip(times_ns.chunks(3)) {
            let most_ns = seeks_ns[1].max(seeks_ns[2]);
            self.bounds_ns[*place] = [seeks_ns[0].saturating_sub(ROUNDING_NS), most_ns + ROUNDING_NS];
        }
    }

    /// Adds lower and upper bounds of the step `step`: `least` has seeks over its shortest distance, and
    /// `most` has seeks that take at least as long as every seek of the step.
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

    /// Bounds on the time in x from `cylinder` to higher cylinders, and to lower cylinders.
    #[inline]
    fn from(&self, cylinder: u32) -> [XBounds<'_>; 2] {
        let first = 2 * self.steps * (cylinder as usize / self.cylinders_a_part);
        [0, 1].map(|side| XBounds(&self.bounds_ns[first + side * self.steps..][..self.steps]))
    }
}

/// The seeks with extreme times among those that start in a part of the cylinders and cover a distance from
/// `near` to `far`, upwards or downwards. Returns the quickest seek, and two seeks of which one is the
/// slowest, each as its lower and its upper cylinder.
///
/// The quickest seek covers the distance `near`; the slowest covers the distance `far`, or ends at the last
/// cylinder before. Among seeks over the same distance, the one that is symmetric about the centre is the
/// quickest.
fn extremes(part: [i64; 2], [near, far]: [i64; 2], upwards: bool, last: i64) -> Option<[[i64; 2]; 3]> {
    let lower_ends = |distance: i64| {
        let below = if upwards { 0 } else { distance };
        [(part[0] - below).max(0), (part[1] - below).min(last - distance)]
    };
    let [lowest, highest] = lower_ends(near);
    if lowest > highest {
        return None;
    }
    // The centre is defined as in `Geometry::x_bits`.
    let centre = (last + 1) / 2;
    let least = (centre - (near + 1) / 2).clamp(lowest, highest);
    // The longest seek among those that end at the edge before they cover the distance `far`.
    let (cut, to_edge) = if upwards {
        (part[1] > last - far, [part[0].max(last - far), last])
    } else {
        (part[0] < far, [0, part[1].min(far)])
    };
    let [lowest, highest] = lower_ends(far);
    let off_centre = |lower: &i64| (2 * (lower - centre) + far).abs();
    let most = [lowest, highest].into_iter().filter(|_| lowest <= highest).max_by_key(off_centre);
    let most = most.map_or(to_edge, |lower| [lower, lower + far]);
    Some([[least, least + near], most, if cut { to_edge } else { most }])
}

/// Seek times in nanoseconds, including the settling time of the operation (read or write) that settles faster.
fn times_ns(motion: &Motion, from_m: &[f64], to_m: &[f64]) -> Vec<u32> {
    let mut times_s = vec![0.0; from_m.len()];
    motion.seeks_x_s(from_m, to_m, &mut times_s);
    let longer_s = (motion.settle_s - motion.write_settle_s).max(0.0);
    times_s.iter().map(|time_s| Span::from_s((time_s - longer_s).max(0.0)).0 as u32).collect()
}

/// Times in nanoseconds of all seeks over one distance: upwards, ordered by the cylinder at the start, and
/// downwards, ordered by the cylinder at the end.
type BothWays = [Vec<u32>; 2];

/// Seek times between all cylinders, including the settling time of the operation (read or write) that
/// settles faster.
struct Seeks<'a> {
    motion: &'a Motion,
    places_m: Vec<f64>,
    /// Time from each cylinder to the last cylinder, and from each cylinder to the first one.
    to_ends_ns: BothWays,
}

impl<'a> Seeks<'a> {
    fn new(motion: &'a Motion) -> Self {
        let places_m: Vec<f64> =
            (0..motion.geometry.cylinders).map(|cylinder| motion.cylinder_m(cylinder)).collect();
        let mut seeks = Self { motion, places_m, to_ends_ns: BothWays::default() };
        let ends_m =
            [seeks.places_m.last(), seeks.places_m.first()].map(|end| *end.expect("a sled has a cylinder"));
        seeks.to_ends_ns =
            ends_m.map(|end_m| times_ns(motion, &seeks.places_m, &vec![end_m; seeks.places_m.len()]));
        seeks
    }

    fn over(&self, distance: usize) -> BothWays {
        let (low_m, high_m) = (&self.places_m[..self.places_m.len() - distance], &self.places_m[distance..]);
        let up_ns = times_ns(self.motion, low_m, high_m);
        let down_ns = if self.motion.seek_x.is_symmetric() {
            up_ns.clone()
        } else {
            times_ns(self.motion, high_m, low_m)
        };
        [up_ns, down_ns]
    }

    /// Seek times over a longer distance than `begin`, one for each cylinder from which a seek over `begin`
    /// is possible; if the stroke is too short, to its end.
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
