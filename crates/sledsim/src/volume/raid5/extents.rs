//! Ranges of sectors that an access reads or writes on the members; near ranges are joined, so that few parts are sent.

use std::ops::Range;

/// Ranges of sectors to be read or written, each with the number of its member.
#[derive(Clone, Debug, Default)]
pub(super) struct Extents {
    wanted: Vec<(u32, Range<u64>)>,
}

impl Extents {
    /// Adds the range `sectors` of the member `member`; an empty range is ignored.
    pub(super) fn want(&mut self, member: u32, sectors: Range<u64>) {
        if !sectors.is_empty() {
            self.wanted.push((member, sectors));
        }
    }

    pub(super) fn clear(&mut self) {
        self.wanted.clear();
    }

    /// Removes all ranges and counts them after they are joined as in [`merged`](Self::merged): the largest number on
    /// one member, and the number on all members.
    pub(super) fn parts(&mut self, gap: u64) -> (u32, u32) {
        let (mut before, mut of_one, mut most, mut all) = (None, 0, 0, 0);
        for (member, _) in self.merged(gap) {
            of_one = if before == Some(member) { of_one + 1 } else { 1 };
            (before, most, all) = (Some(member), most.max(of_one), all + 1);
        }
        (most, all)
    }

    /// Removes all ranges and returns them in the order of member and sector. Ranges of the same member are joined if
    /// they overlap, touch, or are at most `gap` sectors apart.
    pub(super) fn merged(&mut self, gap: u64) -> impl Iterator<Item = (u32, Range<u64>)> + '_ {
        self.wanted.sort_unstable_by_key(|(member, sectors)| (*member, sectors.start));
        self.wanted.dedup_by(|(member, sectors), (before, joined)| {
            let joins = *member == *before && sectors.start <= joined.end + gap;
            if joins {
                joined.end = joined.end.max(sectors.end);
            }
            joins
        });
        self.wanted.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_are_counted_of_one_and_of_all() {
        let mut extents = Extents::default();
        for (member, from) in [(1, 0), (0, 8), (1, 4), (1, 20), (0, 12)] {
            extents.want(member, from..from + 4);
        }
        assert_eq!(extents.parts(0), (2, 3));
        assert_eq!(extents.parts(0), (0, 0), "the wanted ranges were removed");
    }

    const MEMBERS: u32 = 3;
    const SECTORS: u64 = 60;

    proptest! {
        /// Compares the joined ranges with a simple model: a table of all sectors, with marks on the wanted sectors and
        /// on the short gaps between them.
        #[test]
        fn parts_are_what_is_wanted_and_short_gaps(
            wanted in prop::collection::vec((0..MEMBERS, 0..SECTORS, 0_u64..9), 0..12), gap in 0_u64..6,
        ) {
            let mut extents = Extents::default();
            let mut expected = vec![vec![false; SECTORS as usize + 9]; MEMBERS as usize];
            for (member, from, sectors) in wanted {
                extents.want(member, from..from + sectors);
                expected[member as usize][from as usize..(from + sectors) as usize].fill(true);
            }
            for sectors in &mut expected {
                let set: Vec<usize> = (0..sectors.len()).filter(|at| sectors[*at]).collect();
                for pair in set.windows(2).filter(|pair| (pair[1] - pair[0] - 1) as u64 <= gap) {
                    sectors[pair[0]..pair[1]].fill(true);
                }
            }
            let mut found = vec![vec![false; SECTORS as usize + 9]; MEMBERS as usize];
            let mut before = None;
            for (member, part) in extents.merged(gap) {
                prop_assert!(!part.is_empty());
                prop_assert!(before < Some((member, part.start)), "ranges must come in order, and no range twice");
                before = Some((member, part.end));
                found[member as usize][part.start as usize..part.end as usize].fill(true);
            }
            prop_assert_eq!(found, expected);
            prop_assert_eq!(extents.parts(0), (0, 0), "all wanted ranges were removed");
        }
    }
}
