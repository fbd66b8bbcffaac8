//! What a device can do: the figures of a data sheet, computed from the model itself.

use super::motion::{Boundary, Direction, Motion};
use super::plan::Plan;
use super::{Cantilevers, Mems};
use crate::params::{AccessMode, Mechanism};
use crate::request::{Op, Request};
use crate::time::Time;

/// Bytes of the small random access that papers quote.
const SMALL_ACCESS_BYTES: u64 = 4096;
const MIB: f64 = 1_048_576.0;

/// Means and maxima go over all cylinders and rows, and over so many evenly spaced ones where there are more.
/// The means so found are within one in a hundred thousand of those over all.
const CYLINDERS_MAX: u32 = 512;
const ROWS_MAX: u32 = 256;
/// Places in x between which the longest seek is looked for.
const PLACES: u32 = 65;
/// Rows that are planned one by one for the rate of a long read.
const PLANNED_ROWS_MAX: u64 = 1 << 20;

/// All numbers below `count`, or the middle ones of `most` equal parts of them: for means.
fn sample(count: u32, most: u32) -> impl Iterator<Item = u32> + Clone {
    let chosen = u64::from(count.min(most));
    (0..chosen).map(move |at| ((2 * at + 1) * u64::from(count) / (2 * chosen)) as u32)
}

/// All numbers below `count`, or `most` of them from the first to the last: for maxima.
fn spread(count: u32, most: u32) -> impl Iterator<Item = u32> + Clone {
    let chosen = count.min(most);
    let step = u64::from(count - 1);
    (0..chosen).map(move |at| (u64::from(at) * step / u64::from((chosen - 1).max(1))) as u32)
}

/// Declares the figures once: the struct, and its fields as pairs of name and value.
macro_rules! characteristics {
    ($( $(#[doc = $doc:literal])+ $name:ident: $type:ident; )+) => {
        /// The characteristics of a device. Times exclude command overhead and bus, as the papers' do (001-D6).
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Characteristics {
            $( $(#[doc = $doc])+ pub $name: $type, )+
        }

        impl Characteristics {
            /// Every figure by its name, in the order in which they are shown.
            #[must_use]
            pub fn figures(&self) -> Vec<(&'static str, Figure)> {
                vec![ $( (stringify!($name), Figure::from(self.$name)), )+ ]
            }
        }
    };
}

/// A figure of a data sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// A count.
    Whole(u64),
    /// A quantity.
    Real(f64),
}

impl From<u64> for Figure {
    fn from(value: u64) -> Self {
        Self::Whole(value)
    }
}

impl From<f64> for Figure {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

characteristics! {
    /// Formatted capacity: whole tip sectors, without servo bursts and margins (001-C1, 003-C9).
    capacity_bytes: u64;
    /// Capacity of every bit cell at the encoding rate, servo bursts and margins included (002-C3, 002-D5).
    capacity_gross_bytes: u64;
    /// Bits on so much medium (001-C10).
    density_bits_per_m2: f64;
    /// Logical blocks.
    blocks: u64;
    /// Bytes of a logical block.
    block_bytes: u64;
    /// Cylinders of a sled.
    cylinders: u64;
    /// Tracks in a cylinder.
    tracks_per_cylinder: u64;
    /// Rows in a track.
    rows_per_track: u64;
    /// Blocks in a row.
    blocks_per_row: u64;
    /// Tip sectors in a row: one under each active tip that belongs to a block (001-C4).
    tip_sectors_per_row: u64;
    /// Tip sectors in a track (001-C3).
    tip_sectors_per_track: u64;
    /// Bytes of a row (001-C4).
    row_bytes: u64;
    /// Bytes of a track (001-C3).
    track_bytes: u64;
    /// Bytes of a cylinder (001-C3).
    cylinder_bytes: u64;
    /// Bit positions along y that no row takes.
    spare_bits_y: u64;
    /// Bits that one tip passes in a second (001-C8, 002-C4).
    tip_bits_per_s: f64;
    /// Settling time before a read (002-C1).
    settle_s: f64;
    /// Settling time before a write.
    write_settle_s: f64;
    /// Turnaround in the centre (002-C2).
    turnaround_s: f64;
    /// A row passing under the tips (001-C4).
    row_s: f64;
    /// All rows of a track (001-C4).
    track_s: f64;
    /// Rate within a track (001-C5).
    streaming_bytes_per_s: f64;
    /// Rate of a long sequential access, with its track and cylinder switches.
    sustained_bytes_per_s: f64;
    /// The longest seek, in x with settling or in y.
    max_seek_s: f64;
    /// Mean seek between random cylinders and rows, in the direction that the access mode allows or prefers.
    mean_seek_s: f64;
    /// Mean random access to 4 KiB that do not straddle more rows than they need (001-C2, D7).
    mean_access_4k_s: f64;
    /// Such accesses a second, one after the other (001-C2).
    random_4k_per_s: f64;
    /// Gamma: random accesses a second for each MiB a second of streaming (001-F10, C6).
    gamma_per_mib: f64;
}

impl Mems {
    /// The characteristics of this device.
    #[must_use]
    pub fn characteristics(&self) -> Characteristics {
        let (g, p) = (&self.geometry, &self.params);
        let track_s = g.rows_per_track as f64 * self.motion.row_s();
        let track_bytes = g.blocks_per_track() * g.block_bytes;
        let streaming_bytes_per_s = track_bytes as f64 / track_s;
        let mean_seek_s = self.mean_seek_s(CYLINDERS_MAX);
        let small_rows = SMALL_ACCESS_BYTES.div_ceil(g.block_bytes).div_ceil(g.blocks_per_row);
        let mean_access_4k_s = mean_seek_s + small_rows as f64 * self.motion.row_s();
        let bits = u128::from(g.cylinders * g.region_bits_y) * u128::from(p.tips * p.sleds);
        let gross = bits * u128::from(p.sector_data_bytes) / u128::from(p.sector_encoded_bits);
        let tip_sectors_per_row = g.blocks_per_row * p.tips_per_block;
        Characteristics {
            capacity_bytes: g.blocks() * g.block_bytes,
            capacity_gross_bytes: gross as u64,
            density_bits_per_m2: g.bits_m(1).powi(-2),
            blocks: g.blocks(),
            block_bytes: g.block_bytes,
            cylinders: g.cylinders,
            tracks_per_cylinder: g.tracks_per_cylinder,
            rows_per_track: g.rows_per_track,
            blocks_per_row: g.blocks_per_row,
            tip_sectors_per_row,
            tip_sectors_per_track: tip_sectors_per_row * g.rows_per_track,
            row_bytes: g.blocks_per_row * g.block_bytes,
            track_bytes,
            cylinder_bytes: g.tracks_per_cylinder * track_bytes,
            spare_bits_y: g.region_bits_y - (g.rows_per_track * g.row_bits + g.servo_bits),
            tip_bits_per_s: p.access_velocity_mm_per_s * 1e-3 / g.bits_m(1),
            settle_s: self.motion.settle_s(),
            write_settle_s: self.motion.write_settle_s(),
            turnaround_s: self.motion.turnaround_s(0.0, 1.0),
            row_s: self.motion.row_s(),
            track_s,
            streaming_bytes_per_s,
            sustained_bytes_per_s: self.sustained_bytes_per_s(),
            max_seek_s: self.max_seek_s(),
            mean_seek_s,
            mean_access_4k_s,
            random_4k_per_s: 1.0 / mean_access_4k_s,
            gamma_per_mib: MIB / (mean_access_4k_s * streaming_bytes_per_s),
        }
    }

    /// The rate of a long read, as it is planned: of some cylinders in the middle, less that of fewer, so that
    /// there is a switch to each track and cylinder.
    fn sustained_bytes_per_s(&self) -> f64 {
        let g = &self.geometry;
        let rows_s = |rows: u64| rows as f64 * self.motion.row_s();
        let [few, some] = [1, 2].map(|part| part * (g.cylinders / 2).clamp(1, 2));
        let all_rows = some * g.tracks_per_cylinder * g.rows_per_track;
        if g.cylinders == 1 || all_rows > PLANNED_ROWS_MAX {
            // So many rows that switches between them do not count, or nowhere to go on to.
            return g.blocks_per_track() as f64 * g.block_bytes as f64 / rows_s(g.rows_per_track);
        }
        let lbn = (g.cylinders - some) / 2 * g.blocks_per_cylinder();
        let [few_s, some_s] = [few, some].map(|cylinders| {
            let blocks = (cylinders * g.blocks_per_cylinder()) as u32;
            let plan = self.plan_alone(&Request { row: 0, lbn, blocks, op: Op::Read, data_from: Time::ZERO });
            plan.switching.as_s() + rows_s(plan.rows)
        });
        ((some - few) * g.blocks_per_cylinder() * g.block_bytes) as f64 / (some_s - few_s)
    }

    /// The plan of a request by the mechanism of this device.
    fn plan_alone(&self, request: &Request) -> Plan {
        match self.params.mechanism {
            Mechanism::Sled => self.plan(Time::ZERO, request),
            Mechanism::Cantilevers => Cantilevers::new(self.clone()).plan_alone(request),
        }
    }

    fn max_seek_s(&self) -> f64 {
        let reach_m = self.params.stroke_x_nm as f64 * 0.5e-9;
        let places_m = (0..PLACES).map(|at| reach_m * (2.0 * at as f64 / (PLACES - 1) as f64 - 1.0));
        let pairs_m = places_m.clone().flat_map(|from_m| places_m.clone().map(move |to_m| (from_m, to_m)));
        let x_s = pairs_m.map(|(from_m, to_m)| self.motion.seek_x_s(from_m, to_m)).fold(0.0, f64::max);
        let rows = spread(self.motion.row_count() + 1, ROWS_MAX);
        let ends: Vec<Boundary> = Direction::BOTH
            .into_iter()
            .flat_map(|direction| rows.clone().map(move |row| Boundary { row, direction }))
            .collect();
        let pairs = ends.iter().flat_map(|from| ends.iter().map(move |to| (*from, *to)));
        let y_s = pairs.map(|(from, to)| self.motion.between_s(from, to)).fold(0.0, f64::max);
        x_s.max(y_s)
    }

    /// The mean over all pairs of cylinders and of rows. The sled comes from the end of a row in either
    /// direction, or in that of its cylinder (parity); the target direction is chosen by the access mode.
    fn mean_seek_s(&self, cylinders_max: u32) -> f64 {
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
        let cylinders = sample(self.geometry.cylinders as u32, cylinders_max);
        let places: Vec<f64> =
            cylinders.map(|cylinder| self.motion.cylinder_m(u64::from(cylinder))).collect();
        // Where cylinders stand for several, a seek within those is on average one across a third of them.
        let share = places.len() as f64 / self.geometry.cylinders as f64;
        let within_m = self.geometry.bits_m(1) / (3.0 * share);
        let mut sum_s = 0.0;
        let mut times_s = vec![[0.0; 2]; places.len()];
        for (from, &from_m) in places.iter().enumerate() {
            let near_s = self.motion.seek_x_s(from_m - 0.5 * within_m, from_m + 0.5 * within_m);
            let near = &columns[from % 2][from % 2];
            sum_s += share * near.mean_of_max(0.0, &mut 0) + (1.0 - share) * near.mean_of_max(near_s, &mut 0);
            self.motion.both_ways_s(from_m, &places[from + 1..], &mut times_s);
            // The time in x mostly grows with the distance, so each place among the sorted costs is found from
            // the last.
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
        let rows = sample(motion.row_count(), ROWS_MAX);
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
    /// as the count for another time, best one near it.
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
    use crate::params::load_builtin;

    #[test]
    fn a_spread_is_all_or_goes_from_end_to_end() {
        assert_eq!(spread(5, 10).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(spread(101, 3).collect::<Vec<_>>(), [0, 50, 100]);
        assert_eq!(spread(1, 10).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn the_mean_over_a_sample_is_that_over_all() {
        for name in ["osdi00", "mascots03", "sigmetrics00"] {
            let device = Mems::new(&load_builtin(name)).expect("a built-in device is valid");
            let (sampled_s, all_s) = (device.mean_seek_s(CYLINDERS_MAX), device.mean_seek_s(u32::MAX));
            assert!((sampled_s / all_s - 1.0).abs() < 1e-5, "{name}: {sampled_s} against {all_s}");
        }
    }

    #[test]
    fn a_sample_is_all_or_lies_in_the_middle_of_equal_parts() {
        assert_eq!(sample(5, 10).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(sample(100, 4).collect::<Vec<_>>(), [12, 37, 62, 87]);
    }
}
