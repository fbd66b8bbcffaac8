//! The table of metadata with places on the MEMS device, and of the valid sectors there (003-F2).
//!
//! A unit of the disk has a slot on the device. The table holds a bit for each sector of a slot that is the
//! newest version; it lies in memory and, one word for each slot, in pages before the slots.

use std::ops::Range;

use crate::volume::sector_bits::ones;
use crate::volume::sparse::Sparse;

/// Number of slots that a page of the table describes.
pub(super) const PAGE: u64 = 56;
/// Mark of notes that are pages of the table.
const MARK: u64 = 0x5bed_7ab1_e000_0001;
/// Mark of a device that has all metadata.
const WHOLE: u64 = 0x5bed_7ab1_e000_0002;

/// The rule by which units get slots.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mapping {
    /// Slots in order of first use.
    Table,
    /// Zones of `zone` sectors, at the start of every `every` sectors, lie one behind the other.
    Direct { zone: u64, every: u64 },
}

/// The state of a slot, a bit for each sector.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    /// Unit of the disk, plus one; zero without a unit.
    unit: u32,
    /// Sectors with the newest data, as the table on the device states.
    pub valid: u32,
    /// Sectors with data that the next write of the page will state.
    pub data: u32,
    /// Sectors with an older version on the disk, to be read by the next flush.
    pub dirty: u32,
    /// Sectors with an older version on the disk, whose data a flush is writing to the disk.
    flushing: u32,
    /// True if sectors that are not valid hold a copy of the initial content of the disk.
    pub is_stocked: bool,
}

impl Row {
    /// Begins a flush; returns the sectors that it must read.
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
    /// Number of pages, each for [`PAGE`] slots and one sector at the start of the area.
    pages: u64,
    /// Slot of each unit, plus one; zero without a slot.
    by_unit: Sparse<u32>,
    rows: Vec<Row>,
    free: Vec<u32>,
    /// Number of slots that have a unit.
    pub used: u64,
}

impl Table {
    /// An empty table in an area of `area` sectors at the start of the device.
    pub fn new(mapping: Mapping, unit: u64, area: u64) -> Self {
        // Full pages with their slots, and a last one.
        let group = PAGE * unit + 1;
        let last = (area % group).saturating_sub(1) / unit;
        let slots = (area / group * PAGE + last).min(u64::from(u32::MAX));
        let pages = slots.div_ceil(PAGE);
        let (by_unit, rows, free) = Default::default();
        Self { mapping, unit, slots, pages, by_unit, rows, free, used: 0 }
    }

    /// True if addresses alone decide what is metadata.
    pub fn is_direct(&self) -> bool {
        matches!(self.mapping, Mapping::Direct { .. })
    }

    /// The units of some sectors of the disk.
    pub fn units(&self, first: u64, sectors: u64) -> Range<u64> {
        first / self.unit..(first + sectors).div_ceil(self.unit)
    }

    /// The slot of a unit, if it has one.
    pub fn find(&self, unit: u64) -> Option<u32> {
        match self.mapping {
            Mapping::Table => self.by_unit.get(unit).checked_sub(1),
            Mapping::Direct { .. } => {
                let slot = self.direct(unit)?;
                self.rows.get(slot as usize).is_some_and(|row| row.unit != 0).then_some(slot)
            }
        }
    }

    /// The slot of a unit by arithmetic, if that slot exists (003-D4).
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

    /// First sector on the disk of the unit in a slot.
    pub fn home(&self, slot: u32) -> u64 {
        (u64::from(self.rows[slot as usize].unit) - 1) * self.unit
    }

    /// First sector of a slot on the device.
    pub fn sector(&self, slot: u32) -> u64 {
        self.pages + u64::from(slot) * self.unit
    }

    /// The slot of a sector of the device, and the sector's place within it.
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

    /// Removes all entries from the table.
    pub fn clear(&mut self) {
        self.by_unit = Sparse::default();
        self.rows.clear();
        self.free.clear();
        self.used = 0;
    }

    /// Content of the mark for a device that has all metadata.
    pub fn mark() -> Vec<u64> {
        vec![WHOLE]
    }

    /// Marks all sectors to which arithmetic gives a slot, of a disk of `disk` sectors, as valid.
    pub fn fill(&mut self, disk: u64) {
        self.clear();
        for unit in 0..disk.div_ceil(self.unit) {
            let Some(slot) = self.direct(unit) else { continue };
            let mask = bits(0, self.unit.min(disk - unit * self.unit));
            self.put(slot, unit, Row { valid: mask, data: mask, ..Row::default() });
        }
    }

    /// Restores the table from the device; calls for every slot that has data.
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

    /// Ends a flush of these sectors, which are now on the disk.
    pub fn end_flush(&mut self, first: u64, sectors: u64) {
        for unit in self.units(first, sectors) {
            let Some(slot) = self.find(unit) else { continue };
            let from = first.max(unit * self.unit);
            let end = (first + sectors).min((unit + 1) * self.unit);
            self.row(slot).flushing &= !bits(from % self.unit, end - from);
        }
    }

    /// Number of sectors with an older version on the disk; sectors rewritten while in flight count once.
    pub fn unflushed_sectors(&self) -> u64 {
        self.rows.iter().map(|row| u64::from((row.dirty | row.flushing).count_ones())).sum()
    }

    /// All slots that have a unit.
    pub fn slots(&self) -> Vec<u32> {
        (0..).zip(&self.rows).filter(|(_, row)| row.unit != 0).map(|(slot, _)| slot).collect()
    }
}

/// The bits of `sectors` sectors, from sector `from` on.
pub(super) fn bits(from: u64, sectors: u64) -> u32 {
    (ones(sectors as u32) << from) as u32
}
