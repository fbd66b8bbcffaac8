//! A map from sectors of the disk to places in the log.

use crate::volume::sparse::Sparse;

/// Number of consecutive sectors of the disk whose places are stored together, as one unit.
const UNIT: u64 = 32;
/// Value that stands for no place, for a sector that is not in the log.
const NONE: u32 = u32::MAX;

/// A map from sectors of the disk to places in the log: each sector has an entry of its own (003-F4).
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceMap {
    /// Index in `units` for each 32 consecutive sectors of the disk, plus one; zero if none of them is in the log.
    by_sectors: Sparse<u32>,
    units: Vec<Unit>,
    free: Vec<u32>,
    /// Number of sectors of the disk that are in the log.
    pub mapped: u64,
}

/// The places of 32 consecutive sectors of the disk.
#[derive(Clone, Copy, Debug)]
struct Unit {
    places: [u32; UNIT as usize],
    /// Number of these sectors that are in the log.
    mapped: u32,
}

/// A run: consecutive sectors of the disk that are at consecutive places in the log, or that are all not in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub sector: u64,
    pub sectors: u64,
    pub place: Option<u32>,
}

impl PlaceMap {
    /// True if no sector of the disk is in the log.
    pub fn is_empty(&self) -> bool {
        self.mapped == 0
    }

    /// The unit of the 32 sectors from `32 * number` on, mutable; created if missing.
    fn unit(&mut self, number: u64) -> &mut Unit {
        let at = self.by_sectors.get_mut(number);
        if *at == 0 {
            *at = self.free.pop().unwrap_or_else(|| {
                self.units.push(Unit { places: [NONE; UNIT as usize], mapped: 0 });
                self.units.len() as u32
            });
        }
        &mut self.units[*at as usize - 1]
    }

    /// Maps `sectors` sectors of the disk from `sector` on to consecutive places from `place` on.
    pub fn set(&mut self, sector: u64, sectors: u64, place: u32) {
        let mut next = place;
        for (number, from, to) in units(sector, sectors) {
            let unit = self.unit(number);
            let places = &mut unit.places[from..to];
            let new = places.iter().filter(|place| **place == NONE).count() as u32;
            for (place, next) in places.iter_mut().zip(next..) {
                *place = next;
            }
            unit.mapped += new;
            self.mapped += u64::from(new);
            next += (to - from) as u32;
        }
    }

    /// Removes `sectors` sectors of the disk from `sector` on. If `still` is a place, removes only the sectors that are
    /// still mapped to consecutive places from `still` on.
    pub fn remove(&mut self, sector: u64, sectors: u64, still: Option<u32>) {
        for (number, from, to) in units(sector, sectors) {
            let at = self.by_sectors.get(number);
            if at == 0 {
                continue;
            }
            let unit = &mut self.units[at as usize - 1];
            let first = still.map(|still| still + (number * UNIT + from as u64 - sector) as u32);
            let mut gone = 0;
            for (place, offset) in unit.places[from..to].iter_mut().zip(0..) {
                let is_gone = *place != NONE && first.is_none_or(|first| *place == first + offset);
                gone += u32::from(is_gone);
                *place = if is_gone { NONE } else { *place };
            }
            unit.mapped -= gone;
            self.mapped -= u64::from(gone);
            if unit.mapped == 0 {
                self.free.push(std::mem::take(self.by_sectors.get_mut(number)));
            }
        }
    }

    /// Divides `sectors` sectors of the disk from `sector` on into runs, and appends these runs to `runs`.
    pub fn runs(&self, sector: u64, sectors: u64, runs: &mut Vec<Run>) {
        let first = runs.len();
        let mut add = |sector, sectors, place| match runs[first..].last_mut() {
            Some(run) if run.goes_on_at(place) => run.sectors += sectors,
            _ => runs.push(Run { sector, sectors, place }),
        };
        for (number, from, to) in units(sector, sectors) {
            let start = number * UNIT;
            let at = self.by_sectors.get(number);
            if at == 0 {
                add(start + from as u64, (to - from) as u64, None);
                continue;
            }
            let places = &self.units[at as usize - 1].places;
            let mut at = from;
            while at < to {
                let place = places[at];
                let follows = |at: usize| match place {
                    NONE => places[at] == NONE,
                    _ => places[at] == places[at - 1].wrapping_add(1) && places[at] != NONE,
                };
                let end = (at + 1..to).find(|at| !follows(*at)).unwrap_or(to);
                add(start + at as u64, (end - at) as u64, (place != NONE).then_some(place));
                at = end;
            }
        }
    }
}

impl Run {
    fn goes_on_at(&self, place: Option<u32>) -> bool {
        match (self.place, place) {
            (None, None) => true,
            (Some(first), Some(place)) => u64::from(place) == u64::from(first) + self.sectors,
            _ => false,
        }
    }
}

/// The units of 32 sectors that `sectors` sectors from `sector` on touch. For each: its number, the index of the first
/// of these sectors in it, and the index behind the last.
fn units(sector: u64, sectors: u64) -> impl Iterator<Item = (u64, usize, usize)> {
    let end = sector + sectors;
    (sector / UNIT..end.div_ceil(UNIT)).map(move |unit| {
        let first = unit * UNIT;
        (unit, (sector.max(first) - first) as usize, (end - first).min(UNIT) as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Checks that memory of removed sectors is used again, after any number of writes.
    #[test]
    fn the_map_is_as_large_as_what_lies_in_the_log() {
        let mut map = PlaceMap::default();
        for at in 0..1000 {
            map.set(at * 64, 64, 0);
            map.remove(at * 64, 64, (at % 2 == 0).then_some(0));
            assert!(map.is_empty());
        }
        assert_eq!(map.units.len(), 2);
    }

    proptest! {
        /// Compares the map with a simple model that has one entry for each sector.
        #[test]
        fn the_map_is_a_table_of_sectors(
            steps in prop::collection::vec((0_u64..60, 1_u64..30, 0_u32..100, 0..4), 1..60),
        ) {
            let (mut map, mut table) = (PlaceMap::default(), BTreeMap::new());
            for (sector, sectors, place, what) in steps {
                let rows = (sector..sector + sectors).zip(place..);
                match what {
                    0 => {
                        map.remove(sector, sectors, None);
                        table.retain(|at, _| !(sector..sector + sectors).contains(at));
                    }
                    1 => {
                        map.remove(sector, sectors, Some(place));
                        rows.for_each(|(at, place)| if table.get(&at) == Some(&place) { table.remove(&at); });
                    }
                    _ => {
                        map.set(sector, sectors, place);
                        table.extend(rows);
                    }
                }
                let mut runs = Vec::new();
                map.runs(3, 80, &mut runs);
                let flat: Vec<(u64, Option<u32>)> = runs
                    .iter()
                    .flat_map(|run| (0..run.sectors).map(|at| (run.sector + at, run.place.map(|p| p + at as u32))))
                    .collect();
                let expected: Vec<_> = (3..83).map(|at| (at, table.get(&at).copied())).collect();
                prop_assert_eq!(flat, expected);
                prop_assert!(runs.windows(2).all(|pair| !pair[0].goes_on_at(pair[1].place)));
                prop_assert_eq!(map.mapped, table.len() as u64);
                prop_assert_eq!(map.is_empty(), table.is_empty());
            }
        }
    }
}
