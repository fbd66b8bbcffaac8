//! Hashes of the contents of an image, which show if two images are equal.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;

use super::image::TORN;
use super::{Picked, Sectors};
use crate::history::{hash, History};
use crate::store::{is_zero, SECTOR_BYTES};

/// Number of sectors that are read from the history and hashed in one step.
const PART_SECTORS: u64 = 2048;

/// Hash of the sector with number `sector` and contents `data`; 0 if all bytes of `data` are zero.
pub(super) fn of_sector(sector: u64, data: &[u8]) -> u64 {
    if is_zero(data) {
        0
    } else {
        hash(sector + 1, data)
    }
}

/// Hashes of the sectors of an image, and their sum, which is the hash of the whole image.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    /// Hashes of all sectors whose data are not zeros, by sector.
    sectors: BTreeMap<u64, u64>,
    sum: u64,
    /// Hashes of the sectors of each write that has data, by number of the write.
    writes: HashMap<usize, Vec<u64>>,
}

impl Picture {
    /// Return the hashes of the contents at the start of a history.
    pub(super) fn before(history: &History) -> io::Result<Self> {
        let mut picture = Self::default();
        for extent in history.state() {
            let (offset, data) = extent?;
            for (at, data) in data.chunks(SECTOR_BYTES as usize).enumerate() {
                let sector = offset / SECTOR_BYTES + at as u64;
                picture.set(sector, of_sector(sector, data));
            }
        }
        Ok(picture)
    }

    fn set(&mut self, sector: u64, number: u64) {
        let before = match number {
            0 => self.sectors.remove(&sector),
            _ => self.sectors.insert(sector, number),
        };
        self.sum = self.sum.wrapping_add(number).wrapping_sub(before.unwrap_or(0));
    }

    /// Replace the hashes of sectors of the medium by the hashes of a write whose data have reached these
    /// sectors. `sectors` are counted from the start of the write.
    pub(super) fn settle(
        &mut self,
        history: &History,
        write: usize,
        sectors: &[Range<u64>],
    ) -> io::Result<()> {
        let about = history.writes[write];
        let first = about.offset / SECTOR_BYTES;
        if about.is_zeros() {
            for range in sectors {
                let touched = first + range.start..first + range.end;
                let gone: Vec<u64> = self.sectors.range(touched).map(|(&sector, _)| sector).collect();
                gone.into_iter().for_each(|sector| self.set(sector, 0));
            }
            return Ok(());
        }
        self.learn(history, write)?;
        let numbers =
            self.writes.remove(&write).expect("the hashes of the write's sectors have been computed");
        for at in sectors.iter().cloned().flatten() {
            self.set(first + at, numbers[at as usize]);
        }
        Ok(())
    }

    /// Drop the stored hashes of all writes that are not open any more; `is_open` returns true for the number
    /// of an open write.
    pub(super) fn forget(&mut self, is_open: impl Fn(usize) -> bool) {
        self.writes.retain(|write, _| is_open(*write));
    }

    /// Read the data of a write from the history, compute the hashes of its sectors, and store these hashes.
    fn learn(&mut self, history: &History, write: usize) -> io::Result<()> {
        if self.writes.contains_key(&write) {
            return Ok(());
        }
        let about = history.writes[write];
        let mut numbers = Vec::with_capacity(about.sectors() as usize);
        let mut data = Vec::new();
        for start in (0..about.sectors()).step_by(PART_SECTORS as usize) {
            let count = PART_SECTORS.min(about.sectors() - start);
            data.resize((count * SECTOR_BYTES) as usize, 0);
            history.read(&about, start * SECTOR_BYTES, &mut data)?;
            let first = about.offset / SECTOR_BYTES + start;
            let parts = data.chunks(SECTOR_BYTES as usize).zip(first..);
            numbers.extend(parts.map(|(data, sector)| of_sector(sector, data)));
        }
        self.writes.insert(write, numbers);
        Ok(())
    }

    /// Return the hash of the contents if the open writes `picked` are added.
    pub(super) fn with(&mut self, history: &History, picked: &Picked) -> io::Result<u64> {
        for (write, _) in picked.kept.iter().filter(|(write, _)| !history.writes[*write].is_zeros()) {
            self.learn(history, *write)?;
        }
        let mut over = Over { base: self, sectors: HashMap::new() };
        for (write, sectors) in &picked.kept {
            over.put(history, *write, sectors);
        }
        for (write, sectors) in &picked.torn {
            let first = history.writes[*write].offset / SECTOR_BYTES;
            for at in sectors.iter().cloned().flatten() {
                over.sectors.insert(first + at, of_sector(first + at, TORN));
            }
        }
        Ok(over.sum())
    }
}

/// Hashes of an image that differs from the picture `base` only in the sectors listed here.
struct Over<'a> {
    base: &'a Picture,
    sectors: HashMap<u64, u64>,
}

impl Over<'_> {
    fn put(&mut self, history: &History, write: usize, sectors: &Sectors) {
        let first = history.writes[write].offset / SECTOR_BYTES;
        let numbers = self.base.writes.get(&write);
        for range in sectors {
            if let Some(numbers) = numbers {
                for at in range.clone() {
                    self.sectors.insert(first + at, numbers[at as usize]);
                }
                continue;
            }
            // Zeros can span terabytes: visit only sectors that have other data.
            let touched = first + range.start..first + range.end;
            self.sectors
                .iter_mut()
                .filter(|(sector, _)| touched.contains(sector))
                .for_each(|(_, over)| *over = 0);
            for (&sector, _) in self.base.sectors.range(touched) {
                self.sectors.insert(sector, 0);
            }
        }
    }

    fn sum(&self) -> u64 {
        self.sectors.iter().fold(self.base.sum, |sum, (sector, over)| {
            let below = self.base.sectors.get(sector).copied().unwrap_or(0);
            sum.wrapping_add(*over).wrapping_sub(below)
        })
    }
}
