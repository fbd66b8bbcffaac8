//! The table of the metadata on the MEMS device, and of the sectors that are valid there (003-F2).
//!
//! A unit of sectors of the disk can have a slot on the MEMS device. For each slot, the table has a bit for
//! each sector of the unit: true if its newest version is on the MEMS device. The table lies in memory, and
//! also on the MEMS device: in pages before the slots, with one word for each slot.

use std::ops::Range;

use crate::volume::sector_bits::ones;
use crate::volume::sparse::Sparse;

/// Number of slots that one page of the table describes; a page is one sector.
pub(super) const PAGE: u64 = 56;
/// First word of a sector that holds a page of the table.
const MARK: u64 = 0x5bed_7ab1_e000_0001;
/// First word of a sector which states that all metadata are on the MEMS device.
const WHOLE: u64 = 0x5bed_7ab1_e000_0002;

/// The rule by which units of the disk get slots on the MEMS device.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mapping {
    /// Each unit gets the next free slot at its first access.
    Table,
    /// Each unit of a zone has a fixed slot. Zones of `zone` sectors begin at every multiple of `every`
    /// sectors of the disk; their slots follow one another.
    Direct { zone: u64, every: u64 },
}

/// The state of a slot; in each mask, one bit stands for one sector of the slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    /// Number of the unit that has the slot, plus one; zero if the slot is free.
    unit: u32,
    /// Sectors whose newest version is in the slot, according to the page on the MEMS device.
    pub valid: u32,
    /// Sectors that the next write of the page will call valid.
    pub data: u32,
    /// Sectors whose version on the disk is older, and which the next flush will read.
    pub dirty: u32,
    /// Sectors whose version on the disk is older, and which a flush is now writing to the disk.
    flushing: u32,
    /// True if the sectors that are not valid hold the initial content of the disk.
    pub is_stocked: bool,
}

impl Row {
    /// Begins a flush of the slot; returns the sectors that the flush must read.
    pub fn begin_flush(&mut self) -> u32 {
        self.flushing = std::mem::take(&mut self.dirty);
        self.flushing
    }
}

/// The table: slots on the MEMS device for units of the disk.
#[derive(Clone)]
pub(super) struct Table {
    mapping: Mapping,
    pub unit: u64,
    pub slots: u64,
    /// Number of pages, each of one sector at the start of the area; a page describes [`PAGE`] slots.
    pages: u64,
    /// Number of the slot of each unit, plus one; zero if the unit has no slot.
    by_unit: Sparse<u32>,
    rows: Vec<Row>,
    free: Vec<u32>,
    /// Number of slots that hold a unit.
    pub used: u64,
}

impl Table {
    /// Creates an empty table for units of `unit` sectors, in an area of `area` sectors at the start of the
    /// MEMS device.
    pub fn new(mapping: Mapping, unit: u64, area: u64) -> Self {
        // Pages that describe `PAGE` slots each, and a last page that may describe fewer.
        let group = PAGE * unit + 1;
        let last = (area % group).saturating_sub(1) / unit;
        let slots = (area / group * PAGE + last).min(u64::from(u32::MAX));
        let pages = slots.div_ceil(PAGE);
        let (by_unit, rows, free) = Default::default();
        Self { mapping, unit, slots, pages, by_unit, rows, free, used: 0 }
    }

    /// True if the address of a unit determines its slot (mapping=direct).
    pub fn is_direct(&self) -> bool {
        matches!(self.mapping, Mapping::Direct { .. })
    }

    /// The units that `sectors` sectors of the disk from `first` on touch.
    pub fn units(&self, first: u64, sectors: u64) -> Range<u64> {
        first / self.unit..(first + sectors).div_ceil(self.unit)
    }

    /// The slot of a unit; `None` if the unit has no slot.
    pub fn find(&self, unit: u64) -> Option<u32> {
        match self.mapping {
            Mapping::Table => self.by_unit.get(unit).checked_sub(1),
            Mapping::Direct { .. } => {
                let slot = self.direct(unit)?;
                self.rows.get(slot as usize).is_some_and(|row| row.unit != 0).then_some(slot)
            }
        }
    }

    /// The slot that a unit has by its address with mapping=direct (003-D4); `None` without such a slot.
    pub fn direct(&self, unit: u64) -> Option<u32> {
        let Mapping::Direct { zone, every } = self.mapping else { return None };
        let (zone, every) = (zone / self.unit, every / self.unit);
        let slot = unit / every * zone + unit % every;
        (unit % every < zone && slot < self.slots).then_some(slot as u32)
    }

    /// Gives a slot to a unit, and returns the slot; `None` if no slot is available for the unit.
    /// `is_stocked` becomes the state of the slot.
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

    /// First sector on the disk of the unit that has the slot.
    pub fn home(&self, slot: u32) -> u64 {
        (u64::from(self.rows[slot as usize].unit) - 1) * self.unit
    }

    /// First sector of a slot on the MEMS device.
    pub fn sector(&self, slot: u32) -> u64 {
        self.pages + u64::from(slot) * self.unit
    }

    /// The slot that contains a sector of the MEMS device, and the number of the sector within the slot.
    pub fn slot_of(&self, sector: u64) -> (u32, u64) {
        let at = sector - self.pages;
        ((at / self.unit) as u32, at % self.unit)
    }

    /// The words of a page of the table.
    pub fn note(&self, page: u64) -> Vec<u64> {
        let first = (page * PAGE) as usize;
        let rows = self.rows[first..].iter().take(PAGE as usize);
        let word = |row: &Row| u64::from(row.unit) << u32::BITS | u64::from(row.data);
        [MARK, page].into_iter().chain(rows.map(word)).collect()
    }

    /// Removes all units from the table.
    pub fn clear(&mut self) {
        self.by_unit = Sparse::default();
        self.rows.clear();
        self.free.clear();
        self.used = 0;
    }

    /// The words of the sector which states that all metadata are on the MEMS device.
    pub fn mark() -> Vec<u64> {
        vec![WHOLE]
    }

    /// Gives all units that have a slot by their addresses these slots, with all sectors valid; the disk has
    /// `disk` sectors.
    pub fn fill(&mut self, disk: u64) {
        self.clear();
        for unit in 0..disk.div_ceil(self.unit) {
            let Some(slot) = self.direct(unit) else { continue };
            let mask = bits(0, self.unit.min(disk - unit * self.unit));
            self.put(slot, unit, Row { valid: mask, data: mask, ..Row::default() });
        }
    }

    /// Restores the table after a power failure. `page_at` returns the words of a page on the MEMS device, or
    /// `None` if the page was never written.
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

    /// Ends a flush of `sectors` sectors from `first` on, which are now on the disk.
    pub fn end_flush(&mut self, first: u64, sectors: u64) {
        for unit in self.units(first, sectors) {
            let Some(slot) = self.find(unit) else { continue };
            let from = first.max(unit * self.unit);
            let end = (first + sectors).min((unit + 1) * self.unit);
            self.row(slot).flushing &= !bits(from % self.unit, end - from);
        }
    }

    /// Number of sectors whose version on the disk is older; a sector rewritten during its flush counts once.
    pub fn unflushed_sectors(&self) -> u64 {
        self.rows.iter().map(|row| u64::from((row.dirty | row.flushing).count_ones())).sum()
    }

    /// All slots that hold a unit.
    pub fn slots(&self) -> Vec<u32> {
        (0..).zip(&self.rows).filter(|(_, row)| row.unit != 0).map(|(slot, _)| slot).collect()
    }
}

/// A mask with a bit for each of `sectors` sectors, from the sector `from` on.
pub(super) fn bits(from: u64, sectors: u64) -> u32 {
    (ones(sectors as u32) << from) as u32
}
