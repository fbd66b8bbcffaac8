//! What a device can do: the figures of a data sheet, computed from the model itself.

use super::motion::{Boundary, Direction, Motion};
use super::Mems;
use crate::params::{AccessMode, CylinderSwitch};

/// Bytes of the small random access that papers quote.
const SMALL_ACCESS_BYTES: u64 = 4096;

/// Means and maxima go over all cylinders and rows, and over so many evenly spaced ones where there are more.
const CYLINDERS_MAX: u32 = 4096;
const ROWS_MAX: u32 = 256;

/// All numbers below `count`, or `most` of them from the first to the last.
fn spread(count: u32, most: u32) -> impl Iterator<Item = u32> + Clone {
    let chosen = count.min(most);
    let step = u64::from(count - 1);
    (0..chosen).map(move |at| (u64::from(at) * step / u64::from((chosen - 1).max(1))) as u32)
}

/// The characteristics of a device. Times exclude command overhead and bus, as the papers' do (001-D6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Characteristics {
    /// Formatted capacity.
    pub capacity_bytes: u64,
    /// Capacity of every bit cell at the encoding rate, without servo bursts and margins (002-D5).
    pub capacity_gross_bytes: u64,
    /// Logical blocks.
    pub blocks: u64,
    /// Cylinders of a sled.
    pub cylinders: u64,
    /// Tracks in a cylinder.
    pub tracks_per_cylinder: u64,
    /// Rows in a track.
    pub rows_per_track: u64,
    /// Blocks in a row.
    pub blocks_per_row: u64,
    /// Settling time.
    pub settle_s: f64,
    /// Turnaround in the centre.
    pub turnaround_s: f64,
    /// A row passing under the tips.
    pub row_s: f64,
    /// All rows of a track.
    pub track_s: f64,
    /// Rate within a track.
    pub streaming_bytes_per_s: f64,
    /// Rate of a long sequential access, with its track and cylinder switches.
    pub sustained_bytes_per_s: f64,
    /// The longest seek: the full stroke in x with settling, or the worst in y if that is longer.
    pub max_seek_s: f64,
    /// Mean seek between random cylinders and rows, in the direction that the access mode allows or prefers.
    pub mean_seek_s: f64,
    /// Mean random access to 4 KiB that do not straddle more rows than they need (001-D7).
    pub mean_access_4k_s: f64,
}

impl Mems {
    /// The characteristics of this device.
    #[must_use]
    pub fn characteristics(&self) -> Characteristics {
        let (g, p) = (&self.geometry, &self.params);
        let track_s = g.rows_per_track as f64 * self.motion.row_s();
        let track_bytes = (g.blocks_per_track() * g.block_bytes) as f64;
        let mean_seek_s = self.mean_seek_s();
        let small_rows = SMALL_ACCESS_BYTES.div_ceil(g.block_bytes).div_ceil(g.blocks_per_row);
        let bits = u128::from(g.cylinders * g.region_bits_y) * u128::from(p.tips * p.sleds);
        let gross = bits * u128::from(p.sector_data_bytes) / u128::from(p.sector_encoded_bits);
        Characteristics {
            capacity_bytes: g.blocks() * g.block_bytes,
            capacity_gross_bytes: gross as u64,
            blocks: g.blocks(),
            cylinders: g.cylinders,
            tracks_per_cylinder: g.tracks_per_cylinder,
            rows_per_track: g.rows_per_track,
            blocks_per_row: g.blocks_per_row,
            settle_s: p.settle_s(),
            turnaround_s: self.motion.turnaround_s(0.0, 1.0),
            row_s: self.motion.row_s(),
            track_s,
            streaming_bytes_per_s: track_bytes / track_s,
            sustained_bytes_per_s: track_bytes / (track_s + self.mean_switch_s()),
            max_seek_s: self.max_seek_s(),
            mean_seek_s,
            mean_access_4k_s: mean_seek_s + small_rows as f64 * self.motion.row_s(),
        }
    }

    /// Mean time from the end of a track to the beginning of the next in a long sequential access.
    fn mean_switch_s(&self) -> f64 {
        let (rows, tracks) = (self.motion.row_count(), self.geometry.tracks_per_cylinder as f64);
        let boundary = |row, direction| Boundary { row, direction };
        let turn_s = self.motion.between_s(boundary(rows, Direction::Up), boundary(rows, Direction::Down));
        let back_s = self.motion.between_s(boundary(rows, Direction::Up), boundary(0, Direction::Up));
        let (track_s, cylinder_s) = match self.params.access_mode {
            AccessMode::Bidirectional | AccessMode::Serpentine => (turn_s, turn_s),
            AccessMode::Parity => (back_s, turn_s),
            AccessMode::Unidirectional => (back_s, back_s),
        };
        let x_s = match self.params.cylinder_switch {
            CylinderSwitch::TipDeflection => 0.0,
            CylinderSwitch::Seek => self.motion.seek_x_s(0.0, self.geometry.bits_m(1)),
        };
        ((tracks - 1.0) * track_s + cylinder_s.max(x_s)) / tracks
    }

    fn max_seek_s(&self) -> f64 {
        let reach_m = self.params.stroke_x_nm as f64 * 0.5e-9;
        let rows = spread(self.motion.row_count() + 1, ROWS_MAX);
        let ends: Vec<Boundary> = Direction::BOTH
            .into_iter()
            .flat_map(|direction| rows.clone().map(move |row| Boundary { row, direction }))
            .collect();
        let pairs = ends.iter().flat_map(|from| ends.iter().map(move |to| (*from, *to)));
        let y_s = pairs.map(|(from, to)| self.motion.between_s(from, to)).fold(0.0, f64::max);
        self.motion.seek_x_s(-reach_m, reach_m).max(y_s)
    }

    /// The mean over all pairs of cylinders and of rows. The sled comes from the end of a row in either
    /// direction, or in that of its cylinder (parity); the target direction is chosen by the access mode.
    fn mean_seek_s(&self) -> f64 {
        let fixed = self.params.access_mode == AccessMode::Parity;
        let columns: Vec<[CostsY; 2]> = if fixed {
            Direction::BOTH
                .map(|from| Direction::BOTH.map(|to| CostsY::new(&self.motion, &[from], &[to])))
                .into()
        } else {
            let towards: &[Direction] = match self.params.access_mode {
                AccessMode::Unidirectional => &[Direction::Up],
                _ => &Direction::BOTH,
            };
            let from: &[Direction] = if towards.len() == 1 { &[Direction::Up] } else { &Direction::BOTH };
            let costs = CostsY::new(&self.motion, from, towards);
            vec![[costs.clone(), costs.clone()], [costs.clone(), costs]]
        };
        let cylinders = spread(self.geometry.cylinders as u32, CYLINDERS_MAX);
        let places: Vec<f64> =
            cylinders.map(|cylinder| self.motion.cylinder_m(u64::from(cylinder))).collect();
        let mut sum_s = 0.0;
        for (from, &from_m) in places.iter().enumerate() {
            sum_s += columns[from % 2][from % 2].mean_of_max(0.0, &mut 0);
            // The time in x grows with the distance, so each place among the sorted costs is found from the last.
            let mut below = [[0; 2]; 2];
            for (to, &to_m) in places.iter().enumerate().skip(from + 1) {
                let x_s = self.motion.seek_x_s(from_m, to_m);
                let (a, b) = (from % 2, to % 2);
                sum_s += columns[a][b].mean_of_max(x_s, &mut below[0][b]);
                sum_s += columns[b][a].mean_of_max(x_s, &mut below[1][b]);
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
}

/// The distribution of times in y between random rows.
#[derive(Clone)]
struct CostsY {
    /// In ascending order.
    costs_s: Vec<f64>,
    /// Sums of the costs from each on to the last.
    tails_s: Vec<f64>,
}

impl CostsY {
    fn new(motion: &Motion, from: &[Direction], towards: &[Direction]) -> Self {
        let rows = spread(motion.row_count(), ROWS_MAX);
        let mut costs_s = Vec::new();
        for &direction in from {
            for row in rows.clone() {
                let end = Boundary { row: row + u32::from(direction == Direction::Up), direction };
                for target in rows.clone() {
                    let begin = |direction| Boundary {
                        row: target + u32::from(direction == Direction::Down),
                        direction,
                    };
                    let best = towards.iter().map(|&d| motion.between_s(end, begin(d)));
                    costs_s.push(best.fold(f64::INFINITY, f64::min));
                }
            }
        }
        costs_s.sort_by(f64::total_cmp);
        let mut tails_s = vec![0.0; costs_s.len() + 1];
        for at in (0..costs_s.len()).rev() {
            tails_s[at] = tails_s[at + 1] + costs_s[at];
        }
        Self { costs_s, tails_s }
    }

    /// The mean of the larger of `x_s` and a time in y. `below` counts the costs less than `x_s`; it comes in
    /// as the count for a smaller one.
    fn mean_of_max(&self, x_s: f64, below: &mut usize) -> f64 {
        while *below < self.costs_s.len() && self.costs_s[*below] < x_s {
            *below += 1;
        }
        (*below as f64 * x_s + self.tails_s[*below]) / self.costs_s.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_all_or_goes_from_end_to_end() {
        assert_eq!(spread(5, 10).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(spread(101, 3).collect::<Vec<_>>(), [0, 50, 100]);
        assert_eq!(spread(1, 10).collect::<Vec<_>>(), [0]);
    }
}
