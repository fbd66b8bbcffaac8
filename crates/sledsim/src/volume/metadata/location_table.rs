//! The table that says which metadata have places on the MEMS device, and what is there (003-F2).
//!
//! A unit of the disk has a slot on the device. The table says for each sector of a slot whether it holds the newest
//! version; it lies in memory and, a word for each slot, in pages before the slots.

use std::ops::Range;

use crate::volume::sector_bits::ones;
use crate::volume::sparse::Sparse;

/// Slots of which a page of the table tells.
pub(super) const PAGE: u64 = 56;
/// Marks notes that are pages of the table.
const MARK: u64 = 0x5bed_7ab1_e000_0001;
/// Marks a device that has all metadata.
const WHOLE: u64 = 0x5bed_7ab1_e000_0002;

/// How units get their slots.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mapping {
    /// In the order in which they are touched.
    Table,
    /// Zones of so many sectors, one at the start of every so many, lie one behind the other.
    Direct { zone: u64, every: u64 },
}

/// The state of a slot, a bit for each sector.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    /// The unit of the disk, plus one; zero if none.
    unit: u32,
    /// Has data that are newest, and the table on the device says so.
    pub valid: u32,
    /// Has data that the next page to be written tells of.
    pub data: u32,
    /// The disk has an older version, and the next flush reads it.
    pub dirty: u32,
    /// The disk has an older version, and what a flush has read is on its way there.
    flushing: u32,
    /// Whether sectors that are not valid hold a copy of what the disk held at the start.
    pub is_stocked: bool,
}

impl Row {
    /// What a flush that begins is to read.
    pub fn begin_flush(&mut self) -> u32 {
        self.flushing = std::mem::take(&mut self.dirty);
        self.flushing
    }
}

/// Slots for units of the disk.
#[derive(Clone)]
pub(super) struct Table {
    mapping: Mapping,
    pub unit: u64,
    pub slots: u64,
    /// Pages, each of which tells of [`PAGE`] slots and is a sector at the start of the area.
    pages: u64,
    /// Slots by unit, plus one; zero if none.
    by_unit: Sparse<u32>,
    rows: Vec<Row>,
    free: Vec<u32>,
    /// Slots that have a unit.
    pub used: u64,
}

impl Table {
    /// An empty table in an area of so many sectors at the start of the device.
    pub fn new(mapping: Mapping, unit: u64, area: u64) -> Self {
        // Full pages with their slots, and a last one.
        let group = PAGE * unit + 1;
        let last = (area % group).saturating_sub(1) / unit;
        let slots = (area / group * PAGE + last).min(u64::from(u32::MAX));
        let pages = slots.div_ceil(PAGE);
        let (by_unit, rows, free) = Default::default();
        Self { mapping, unit, slots, pages, by_unit, rows, free, used: 0 }
    }

    /// Whether addresses alone say what is metadata.
    pub fn is_direct(&self) -> bool {
        matches!(self.mapping, Mapping::Direct { .. })
    }

    /// The units of some sectors of the disk.
    pub fn units(&self, first: u64, sectors: u64) -> Range<u64> {
        first / self.unit..(first + sectors).div_ceil(self.unit)
    }

    /// The slot of a unit if it has one.
    pub fn find(&self, unit: u64) -> Option<u32> {
        match self.mapping {
            Mapping::Table => self.by_unit.get(unit).checked_sub(1),
            Mapping::Direct { .. } => {
                let slot = self.direct(unit)?;
                self.rows.get(slot as usize).is_some_and(|row| row.unit != 0).then_some(slot)
            }
        }
    }

    /// The slot that arithmetic gives a unit, if there is that one (003-D4).
    pub fn direct(&self, unit: u64) -> Option<u32> {
        let Mapping::Direct { zone, every } = self.mapping else { return None };
        let (zone, every) = (zone / self.unit, every / self.unit);
        let slot = unit / every * zone + unit % every;
        (unit % every < zone && slot < self.slots).then_some(slot as u32)
    }

    /// Gives a unit a slot, if there is one for it.
    pub fn give(&mut self, unit: u64, is_stocked: bool) -> Option<u32> {
        let slot = match self.mapping {
            Mapping::Direct { .. } => self.direct(unit)?,
            Mapping::Table if self.used == self.slots => return None,
            Mapping::Table => self.free.pop().unwrap_or(self.rows.len() as u32),
        };
        self.put(slot, unit, Row { is_stocked, ..Row::default() });
        Some(slot)
    }

    fn put(&mut self, slot: u32, unit: u64, row: Row) {
        if slot as usize >= self.rows.len() {
            self.rows.resize(slot as usize + 1, Row::default());
        }
        self.rows[slot as usize] = Row { unit: unit as u32 + 1, ..row };
        self.used += 1;
        if !self.is_direct() {
            *self.by_unit.get_mut(unit) = slot + 1;
        }
    }

    pub fn row(&mut self, slot: u32) -> &mut Row {
        &mut self.rows[slot as usize]
    }

    /// First sector of the disk of the unit that has a slot.
    pub fn home(&self, slot: u32) -> u64 {
        (u64::from(self.rows[slot as usize].unit) - 1) * self.unit
    }

    /// First sector of a slot on the device.
    pub fn sector(&self, slot: u32) -> u64 {
        self.pages + u64::from(slot) * self.unit
    }

    /// The slot in which a sector of the device lies, and its place there.
    pub fn slot_of(&self, sector: u64) -> (u32, u64) {
        let at = sector - self.pages;
        ((at / self.unit) as u32, at % self.unit)
    }

    /// Content of a page of the table.
    pub fn note(&self, page: u64) -> Vec<u64> {
        let first = (page * PAGE) as usize;
        let rows = self.rows[first..].iter().take(PAGE as usize);
        let word = |row: &Row| u64::from(row.unit) << u32::BITS | u64::from(row.data);
        [MARK, page].into_iter().chain(rows.map(word)).collect()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.by_unit = Sparse::default();
        self.rows.clear();
        self.free.clear();
        self.used = 0;
    }

    /// Content of the mark that says that all metadata are on the device.
    pub fn mark() -> Vec<u64> {
        vec![WHOLE]
    }

    /// All that arithmetic gives a slot, of a disk of so many sectors, is there.
    pub fn fill(&mut self, disk: u64) {
        self.clear();
        for unit in 0..disk.div_ceil(self.unit) {
            let Some(slot) = self.direct(unit) else { continue };
            let mask = bits(0, self.unit.min(disk - unit * self.unit));
            self.put(slot, unit, Row { valid: mask, data: mask, ..Row::default() });
        }
    }

    /// Finds the table again; calls for every slot that has data.
    pub fn recover(&mut self, mut page_at: impl FnMut(u64) -> Option<Vec<u64>>) {
        self.clear();
        for page in 0..self.pages {
            let Some(note) = page_at(page) else { continue };
            let Some((&[MARK, number], words)) = note.split_first_chunk() else { continue };
            for (slot, word) in (page * PAGE..).zip(words).filter(|_| number == page) {
                let (unit, mask) = ((word >> u32::BITS) as u32, *word as u32);
                if mask != 0 {
                    let row = Row { valid: mask, data: mask, ..Row::default() };
                    self.put(slot as u32, u64::from(unit) - 1, row);
                }
            }
        }
        if !self.is_direct() {
            let unused = (0..).zip(&self.rows).filter(|(_, row)| row.unit == 0);
            self.free = unused.map(|(slot, _)| slot).collect();
        }
    }

    /// What a flush has read of these sectors of the disk is there.
    pub fn end_flush(&mut self, first: u64, sectors: u64) {
        for unit in self.units(first, sectors) {
            let Some(slot) = self.find(unit) else { continue };
            let from = first.max(unit * self.unit);
            let end = (first + sectors).min((unit + 1) * self.unit);
            self.row(slot).flushing &= !bits(from % self.unit, end - from);
        }
    }

    /// Sectors of which the disk has an older version: once those that are written again while they are on their way.
    pub fn unflushed_sectors(&self) -> u64 {
        self.rows.iter().map(|row| u64::from((row.dirty | row.flushing).count_ones())).sum()
    }

    /// All slots that have a unit.
    pub fn slots(&self) -> Vec<u32> {
        (0..).zip(&self.rows).filter(|(_, row)| row.unit != 0).map(|(slot, _)| slot).collect()
    }
}

/// The bits of so many sectors from one on.
pub(super) fn bits(from: u64, sectors: u64) -> u32 {
    (ones(sectors as u32) << from) as u32
}
