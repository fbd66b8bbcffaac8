//! Placement of the tips of a block in the array of tips: far from each other, so that a defect of
//! the medium under neighbouring tips affects a block at most once (001-F22).
//!
//! The tips of each group get a colour of their own. The search looks for a colouring of the array
//! with a large minimum distance between two tips of one colour. Tips are numbered along the rows
//! of the array; each row is rotated by a fixed number of columns against the row before, and the
//! numbers continue at the row a fixed number of rows farther. The colour of a tip is its number
//! modulo the number of colours, so each colour has the same number of tips. The possible rotations
//! and row distances are few, so all of them are tried.

use crate::error::{ensure, Result};

/// A placement of groups of tips in an array of tips.
#[derive(Clone, Debug)]
pub struct Placement {
    columns: u32,
    groups: u32,
    /// Tips of each group, one group after the other.
    tips: Vec<u32>,
    /// Index in `tips` of each tip; None if the tip belongs to no group.
    places: Vec<Option<u32>>,
    distance_squared: u64,
}

/// Size of an array of tips whose tips are to be divided into groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// Number of groups of tips. A group stores blocks of one track; the blocks that lie side by
    /// side in a row belong to different groups.
    pub groups: u32,
    /// Number of tips in each group.
    pub tips_per_group: u32,
    /// Number of tips that belong to no group, such as spares.
    pub others: u32,
    /// Number of tips in a row of the array.
    pub columns: u32,
}

impl Array {
    /// Number of tips in the array.
    #[must_use]
    pub fn tips(&self) -> u64 {
        u64::from(self.groups) * u64::from(self.tips_per_group) + u64::from(self.others)
    }

    /// Number of columns of an array of `tips` tips that is as nearly square as possible.
    #[must_use]
    pub fn columns_of_square(tips: u64) -> u32 {
        libm::ceil(libm::sqrt(tips as f64)) as u32
    }
}

/// Every tip whose number is a multiple of this is checked first. It is a prime, so that these tips
/// lie in all columns.
const SAMPLED_EVERY: usize = 197;

/// A numbering of the tips of an array: each row is rotated against the row before, and consecutive
/// numbers jump over rows.
#[derive(Clone, Copy)]
struct Numbering {
    columns: u32,
    /// Number of full rows; an incomplete last row is not renumbered.
    rows: u32,
    step: u32,
    turn: u32,
}

impl Numbering {
    fn number(&self, tip: u32) -> u32 {
        let (row, column) = (tip / self.columns, tip % self.columns);
        if row >= self.rows {
            return tip;
        }
        let row_number = (u64::from(row) * u64::from(self.step) % u64::from(self.rows)) as u32;
        let turned = (u64::from(column) + u64::from(row) * u64::from(self.turn)) % u64::from(self.columns);
        row_number * self.columns + turned as u32
    }
}

impl Placement {
    /// Places the tips of each group side by side, in the order of the tips' numbers.
    ///
    /// # Errors
    /// The array has no tips, or too many.
    pub fn adjacent(array: Array) -> Result<Self> {
        check(array)?;
        let members = array.groups * array.tips_per_group;
        let group_of: Vec<u32> = (0..members).map(|tip| tip / array.tips_per_group).collect();
        Ok(Self::of(array, &group_of))
    }

    /// Searches the placement with the largest minimum distance between tips of a group.
    ///
    /// # Errors
    /// The array has no tips, or too many.
    pub fn spread(array: Array) -> Result<Self> {
        check(array)?;
        let mut best = Self::adjacent(array)?;
        if array.tips_per_group == 1 {
            return Ok(best);
        }
        let members = array.groups * array.tips_per_group;
        let rows = members / array.columns;
        let mut colours = vec![0; members as usize];
        for step in (1..rows.max(2)).filter(|step| common_divisor(*step, rows.max(1)) == 1) {
            for turn in 0..array.columns {
                let numbering = Numbering { columns: array.columns, rows, step, turn };
                let colour = |tip: u32| numbering.number(tip) % array.groups;
                // Most colourings fail at the first few tips and need no full check.
                if !best.is_narrower(colour, SAMPLED_EVERY) {
                    continue;
                }
                (0..members).for_each(|tip| colours[tip as usize] = colour(tip));
                let colour = |tip: u32| colours[tip as usize];
                if best.is_narrower(colour, 1) {
                    best = Self::of(array, &colours);
                }
            }
        }
        Ok(best)
    }

    fn of(array: Array, colours: &[u32]) -> Self {
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); array.groups as usize];
        for (tip, colour) in colours.iter().enumerate() {
            groups[*colour as usize].push(tip as u32);
        }
        let mut placement = Self {
            columns: array.columns,
            groups: array.groups,
            tips: groups.concat(),
            places: vec![None; array.tips() as usize],
            distance_squared: u64::MAX,
        };
        for (place, tip) in placement.tips.iter().enumerate() {
            placement.places[*tip as usize] = Some(place as u32);
        }
        placement.distance_squared = placement.least_in_groups(Self::between_squared).unwrap_or(u64::MAX);
        placement
    }

    /// True if tips of equal colour are always farther apart than tips of one group in this
    /// placement. Checks one of every `every` tips.
    fn is_narrower(&self, colour: impl Fn(u32) -> u32, every: usize) -> bool {
        let reach = libm::sqrt(self.distance_squared as f64) as i64;
        let mut near: Vec<(i64, i64)> = Vec::new();
        for y in 0..=reach {
            let from = if y == 0 { 1 } else { -reach };
            let is_near = |x: &i64| (x * x + y * y) as u64 <= self.distance_squared;
            near.extend((from..=reach).filter(is_near).map(|x| (x, y)));
        }
        near.sort_unstable_by_key(|(x, y)| x * x + y * y);
        let (columns, tips) = (i64::from(self.columns), self.tips.len() as i64);
        (0..tips).step_by(every).all(|tip| {
            let own = colour(tip as u32);
            near.iter().all(|(x, y)| {
                let (column, other) = (tip % columns + x, tip + y * columns + x);
                !(0..columns).contains(&column) || other >= tips || own != colour(other as u32)
            })
        })
    }

    /// Squared distance of two tips, in units of the distance between neighbouring tips.
    pub(super) fn between_squared(&self, one: u32, other: u32) -> u64 {
        let [x, y] = self.apart(one, other).map(u64::from);
        x * x + y * y
    }

    /// Distances of two tips along the rows and along the columns of the array, in tips.
    fn apart(&self, one: u32, other: u32) -> [u32; 2] {
        let place = |tip: u32| [tip % self.columns, tip / self.columns];
        let ([x0, y0], [x1, y1]) = (place(one), place(other));
        [x0.abs_diff(x1), y0.abs_diff(y1)]
    }

    /// Distance of two tips, in units of the distance between neighbouring tips.
    #[must_use]
    pub fn between(&self, one: u32, other: u32) -> f64 {
        libm::sqrt(self.between_squared(one, other) as f64)
    }

    /// Minimum distance of two tips of one group, in units of the distance between neighbouring
    /// tips; infinite if each group has only one tip.
    #[must_use]
    pub fn distance(&self) -> f64 {
        if self.distance_squared == u64::MAX {
            return f64::INFINITY;
        }
        libm::sqrt(self.distance_squared as f64)
    }

    /// Upper bound on [`distance`](Self::distance) in a large array: the distance that the tips of
    /// a group would have if they formed a lattice of equilateral triangles.
    #[must_use]
    pub fn distance_bound(&self) -> f64 {
        libm::sqrt(2.0 * f64::from(self.groups) / libm::sqrt(3.0))
    }

    /// Maximum number of neighbouring tips, connected by edges or corners, over which a defect
    /// affects no group twice. Two of n connected tips are at most n - 1 apart along an axis.
    #[must_use]
    pub fn harmless_defect_tips(&self) -> u32 {
        let along = |placement: &Self, one, other| {
            let [x, y] = placement.apart(one, other);
            x.max(y)
        };
        self.least_in_groups(along).unwrap_or(u32::MAX)
    }

    /// Minimum of `measure` over all pairs of tips of one group; `None` if each group has only one
    /// tip.
    fn least_in_groups<T: Ord>(&self, measure: impl Fn(&Self, u32, u32) -> T) -> Option<T> {
        let groups = self.tips.chunks(self.tips_per_group());
        let tips = groups.flat_map(|tips| tips.iter().enumerate().map(|(at, tip)| (*tip, &tips[..at])));
        tips.flat_map(|(tip, others)| others.iter().map(move |other| (tip, *other)))
            .map(|(tip, other)| measure(self, tip, other))
            .min()
    }

    fn tips_per_group(&self) -> usize {
        self.tips.len() / self.groups as usize
    }

    /// Number of tips in a row of the array.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Number of tips in the array.
    #[must_use]
    pub fn tips(&self) -> u32 {
        self.places.len() as u32
    }

    /// The tips of a group.
    #[must_use]
    pub fn group(&self, group: u32) -> &[u32] {
        let size = self.tips_per_group();
        &self.tips[group as usize * size..][..size]
    }

    /// Number of the group to which a tip belongs, and number of the tip within the group; `None`
    /// if the tip belongs to no group.
    #[must_use]
    pub fn member(&self, tip: u32) -> Option<(u32, u32)> {
        let size = self.tips_per_group() as u32;
        self.places[tip as usize].map(|place| (place / size, place % size))
    }
}

fn check(array: Array) -> Result<()> {
    ensure!(
        array.groups > 0
            && array.tips_per_group > 0
            && array.columns > 0
            && array.tips() <= u64::from(u32::MAX),
        "tip array of {} groups of {} tips, {} additional tips, rows of {} tips: expected at least one group, one tip in a group and one tip in a row, and at most {} tips in all",
        array.groups,
        array.tips_per_group,
        array.others,
        array.columns,
        u32::MAX
    );
    Ok(())
}

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn osdi00() -> Array {
        Array { groups: 100, tips_per_group: 64, others: 0, columns: 80 }
    }

    /// Checks the distance of the tips against the upper bound, which is 10.7 for 100 groups.
    #[test]
    fn the_tips_of_a_block_of_osdi00_are_far_apart() {
        let spread = Placement::spread(osdi00()).unwrap();
        assert!(spread.distance() >= 9.0, "{}", spread.distance());
        assert!(spread.distance() <= spread.distance_bound());
        assert!(spread.harmless_defect_tips() >= 4);
        let adjacent = Placement::adjacent(osdi00()).unwrap();
        assert_eq!((adjacent.distance(), adjacent.harmless_defect_tips()), (1.0, 1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Checks that each tip belongs to at most one group, that all groups have equal sizes, and
        /// that no two tips of a group are nearer than `distance`.
        #[test]
        fn a_colouring_is_whole(groups in 1..40_u32, tips_per_group in 1..12_u32, others in 0..9_u32, columns in 1..30_u32) {
            let array = Array { groups, tips_per_group, others, columns };
            let placement = Placement::spread(array).unwrap();
            let mut seen = vec![false; array.tips() as usize];
            for group in 0..groups {
                prop_assert_eq!(placement.group(group).len() as u32, tips_per_group);
                for (member, tip) in placement.group(group).iter().enumerate() {
                    prop_assert!(!std::mem::replace(&mut seen[*tip as usize], true));
                    prop_assert_eq!(placement.member(*tip), Some((group, member as u32)));
                    for other in &placement.group(group)[..member] {
                        prop_assert!(placement.between(*tip, *other) >= placement.distance());
                    }
                }
            }
            prop_assert_eq!(seen.iter().filter(|seen| !**seen).count() as u32, others);
            prop_assert!(placement.distance() >= Placement::adjacent(array).unwrap().distance());
        }
    }
}
