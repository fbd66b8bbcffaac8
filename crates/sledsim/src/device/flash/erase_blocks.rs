//! Erase blocks of a flash card, and the work to rewrite them: any sector can be rewritten only after its
//! whole erase block has been erased.
//!
//! The card opens an erase block to write into it: it takes an erased block as replacement, and writes into
//! it in ascending order of sectors only. To close the erase block, the card copies all unwritten sectors
//! from the old block into the replacement, and erases the old block.

use std::ops::AddAssign;

/// The erase blocks of a card, some of which are open.
#[derive(Clone, Debug)]
pub(super) struct EraseBlocks {
    /// Number of sectors in an erase block.
    sectors: u64,
    /// Maximum number of erase blocks that are open at the same time.
    places: usize,
    /// The open erase blocks, ordered from the least to the most recently written.
    open: Vec<Open>,
}

/// An open erase block. Its sectors from `from` to before `next` have been written; sector `next` must be
/// written next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    from: u64,
    next: u64,
}

/// Counts of the work to close erase blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Closed {
    /// Number of erase blocks that were closed; each closing erases one block.
    pub blocks: u32,
    /// Number of sectors that were copied to close these erase blocks.
    pub copied: u64,
}

impl AddAssign for Closed {
    fn add_assign(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.copied += other.copied;
    }
}

impl EraseBlocks {
    /// Creates closed erase blocks of `sectors` sectors each. At most `places` of them can be open at the
    /// same time.
    pub fn new(sectors: u64, places: u64) -> Self {
        Self { sectors, places: places as usize, open: Vec::with_capacity(places as usize) }
    }

    /// Counts of the work that is needed before sector `sector` can be written.
    pub fn before_writing(&self, sector: u64) -> Closed {
        self.in_the_way(sector).map_or_else(Closed::default, |place| self.closing(place))
    }

    /// Writes the sectors from `start` to before `end`, and returns counts of the erase blocks that were
    /// closed for the write.
    pub fn write(&mut self, start: u64, end: u64) -> Closed {
        let (mut closed, mut at) = (Closed::default(), start);
        while at < end {
            let to = end.min((at / self.sectors + 1) * self.sectors);
            closed += self.write_one(at, to);
            at = to;
        }
        closed
    }

    /// Writes the sectors from `at` to before `to`, all of which lie in one erase block.
    fn write_one(&mut self, at: u64, to: u64) -> Closed {
        let mut closed = Closed::default();
        if let Some(place) = self.in_the_way(at) {
            closed += self.close(place);
        }
        let continued = self.open.iter().position(|open| open.next == at);
        let from = continued.map_or(at, |place| self.open.remove(place).from);
        self.open.push(Open { from, next: to });
        // No sector follows the last one of an erase block, so the erase block is closed.
        if to.is_multiple_of(self.sectors) {
            closed += self.close(self.open.len() - 1);
        }
        closed
    }

    /// Index of the open erase block that must be closed before `sector` can be written: the erase block
    /// that contains `sector`, if it is open and another sector is next; otherwise the least recently
    /// written one, if the maximum number is open.
    fn in_the_way(&self, sector: u64) -> Option<usize> {
        let number = sector / self.sectors;
        match self.open.iter().position(|open| open.from / self.sectors == number) {
            Some(place) => (self.open[place].next != sector).then_some(place),
            None => (self.open.len() == self.places).then_some(0),
        }
    }

    fn close(&mut self, place: usize) -> Closed {
        let closed = self.closing(place);
        self.open.remove(place);
        closed
    }

    fn closing(&self, place: usize) -> Closed {
        let Open { from, next } = self.open[place];
        Closed { blocks: 1, copied: self.sectors - (next - from) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Creates erase blocks of 8 sectors, of which two can be open.
    fn two() -> EraseBlocks {
        EraseBlocks::new(8, 2)
    }

    const NONE: Closed = Closed { blocks: 0, copied: 0 };

    #[test]
    fn writing_on_costs_nothing_more_until_the_end() {
        let mut blocks = two();
        assert_eq!(blocks.write(8, 11), NONE);
        assert_eq!(blocks.write(11, 14), NONE);
        assert_eq!(blocks.write(14, 17), Closed { blocks: 1, copied: 0 });
        assert_eq!(blocks.open, [Open { from: 16, next: 17 }]);
    }

    #[test]
    fn the_least_recently_written_one_is_closed() {
        let mut blocks = two();
        blocks.write(0, 2);
        blocks.write(8, 9);
        blocks.write(2, 3);
        assert_eq!(blocks.write(16, 18), Closed { blocks: 1, copied: 7 });
        assert_eq!(blocks.open, [Open { from: 0, next: 3 }, Open { from: 16, next: 18 }]);
    }

    #[test]
    fn a_sector_out_of_order_closes_its_own() {
        for sector in [0, 1, 3] {
            let mut blocks = two();
            blocks.write(0, 2);
            assert_eq!(blocks.before_writing(2), NONE);
            assert_eq!(blocks.before_writing(sector), Closed { blocks: 1, copied: 6 });
            assert_eq!(blocks.write(sector, sector + 1), Closed { blocks: 1, copied: 6 });
            assert_eq!(blocks.open, [Open { from: sector, next: sector + 1 }]);
        }
    }

    #[test]
    fn whole_erase_blocks_are_only_erased() {
        let mut blocks = two();
        assert_eq!(blocks.write(4, 28), Closed { blocks: 3, copied: 4 });
        assert_eq!(blocks.open, [Open { from: 24, next: 28 }]);
    }

    proptest! {
        /// Each sector of a closed erase block was written once or copied once, and no erase block is open twice.
        #[test]
        fn sectors_are_accounted_for(
            places in 1..5_u64, writes in prop::collection::vec((0..96_u64, 1..20_u64), 1..60),
        ) {
            let (mut blocks, mut all, mut written) = (EraseBlocks::new(8, places), Closed::default(), 0);
            for (start, sectors) in writes {
                let first = blocks.before_writing(start);
                let closed = blocks.write(start, start + sectors);
                prop_assert!(closed.blocks >= first.blocks && closed.copied >= first.copied);
                all += closed;
                written += sectors;
                let open: u64 = blocks.open.iter().map(|open| open.next - open.from).sum();
                prop_assert_eq!(written + all.copied, 8 * u64::from(all.blocks) + open);
                prop_assert!(blocks.open.len() <= places as usize);
                let mut numbers: Vec<u64> = blocks.open.iter().map(|open| open.from / 8).collect();
                numbers.sort_unstable();
                prop_assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "each is open once");
            }
        }
    }
}
