//! Compares the parts of a RAID-5 with a small model of left-symmetric RAID-5. The model marks each sector that is to
//! be read or written.

use proptest::prelude::*;

use super::{parts, raid5};
use crate::request::Op;
use crate::volume::Part;
use std::ops::Range;

/// The marked sectors: one truth value for each sector of each device.
type Marks = Vec<Vec<bool>>;

/// Number of stripes on the devices.
const STRIPES: u64 = 12;

#[derive(Clone, Copy, Debug)]
struct Model {
    devices: u64,
    unit: u64,
    /// Longest gap in sectors between two ranges for which one part reads both ranges and the gap.
    gap: u64,
    missing: Option<u64>,
}

/// Sectors of one stripe for which a write computes the new parity together, as the model finds them.
#[derive(Clone, Debug)]
struct Run {
    rows: Range<u64>,
    /// True if the parity can be computed by read-modify-write and by reconstruction, with different reads.
    is_open: bool,
    /// The sectors to be read, each as device and sector: for read-modify-write (old data and old parity), and for
    /// reconstruction (unchanged data).
    reads: [Vec<(u64, u64)>; 2],
}

impl Model {
    fn none(&self) -> Marks {
        vec![vec![false; (STRIPES * self.unit) as usize]; self.devices as usize]
    }

    /// The device with the parity of the sector `row` of each device. The first stripe has its parity on the last
    /// device, and each further stripe one device before.
    fn parity(&self, row: u64) -> u64 {
        self.devices - 1 - row / self.unit % self.devices
    }

    /// The place of the sector `sector` of the volume: its device, and its sector there. The data of a stripe start on
    /// the device behind its parity.
    fn place(&self, sector: u64) -> (u64, u64) {
        let of_stripe = self.unit * (self.devices - 1);
        let row = sector / of_stripe * self.unit + sector % self.unit;
        ((self.parity(row) + 1 + sector % of_stripe / self.unit) % self.devices, row)
    }

    fn there(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.devices).filter(|device| Some(*device) != self.missing)
    }

    /// The marks `marks`, to which the sectors of each gap of at most `gap` sectors are added.
    fn filled(&self, mut marks: Marks, gap: u64) -> Marks {
        for rows in &mut marks {
            let set: Vec<usize> = (0..rows.len()).filter(|row| rows[*row]).collect();
            for pair in set.windows(2).filter(|pair| (pair[1] - pair[0] - 1) as u64 <= gap) {
                rows[pair[0]..pair[1]].fill(true);
            }
        }
        marks
    }

    fn read(&self, range: Range<u64>) -> Marks {
        let mut marks = self.none();
        for (device, row) in range.map(|sector| self.place(sector)) {
            if self.missing == Some(device) {
                self.there().for_each(|other| marks[other as usize][row as usize] = true);
            } else {
                marks[device as usize][row as usize] = true;
            }
        }
        self.filled(marks, self.gap)
    }

    /// Divides the sectors with new data in `data` into runs: each lies in one stripe, and its gaps are short enough to
    /// be read.
    fn runs(&self, data: &Marks) -> Vec<Run> {
        let touched: Vec<u64> =
            (0..STRIPES * self.unit).filter(|row| data.iter().any(|rows| rows[*row as usize])).collect();
        let mut runs: Vec<Range<u64>> = Vec::new();
        for row in touched {
            match runs.last_mut() {
                Some(run) if run.start / self.unit == row / self.unit && row - run.end <= self.gap => {
                    run.end = row + 1;
                }
                _ => runs.push(row..row + 1),
            }
        }
        runs.into_iter().map(|rows| self.run(rows, data)).collect()
    }

    fn run(&self, rows: Range<u64>, data: &Marks) -> Run {
        let parity = self.parity(rows.start);
        let is_new = |device: u64, row: u64| data[device as usize][row as usize];
        let places = |device: u64| rows.clone().map(move |row| (device, row));
        let all: Vec<(u64, u64)> = self.there().flat_map(places).collect();
        let kept = |keep: &dyn Fn(u64, u64) -> bool| -> Vec<(u64, u64)> {
            all.iter().copied().filter(|(device, row)| keep(*device, *row)).collect()
        };
        let old = kept(&|device, row| device == parity || is_new(device, row));
        let others = kept(&|device, row| device != parity && !is_new(device, row));
        let of_devices = (0..self.devices).filter(|device| *device != parity);
        let is_full = of_devices.flat_map(places).all(|(device, row)| is_new(device, row));
        let reads = match self.missing {
            _ if is_full => [Vec::new(), Vec::new()],
            Some(missing) if missing == parity => [Vec::new(), Vec::new()],
            Some(missing) if rows.clone().all(|row| !is_new(missing, row)) => [old.clone(), old],
            Some(missing) if rows.clone().all(|row| is_new(missing, row)) => [others.clone(), others],
            Some(_) => [all.clone(), all],
            None => [old, others],
        };
        Run { rows, is_open: reads[0] != reads[1], reads }
    }

    /// Marks of the sectors that a write reads before it writes. Bit i of `reconstructed` is set if the i-th run for
    /// which both methods are possible uses reconstruction.
    fn old(&self, runs: &[Run], reconstructed: u32) -> Marks {
        let (mut marks, mut bits) = (self.none(), reconstructed);
        for run in runs {
            let way = if run.is_open { bits & 1 } else { 0 };
            bits >>= u32::from(run.is_open);
            run.reads[way as usize]
                .iter()
                .for_each(|(device, row)| marks[*device as usize][*row as usize] = true);
        }
        self.filled(marks, self.gap)
    }

    /// Marks of the sectors that a write changes: data and parity, on devices that are present.
    fn written(&self, data: &Marks, runs: &[Run]) -> Marks {
        let mut marks = data.clone();
        for run in runs {
            run.rows.clone().for_each(|row| marks[self.parity(row) as usize][row as usize] = true);
        }
        self.missing.into_iter().for_each(|missing| marks[missing as usize].fill(false));
        marks
    }
}

/// The largest number of parts on one device, and the number of parts on all devices, if each run of marked sectors is
/// one part.
fn cost(marks: &Marks) -> (usize, usize) {
    let begins =
        |rows: &Vec<bool>| (0..rows.len()).filter(|row| rows[*row] && (*row == 0 || !rows[row - 1])).count();
    let of_each: Vec<usize> = marks.iter().map(begins).collect();
    (*of_each.iter().max().unwrap(), of_each.iter().sum())
}

/// Marks of the sectors that the parts of a round read or write. Asserts that no sector occurs twice, and that the
/// parts are as few as possible.
fn marks(model: &Model, round: &[Part], op: Op, gap: u64) -> Marks {
    let mut marks = model.none();
    for part in round {
        assert_eq!(part.op, op);
        for row in part.sector..part.sector + u64::from(part.sectors) {
            assert!(
                !std::mem::replace(&mut marks[part.member as usize][row as usize], true),
                "{part:?} twice"
            );
        }
    }
    assert_eq!(cost(&model.filled(marks.clone(), gap)).1, round.len(), "{round:?}");
    marks
}

fn models() -> impl Strategy<Value = Model> {
    (3_u64..8, 1_u64..6, 0_u64..5).prop_flat_map(|(devices, unit_kib, gap_kib)| {
        prop::option::of(0..devices).prop_map(move |missing| Model {
            devices,
            unit: 2 * unit_kib,
            gap: 2 * gap_kib,
            missing,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn parts_are_those_of_the_model(
        model in models(), write in prop::sample::select(vec![None, Some("auto"), Some("rmw"), Some("reconstruct")]),
        first: prop::sample::Index, sectors in 1_u64..90,
    ) {
        let Model { devices, unit, gap, missing } = model;
        let of_volume = STRIPES * unit * (devices - 1);
        let sectors = sectors.min(of_volume);
        let first = first.index((of_volume - sectors + 1) as usize) as u64;
        let missing = missing.map_or("none".to_owned(), |missing| missing.to_string());
        let text = format!(
            "devices={devices},stripe_unit_kib={},merge_gap_kib={},failed_device={missing},write={}",
            unit / 2, gap / 2, write.unwrap_or("auto")
        );
        let mut volume = raid5(&text, STRIPES * unit + 1).unwrap();
        let op = if write.is_some() { Op::Write } else { Op::Read };
        let mut rounds = parts(&mut volume, devices as u32, op, first, sectors as u32);
        let range = first..first + sectors;
        let Some(write) = write else {
            prop_assert_eq!(rounds.len(), 1);
            prop_assert_eq!(marks(&model, &rounds[0], Op::Read, gap), model.read(range));
            return Ok(());
        };
        let mut data = model.none();
        for (device, row) in range.map(|sector| model.place(sector)) {
            data[device as usize][row as usize] = true;
        }
        let runs = model.runs(&data);
        let last = rounds.pop().unwrap();
        prop_assert_eq!(marks(&model, &last, Op::Write, 0), model.written(&data, &runs));
        let read = rounds.pop().unwrap_or_default();
        prop_assert!(rounds.is_empty());
        let open = runs.iter().filter(|run| run.is_open).count() as u32;
        let found = marks(&model, &read, Op::Read, gap);
        let ways: Vec<Marks> = match write {
            "rmw" => vec![model.old(&runs, 0)],
            "reconstruct" => vec![model.old(&runs, u32::MAX)],
            _ => {
                let all: Vec<Marks> = (0..1 << open).map(|bits| model.old(&runs, bits)).collect();
                let least = all.iter().map(cost).min().unwrap();
                all.into_iter().filter(|marks| cost(marks) == least).collect()
            }
        };
        prop_assert!(ways.contains(&found), "{:?} {:?}", found, ways);
    }
}
