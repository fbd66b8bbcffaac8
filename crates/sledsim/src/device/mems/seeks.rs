//! Mean and longest seek times of a device.

use super::motion::{Boundary, Direction, Motion};
use super::Mems;
use crate::params::AccessMode;

/// Maximum number of cylinders, and of rows, that are sampled for mean and longest seek times; smaller
/// devices are computed completely. The relative error of the means is below 1e-5.
const CYLINDERS_MAX: u32 = 512;
const ROWS_MAX: u32 = 256;
/// Number of places in x among which the longest seek is searched.
const PLACES: u32 = 65;

/// Sample of at most `most` of the numbers 0 to `count - 1`, for means: the middles of equal intervals, or
/// all numbers if `count` is small.
fn sample(count: u32, most: u32) -> impl Iterator<Item = u32> + Clone {
    let chosen = u64::from(count.min(most));
    (0..chosen).map(move |at| ((2 * at + 1) * u64::from(count) / (2 * chosen)) as u32)
}

/// Sample of at most `most` of the numbers 0 to `count - 1`, for maxima: evenly spaced from the first to
/// the last, or all numbers if `count` is small.
fn spread(count: u32, most: u32) -> impl Iterator<Item = u32> + Clone {
    let chosen = count.min(most);
    let step = u64::from(count - 1);
    (0..chosen).map(move |at| (u64::from(at) * step / u64::from((chosen - 1).max(1))) as u32)
}

impl Mems {
    /// The longest seek time in seconds, in x or in y, from the end of a row to the beginning of another row.
    pub(super) fn max_seek_s(&self) -> f64 {
        let reach_m = self.params.stroke_x_nm as f64 * 0.5e-9;
        let places_m = (0..PLACES).map(|at| reach_m * (2.0 * at as f64 / (PLACES - 1) as f64 - 1.0));
        let pairs_m = places_m.clone().flat_map(|from_m| places_m.clone().map(move |to_m| (from_m, to_m)));
        let x_s = pairs_m.map(|(from_m, to_m)| self.motion.seek_x_s(from_m, to_m)).fold(0.0, f64::max);
        let rows = spread(self.motion.row_count(), ROWS_MAX);
        let (from, choices) = self.directions();
        let longest = |towards| self.motion.costs_y_s(rows.clone(), from, towards).fold(0.0, f64::max);
        choices.iter().map(|towards| longest(towards)).fold(x_s, f64::max)
    }

    /// The directions in which the sled can leave a row, and the sets of directions in which it may enter
    /// the next row. With access mode "parity", the set depends on the cylinder.
    fn directions(&self) -> (&'static [Direction], &'static [&'static [Direction]]) {
        match self.params.access_mode {
            AccessMode::Unidirectional => (&[Direction::Up], &[&[Direction::Up]]),
            AccessMode::Parity => (&Direction::BOTH, &[&[Direction::Up], &[Direction::Down]]),
            AccessMode::Bidirectional | AccessMode::Serpentine => (&Direction::BOTH, &[&Direction::BOTH]),
        }
    }

    /// The mean seek time in seconds over all pairs of cylinders and rows. The sled leaves and enters rows
    /// in the directions that the access mode allows.
    pub(super) fn mean_seek_s(&self) -> f64 {
        self.mean_seek_over_s(CYLINDERS_MAX)
    }

    fn mean_seek_over_s(&self, cylinders_max: u32) -> f64 {
        let (from, choices) = self.directions();
        let columns: Vec<[CostsY; 2]> = if let [up, down] = choices {
            Direction::BOTH.map(|from| [up, down].map(|to| CostsY::new(&self.motion, &[from], to))).into()
        } else {
            let costs = CostsY::new(&self.motion, from, choices[0]);
            vec![[costs.clone(), costs.clone()], [costs.clone(), costs]]
        };
        let cylinders = sample(self.geometry.cylinders as u32, cylinders_max);
        let places: Vec<f64> =
            cylinders.map(|cylinder| self.motion.cylinder_m(u64::from(cylinder))).collect();
        // If one cylinder of the sample represents several, the mean distance between two of these
        // is a third of their width.
        let share = places.len() as f64 / self.geometry.cylinders as f64;
        let within_m = self.geometry.bits_m(1) / (3.0 * share);
        let mut sum_s = 0.0;
        let mut times_s = vec![[0.0; 2]; places.len()];
        for (from, &from_m) in places.iter().enumerate() {
            let near_s = self.motion.seek_x_s(from_m - 0.5 * within_m, from_m + 0.5 * within_m);
            let near = &columns[from % 2][from % 2];
            sum_s += share * near.mean_of_max(0.0, &mut 0) + (1.0 - share) * near.mean_of_max(near_s, &mut 0);
            self.motion.both_ways_s(from_m, &places[from + 1..], &mut times_s);
            // The time in x mostly grows with the distance, so the search for each time in the
            // sorted costs starts at the previous place.
            let mut below = [[0; 2]; 2];
            for (to, &[there_s, back_s]) in (from + 1..places.len()).zip(&times_s) {
                let (a, b) = (from % 2, to % 2);
                sum_s += columns[a][b].mean_of_max(there_s, &mut below[0][b]);
                sum_s += columns[b][a].mean_of_max(back_s, &mut below[1][b]);
            }
        }
        sum_s / (places.len() * places.len()) as f64
    }
}

impl Motion {
    fn between_s(&self, from: Boundary, to: Boundary) -> f64 {
        let (d0, d1) = (from.direction.sign(), to.direction.sign());
        self.seek_y_s(self.boundary_m(from), d0, self.boundary_m(to), d1)
    }

    /// The times in y in seconds from each row to each row. Each time is for the quickest of the directions
    /// `towards`, in which the target may be entered.
    fn costs_y_s<'a>(
        &'a self,
        rows: impl Iterator<Item = u32> + Clone + 'a,
        from: &'a [Direction],
        towards: &'a [Direction],
    ) -> impl Iterator<Item = f64> + 'a {
        let is = |direction, other| u32::from(direction == other);
        let targets = rows.clone();
        let ends = from.iter().flat_map(move |&direction| {
            rows.clone().map(move |row| Boundary { row: row + is(direction, Direction::Up), direction })
        });
        ends.flat_map(move |end| {
            targets.clone().map(move |row| {
                let begins = towards
                    .iter()
                    .map(|&direction| Boundary { row: row + is(direction, Direction::Down), direction });
                begins.map(|begin| self.between_s(end, begin)).fold(f64::INFINITY, f64::min)
            })
        })
    }
}

/// Times in y between all pairs of rows, sorted to compute means.
#[derive(Clone)]
struct CostsY {
    /// The times in ascending order.
    costs_s: Vec<f64>,
    /// Sums of the times from each index to the last.
    tails_s: Vec<f64>,
}

impl CostsY {
    fn new(motion: &Motion, from: &[Direction], towards: &[Direction]) -> Self {
        let rows = sample(motion.row_count(), ROWS_MAX);
        let mut costs_s: Vec<f64> = motion.costs_y_s(rows, from, towards).collect();
        costs_s.sort_by(f64::total_cmp);
        let mut tails_s = vec![0.0; costs_s.len() + 1];
        for at in (0..costs_s.len()).rev() {
            tails_s[at] = tails_s[at + 1] + costs_s[at];
        }
        Self { costs_s, tails_s }
    }

    /// The mean, over all times in y, of the larger of the time in y and `x_s`. `below` is the number of
    /// times in y that are less than `x_s`: callers pass a guess and receive the right number.
    fn mean_of_max(&self, x_s: f64, below: &mut usize) -> f64 {
        while *below < self.costs_s.len() && self.costs_s[*below] < x_s {
            *below += 1;
        }
        while *below > 0 && self.costs_s[*below - 1] >= x_s {
            *below -= 1;
        }
        (*below as f64 * x_s + self.tails_s[*below]) / self.costs_s.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load_mems;

    #[test]
    fn a_spread_is_all_or_goes_from_end_to_end() {
        assert_eq!(spread(5, 10).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(spread(101, 3).collect::<Vec<_>>(), [0, 50, 100]);
        assert_eq!(spread(1, 10).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn the_mean_over_a_sample_is_that_over_all() {
        for name in ["osdi00", "mascots03", "sigmetrics00"] {
            let device = Mems::new(&load_mems(name)).expect("a built-in device is valid");
            let (sampled_s, all_s) = (device.mean_seek_s(), device.mean_seek_over_s(u32::MAX));
            assert!((sampled_s / all_s - 1.0).abs() < 1e-5, "{name}: {sampled_s} against {all_s}");
        }
    }

    /// The mean seek time of a small sled equals the mean over all pairs of its cylinders and rows; with a
    /// sample of cylinders it is within 1 %.
    #[test]
    fn the_mean_is_that_over_all_pairs_of_places() {
        let mut params = load_mems("osdi00");
        params.stroke_x_nm = 60 * params.bit_width_nm;
        let device = Mems::new(&params).expect("a smaller sled is valid");
        let (from, choices) = device.directions();
        let costs = CostsY::new(&device.motion, from, choices[0]);
        let places = 0..device.geometry.cylinders;
        let mut sum_s = 0.0;
        for (one, other) in places.clone().flat_map(|one| places.clone().map(move |other| (one, other))) {
            let x_s = device.motion.seek_x_s(device.motion.cylinder_m(one), device.motion.cylinder_m(other));
            sum_s += costs.costs_s.iter().map(|y_s| y_s.max(x_s)).sum::<f64>() / costs.costs_s.len() as f64;
        }
        let each_s = sum_s / (places.end * places.end) as f64;
        for (cylinders_max, near) in [(u32::MAX, 1e-9), (20, 1e-2)] {
            let found_s = device.mean_seek_over_s(cylinders_max);
            assert!((found_s / each_s - 1.0).abs() < near, "{cylinders_max}: {found_s} against {each_s}");
        }
    }

    #[test]
    fn a_sample_is_all_or_lies_in_the_middle_of_equal_parts() {
        assert_eq!(sample(5, 10).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(sample(100, 4).collect::<Vec<_>>(), [12, 37, 62, 87]);
    }

    /// The mean of the larger time is right for every time in x, even below or above all times in y, and
    /// for every initial guess.
    #[test]
    fn the_mean_of_the_larger_is_that_of_each_pair() {
        let device = Mems::new(&load_mems("osdi00")).expect("a built-in device is valid");
        let costs = CostsY::new(&device.motion, &Direction::BOTH, &Direction::BOTH);
        let (count, most_s) = (costs.costs_s.len(), costs.costs_s.last().expect("a track has a row"));
        for tenths in 0..=12 {
            let x_s = most_s * f64::from(tenths) / 10.0;
            let each_s = costs.costs_s.iter().map(|y_s| y_s.max(x_s)).sum::<f64>() / count as f64;
            for mut below in [0, count / 2, count] {
                let found_s = costs.mean_of_max(x_s, &mut below);
                assert!((found_s / each_s - 1.0).abs() < 1e-12, "{x_s} s: {found_s} against {each_s}");
            }
        }
    }
}
