//! The contents of one member of a volume.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use super::sectors::Sectors;
use crate::emulator::torn_sectors::TornSectors;
use crate::store::{is_zero, Store, Unreadable, SECTOR_BYTES};

/// The contents of a member; some of its sectors may be unreadable.
pub struct Medium {
    store: Box<dyn Store + Send>,
    torn: TornSectors,
}

impl Medium {
    /// Create the contents of a member from a store and the unreadable sectors of this store.
    #[must_use]
    pub fn new(store: Box<dyn Store + Send>, unreadable: Unreadable) -> Self {
        Self { store, torn: TornSectors::new(unreadable) }
    }

    /// Keep the list of the unreadable sectors in the file `list`.
    #[must_use]
    pub fn with_list(self, list: PathBuf) -> Self {
        Self { torn: self.torn.with_list(list), ..self }
    }

    /// Number of sectors of the member.
    pub(super) fn sectors(&self) -> u64 {
        self.store.bytes() / SECTOR_BYTES
    }

    pub(super) fn read(&self, range: Range<u64>) -> io::Result<Sectors> {
        let mut all = Sectors::zeros(range.end - range.start);
        self.store.read(range.start * SECTOR_BYTES, &mut all.bytes)?;
        let mut from = range.start;
        while let Some(lost) = self.torn.first_of(from..range.end) {
            all.lost.insert(lost - range.start);
            from = lost + 1;
        }
        Ok(all)
    }

    pub(super) fn write(&mut self, sector: u64, all: &Sectors) -> io::Result<()> {
        let (offset, bytes) = (sector * SECTOR_BYTES, all.bytes.len() as u64);
        if is_zero(&all.bytes) {
            // Write zeros as holes, so that the files of resynchronised members stay sparse.
            self.store.zero(offset, bytes)?;
        } else {
            self.store.write(offset, &all.bytes)?;
        }
        self.torn.mend(sector..sector + bytes / SECTOR_BYTES)?;
        for lost in &all.lost {
            self.torn.tear(sector + lost..sector + lost + 1);
        }
        if all.lost.is_empty() {
            Ok(())
        } else {
            self.torn.save()
        }
    }

    /// Make the given sectors unreadable; return the number of these sectors that the member has.
    pub(super) fn tear(&mut self, sectors: Range<u64>) -> u64 {
        let sectors = sectors.start..sectors.end.min(self.sectors());
        let torn = sectors.end.saturating_sub(sectors.start);
        self.torn.tear(sectors);
        torn
    }

    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.store.sync()?;
        self.torn.save()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Memory;

    /// Return a medium with eight sectors that are filled with the byte 1.
    fn medium() -> Medium {
        let mut medium = Medium::new(Box::new(Memory::new(8 * SECTOR_BYTES)), Unreadable::default());
        medium.write(0, &Sectors::of(vec![1; 8 * SECTOR_BYTES as usize])).unwrap();
        medium
    }

    #[test]
    fn a_sector_that_was_read_as_lost_is_lost_where_it_is_written() {
        let (mut from, mut to) = (medium(), medium());
        assert_eq!(from.tear(3..4), 1);
        let found = from.read(2..5).unwrap();
        to.write(4, &found).unwrap();
        let lost = |medium: &Medium| medium.read(0..8).unwrap().lost.into_iter().collect::<Vec<_>>();
        assert_eq!((lost(&from), lost(&to)), (vec![3], vec![5]));
        for sector in [4, 6] {
            to.write(sector, &Sectors::zeros(1)).unwrap();
            assert_eq!(lost(&to), [5], "writes to neighbouring sectors do not make the sector readable");
        }
        to.write(5, &Sectors::zeros(1)).unwrap();
        assert!(lost(&to).is_empty(), "the whole sector was written again");
    }
}
