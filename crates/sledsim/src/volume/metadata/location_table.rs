//! The table of the metadata on the MEMS device, and of the sectors that are valid there (003-F2).
//!
//! The disk is divided into units of sectors; a unit of metadata has a slot on the MEMS device. For each sector of the
//! unit, the table has a bit: true if the slot holds the newest version of the sector. The table is in memory and, in
//! pages before the slots, also on the MEMS device, with one word for each slot.

use std::ops::Range;

use crate::volume::sector_bits::ones;
use crate::volume::sparse::Sparse;

/// Number of slots that one page of the table describes. A page is one sector of the MEMS device.
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
    /// Each unit in a zone has a fixed slot. Every `every` sectors, a zone of `zone` sectors starts on the disk. The
    /// slots of all zones are consecutive on the MEMS device.
    Direct { zone: u64, every: u64 },
}

/// The state of a slot on the MEMS device. In each mask, bit i stands for the i-th sector of the slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    /// Number of the unit that the slot holds, plus one; zero if the slot is free.
    unit: u32,
    /// Sectors whose newest version is in the slot, as the page on the MEMS device also states.
    pub valid: u32,
    /// Sectors that the next write of the page will mark as valid.
    pub data: u32,
    /// Sectors that are newer in the slot than on the disk, and that the next flush must copy.
    pub dirty: u32,
    /// Sectors that are newer in the slot than on the disk, and that the current flush is copying.
    flushing: u32,
    /// True if the slot holds the initial content of the disk for all sectors that are not valid.
    pub is_stocked: bool,
}

impl Row {
    /// Begins to flush the slot; returns a mask of the sectors that the flush must copy.
    pub fn begin_flush(&mut self) -> u32 {
        self.flushing = std::mem::take(&mut self.dirty);
        self.flushing
    }
}

/// The table: which unit of the disk each slot on the MEMS device holds, and which of its sectors are valid there.
#[derive(Clone)]
pub(super) struct Table {
    mapping: Mapping,
    pub unit: u64,
    pub slots: u64,
    /// Number of pages of the table. They are the first sectors of the MEMS device; the slots follow.
    pages: u64,
    /// Slot of each unit, as its number plus one; zero if the unit has no slot. Unused with mapping=direct.
    by_unit: Sparse<u32>,
    rows: Vec<Row>,
    free: Vec<u32>,
    /// Number of slots that are not free.
    pub used: u64,
}

impl Table {
    /// Creates an empty table for units of `unit` sectors. Pages and slots occupy the first `area` sectors of the MEMS
    /// device.
    pub fn new(mapping: Mapping, unit: u64, area: u64) -> Self {
        // Pages that describe `PAGE` slots each, and a last page that may describe fewer.
        let group = PAGE * unit + 1;
        let last = (area % group).saturating_sub(1) / unit;
        let slots = (area / group * PAGE + last).min(u64::from(u32::MAX));
        let pages = slots.div_ceil(PAGE);
        let (by_unit, rows, free) = Default::default();
        Self { mapping, unit, slots, pages, by_unit, rows, free, used: 0 }
    }

    /// True with mapping=direct: each unit in a zone has a fixed slot.
    pub fn is_direct(&self) -> bool {
        matches!(self.mapping, Mapping::Direct { .. })
    }

    /// The units that contain any of the `sectors` sectors of the disk from `first` on.
    pub fn units(&self, first: u64, sectors: u64) -> Range<u64> {
        first / self.unit..(first + sectors).div_ceil(self.unit)
    }

    /// The slot that holds a unit now; `None` if no slot does.
    pub fn find(&self, unit: u64) -> Option<u32> {
        match self.mapping {
            Mapping::Table => self.by_unit.get(unit).checked_sub(1),
            Mapping::Direct { .. } => {
                let slot = self.direct(unit)?;
                self.rows.get(slot as usize).is_some_and(|row| row.unit != 0).then_some(slot)
            }
        }
    }

    /// The fixed slot of a unit with mapping=direct (003-D4); `None` if the unit lies in no zone, or its slot would lie
    /// outside the area.
    pub fn direct(&self, unit: u64) -> Option<u32> {
        let Mapping::Direct { zone, every } = self.mapping else { return None };
        let (zone, every) = (zone / self.unit, every / self.unit);
        let slot = unit / every * zone + unit % every;
        (unit % every < zone && slot < self.slots).then_some(slot as u32)
    }

    /// Assigns a slot to a unit, and returns the slot; `None` if no slot is free. `is_stocked` is true if the slot
    /// already holds the initial content of the disk.
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

    /// First sector on the disk of the unit that the slot `slot` holds.
    pub fn home(&self, slot: u32) -> u64 {
        (u64::from(self.rows[slot as usize].unit) - 1) * self.unit
    }

    /// First sector on the MEMS device of the slot `slot`.
    pub fn sector(&self, slot: u32) -> u64 {
        self.pages + u64::from(slot) * self.unit
    }

    /// The slot that contains the sector `sector` of the MEMS device, and the place of the sector within the slot.
    pub fn slot_of(&self, sector: u64) -> (u32, u64) {
        let at = sector - self.pages;
        ((at / self.unit) as u32, at % self.unit)
    }

    /// The words of the note that stores a page of the table.
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

    /// The words of the note which states that all metadata are on the MEMS device, in their fixed slots.
    pub fn mark() -> Vec<u64> {
        vec![WHOLE]
    }

    /// Assigns its fixed slot to every unit that has one, with all sectors valid. `disk` is the number of sectors of
    /// the disk.
    pub fn fill(&mut self, disk: u64) {
        self.clear();
        for unit in 0..disk.div_ceil(self.unit) {
            let Some(slot) = self.direct(unit) else { continue };
            let mask = bits(0, self.unit.min(disk - unit * self.unit));
            self.put(slot, unit, Row { valid: mask, data: mask, ..Row::default() });
        }
    }

    /// Restores the table after a power failure. `page_at` returns the words of the note that stores a page of the
    /// table, or `None` if the page was never written.
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

    /// Records that a flush has copied `sectors` sectors from `first` on to the disk.
    pub fn end_flush(&mut self, first: u64, sectors: u64) {
        for unit in self.units(first, sectors) {
            let Some(slot) = self.find(unit) else { continue };
            let from = first.max(unit * self.unit);
            let end = (first + sectors).min((unit + 1) * self.unit);
            self.row(slot).flushing &= !bits(from % self.unit, end - from);
        }
    }

    /// Number of sectors that are newer on the MEMS device than on the disk. A sector that was rewritten during a flush
    /// counts once.
    pub fn unflushed_sectors(&self) -> u64 {
        self.rows.iter().map(|row| u64::from((row.dirty | row.flushing).count_ones())).sum()
    }

    /// All slots that are not free.
    pub fn slots(&self) -> Vec<u32> {
        (0..).zip(&self.rows).filter(|(_, row)| row.unit != 0).map(|(slot, _)| slot).collect()
    }
}

/// A mask with a bit for each sector of a slot, in which the `sectors` bits from the bit `from` on are set.
pub(super) fn bits(from: u64, sectors: u64) -> u32 {
    (ones(sectors as u32) << from) as u32
}
