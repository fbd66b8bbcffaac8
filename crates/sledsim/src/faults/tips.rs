//! The tips of a MEMS device whose fault plan protects it: data tips and check tips of each block,
//! and spare tips.

use std::ops::Range;
use std::sync::Arc;

use super::plan::FaultPlan;
use super::{Array, Placement, Remapping, TIPS_MAX};
use crate::error::{ensure, fault, Result};
use crate::layout::{self, Layout, Position};
use crate::media::Geometry;
use crate::params::{DeviceParams, MemsParams};

/// An area of the region under a tip: a range of cylinders and a range of rows. Each range excludes
/// its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub cylinders: [u32; 2],
    pub rows: [u32; 2],
}

impl Area {
    pub fn holds(&self, cylinder: u32, row: u32) -> bool {
        let within = |at: u32, [first, last]: [u32; 2]| (first..last).contains(&at);
        within(cylinder, self.cylinders) && within(row, self.rows)
    }

    pub fn overlap(&self, other: &Self) -> Option<Self> {
        let both = |a: [u32; 2], b: [u32; 2]| [a[0].max(b[0]), a[1].min(b[1])];
        let (cylinders, rows) = (both(self.cylinders, other.cylinders), both(self.rows, other.rows));
        (cylinders[0] < cylinders[1] && rows[0] < rows[1]).then_some(Self { cylinders, rows })
    }

    /// Pieces of the area that lie outside all the areas `others`; the pieces do not overlap.
    pub fn without(&self, others: &[Self]) -> Vec<Self> {
        let mut left = vec![*self];
        for other in others {
            if left.iter().any(|part| part.overlap(other).is_some()) {
                left = left.iter().flat_map(|part| part.beside(other)).collect();
            }
        }
        left
    }

    /// Pieces of the area that lie outside the area `other`.
    fn beside(&self, other: &Self) -> impl Iterator<Item = Self> {
        let of = |cylinders, rows| Self { cylinders, rows };
        let (cylinders, rows) = (self.cylinders, self.rows);
        let nothing = of([0; 2], [0; 2]);
        let parts = self.overlap(other).map_or([*self, nothing, nothing, nothing], |both| {
            [
                of([cylinders[0], both.cylinders[0]], rows),
                of([both.cylinders[1], cylinders[1]], rows),
                of(both.cylinders, [rows[0], both.rows[0]]),
                of(both.cylinders, [both.rows[1], rows[1]]),
            ]
        });
        parts.into_iter().filter(|part| part.cylinders[0] < part.cylinders[1] && part.rows[0] < part.rows[1])
    }

    /// Pieces of the area that lie in at least `depth` of the areas `others`; the pieces do not
    /// overlap.
    pub fn deep<'a>(&self, others: impl Iterator<Item = &'a Self>, depth: usize) -> Vec<Self> {
        // Pieces, ordered by the number of areas seen so far that cover them.
        let mut parts = vec![Vec::new(); depth + 1];
        parts[0].push(*self);
        for other in others {
            for count in (0..depth).rev() {
                let deeper: Vec<Self> =
                    parts[count].iter().filter_map(|part: &Self| part.overlap(other)).collect();
                if !deeper.is_empty() {
                    parts[count] = parts[count].iter().flat_map(|part| part.beside(other)).collect();
                    parts[count + 1].extend(deeper);
                }
            }
        }
        parts.swap_remove(depth)
    }
}

/// Use of a tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Duty {
    /// The tip stores data or checks of blocks: it is number `member` of the group `group`.
    Member { group: u32, member: u32 },
    /// The tip is a spare tip: it is number `number` of the track `track`.
    Spare { track: u32, number: u32 },
}

/// The tips of a device in groups. A group stores blocks of one track of a sled; blocks that lie
/// side by side in a row belong to different groups.
#[derive(Clone)]
pub(super) struct Tips {
    geometry: Geometry,
    layout: Arc<dyn Layout>,
    /// Placement of the tips of one sled; it is the same for all sleds.
    placement: Placement,
    tracks: u32,
    slots: u32,
    pub spares_per_track: u32,
}

impl Tips {
    /// Creates the tips of a device with the protection of a plan: check tips and spare tips are
    /// added to the data tips.
    pub fn new(params: &MemsParams, plan: &FaultPlan) -> Result<Self> {
        let geometry = Geometry::new(params)?;
        if u64::from(plan.spare_tips) > params.active_tips {
            return fault(format!(
                "spare_tips = {}: expected at most the {} active tips of a track of {}",
                plan.spare_tips, params.active_tips, params.name
            ));
        }
        let block_tips = params.tips_per_block + u64::from(plan.check_tips);
        if plan.check_tips > 0 && block_tips > TIPS_MAX {
            return fault(format!(
                "check_tips = {} with the {} tips of a block of {}: a code of bytes covers at most {TIPS_MAX} tips; lower check_tips",
                plan.check_tips, params.tips_per_block, params.name
            ));
        }
        let (tracks, slots) = (geometry.tracks_per_cylinder as u32, geometry.blocks_per_row as u32);
        let mut array = Array {
            groups: tracks * slots,
            tips_per_group: block_tips as u32,
            others: tracks * plan.spare_tips,
            columns: 1,
        };
        array.columns = plan.array_columns.unwrap_or(Array::columns_of_square(array.tips()));
        let placement = if plan.spread { Placement::spread(array)? } else { Placement::adjacent(array)? };
        let layout = layout::build(params, &geometry)?.into();
        Ok(Self { geometry, layout, placement, tracks, slots, spares_per_track: plan.spare_tips })
    }

    /// Number of tips of the device; the tips of all sleds are numbered one sled after the other.
    pub fn count(&self) -> u32 {
        self.placement.tips() * self.geometry.sleds as u32
    }

    /// Number of tracks in a cylinder, over all sleds.
    pub fn tracks(&self) -> u32 {
        self.tracks * self.geometry.sleds as u32
    }

    /// The whole region under a tip.
    pub fn everywhere(&self) -> Area {
        Area {
            cylinders: [0, self.geometry.cylinders as u32],
            rows: [0, self.geometry.rows_per_track as u32],
        }
    }

    pub fn duty(&self, tip: u32) -> Duty {
        let (sled, tip) = (tip / self.placement.tips(), tip % self.placement.tips());
        if let Some((group, member)) = self.placement.member(tip) {
            return Duty::Member { group: sled * self.tracks * self.slots + group, member };
        }
        let spare = tip - (self.placement.tips() - self.tracks * self.spares_per_track);
        Duty::Spare {
            track: sled * self.tracks + spare / self.spares_per_track,
            number: spare % self.spares_per_track,
        }
    }

    /// Number of the track to which a group of tips belongs.
    pub fn track(&self, group: u32) -> u32 {
        group / self.slots
    }

    /// Numbers of the groups of tips of a track.
    pub fn groups(&self, track: u32) -> Range<u32> {
        track * self.slots..(track + 1) * self.slots
    }

    /// Squared distance of the spare tip number `spare` from the nearest tip of a group of the same
    /// track, in units of the distance between neighbouring tips.
    pub fn distance_squared(&self, group: u32, spare: u32) -> u64 {
        let (first, per_sled) =
            (self.placement.tips() - self.tracks * self.spares_per_track, self.tracks * self.slots);
        let spare = first + self.track(group) % self.tracks * self.spares_per_track + spare;
        let tips = self.placement.group(group % per_sled).iter();
        tips.map(|tip| self.placement.between_squared(*tip, spare)).min().unwrap_or(u64::MAX)
    }

    /// Returns `tip` and its neighbours, `count` tips in all if possible. Each further tip lies
    /// beside a tip that is already chosen; `pick` chooses among the possible tips.
    pub fn neighbours(&self, tip: u32, count: usize, mut pick: impl FnMut(u32) -> u32) -> Vec<u32> {
        let (sled, columns) = (tip / self.placement.tips(), self.placement.columns());
        let mut found = vec![tip % self.placement.tips()];
        while found.len() < count {
            let beside = |tip: &u32| {
                let column = tip % columns;
                let along = [(column > 0).then(|| tip - 1), (column + 1 < columns).then(|| tip + 1)];
                along.into_iter().chain([tip.checked_sub(columns), Some(tip + columns)]).flatten()
            };
            let mut free: Vec<u32> = found.iter().flat_map(beside).collect();
            free.retain(|tip| *tip < self.placement.tips() && !found.contains(tip));
            if free.is_empty() {
                break;
            }
            found.push(free[pick(free.len() as u32) as usize]);
        }
        found.iter().map(|tip| sled * self.placement.tips() + tip).collect()
    }

    /// Group of tips, cylinder and row that hold block `lbn`.
    pub fn locate(&self, lbn: u64) -> (u32, u32, u32) {
        let at = self.layout.locate(lbn);
        ((at.sled * self.tracks + at.track) * self.slots + at.slot, at.cylinder, at.row)
    }

    /// LBNs of the blocks of a group of tips that lie in an area.
    pub fn blocks(&self, group: u32, area: Area) -> impl Iterator<Item = u64> + '_ {
        let (sled, track) = (group / (self.tracks * self.slots), group / self.slots % self.tracks);
        let slot = group % self.slots;
        let [first, last] = area.cylinders;
        (first..last).flat_map(move |cylinder| {
            (area.rows[0]..area.rows[1])
                .map(move |row| self.layout.lbn(Position { sled, cylinder, track, row, slot }))
        })
    }
}

/// The tips of a device; `None` for a device without tips, whose plan must not contain keys of
/// tips.
pub(super) fn tips_of(params: &DeviceParams, plan: &FaultPlan) -> Result<Option<Tips>> {
    if let DeviceParams::Mems(params) = params {
        ensure!(
            params.erase_block_kib.is_none(),
            "erase_block_kib: erasing moves the blocks of {}, but a plan of faults names fixed positions; expected a device without erase_block_kib",
            params.name
        );
        return Tips::new(params, plan).map(Some);
    }
    let (life, start) = (&plan.life, &plan.manufacture);
    let of_tips = [
        ("remapping = \"spare-tip\"", plan.remapping == Remapping::SpareTip),
        ("check_tips", plan.check_tips > 0),
        ("spare_tips", plan.spare_tips > 0),
        ("tip_failures", !plan.tip_failures.is_empty()),
        ("media_defects", !plan.media_defects.is_empty()),
        ("manufacture.tip_failure_probability", start.tip_failure_probability > 0.0),
        ("manufacture.media_defects", start.media_defects > 0.0),
        ("life.tip_failures_per_tip_hour", life.tip_failures_per_tip_hour > 0.0),
        ("life.media_defects_per_hour", life.media_defects_per_hour > 0.0),
    ];
    match of_tips.iter().find(|(_, given)| *given) {
        Some((key, _)) => fault(format!(
            "{key}: {} is of the kind {} and has no tips; instead give bad_blocks, and remapping = \"slip\", \"elsewhere\" or \"none\"",
            params.name(),
            params.kind()
        )),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn areas_overlap_where_both_are() {
        let area = |cylinders, rows| Area { cylinders, rows };
        let one = area([0, 5], [3, 9]);
        assert_eq!(one.overlap(&area([4, 8], [0, 4])), Some(area([4, 5], [3, 4])));
        for touches in [area([5, 8], [3, 9]), area([0, 5], [9, 10]), area([0, 5], [0, 3])] {
            assert_eq!(one.overlap(&touches), None, "{touches:?}");
        }
        assert!(one.holds(4, 8) && !one.holds(5, 8) && !one.holds(4, 9));
    }

    /// Checks that the data tips and check tips of a block may together equal the maximum number of
    /// symbols of a code over bytes, but not exceed it.
    #[test]
    fn checks_may_fill_the_code_and_no_more() {
        let set = "tips = 128\nactive_tips = 64\ntips_per_block = 64".parse().unwrap();
        let DeviceParams::Mems(params) = crate::device::load("osdi00", set).unwrap().into_parameters() else {
            panic!("osdi00 is a MEMS device")
        };
        let most = (TIPS_MAX - 64) as u32;
        let found = [most, most + 1].map(|check_tips| {
            let plan = FaultPlan { check_tips, spread: false, ..FaultPlan::default() };
            Tips::new(&params, &plan).map(|tips| tips.count()).map_err(|error| error.to_string())
        });
        assert_eq!(found[0], Ok(2 * TIPS_MAX as u32));
        let expected = format!("check_tips = {} with the 64 tips of a block of osdi00:", most + 1);
        assert!(found[1].as_ref().is_err_and(|error| error.starts_with(&expected)), "{found:?}");
    }

    /// Checks that the distance of a spare tip from a group is its distance from the nearest tip of
    /// the group, for all positions of the spare tip.
    #[test]
    fn distances_are_those_of_the_spare_from_the_nearest_tip() {
        let set = "tips = 128\nactive_tips = 64\ntips_per_block = 16".parse().unwrap();
        let DeviceParams::Mems(params) = crate::device::load("osdi00", set).unwrap().into_parameters() else {
            panic!("osdi00 is a MEMS device")
        };
        for spread in [false, true] {
            let plan = FaultPlan { spare_tips: 3, spread, ..FaultPlan::default() };
            let tips = Tips::new(&params, &plan).unwrap();
            let mut spares = 0;
            for tip in 0..tips.count() {
                let Duty::Spare { track, number } = tips.duty(tip) else { continue };
                spares += 1;
                for group in tips.groups(track) {
                    let members = (0..tips.count()).filter(
                        |tip| matches!(tips.duty(*tip), Duty::Member { group: its, .. } if its == group),
                    );
                    let nearest = members.map(|member| tips.placement.between_squared(member, tip)).min();
                    assert_eq!(Some(tips.distance_squared(group, number)), nearest, "{group} {number}");
                }
            }
            assert_eq!(spares, 2 * 3);
        }
    }

    proptest! {
        /// Checks that the pieces of an area cover exactly the right places, and no place twice.
        #[test]
        fn areas_are_cut_place_by_place(
            others in prop::collection::vec((0_u32..6, 1_u32..6, 0_u32..6, 1_u32..6), 0..8),
            depth in 0_usize..5,
        ) {
            let area = |(x, wide, y, high): (u32, u32, u32, u32)| Area { cylinders: [x, x + wide], rows: [y, y + high] };
            let (one, others) = (area((1, 5, 1, 5)), others.into_iter().map(area).collect::<Vec<_>>());
            let (without, deep) = (one.without(&others), one.deep(others.iter(), depth));
            for (x, y) in (0..12).flat_map(|x| (0..12).map(move |y| (x, y))) {
                let at = |areas: &[Area]| areas.iter().filter(|area| area.holds(x, y)).count();
                let (inside, many) = (one.holds(x, y), at(&others));
                prop_assert_eq!(at(&without), usize::from(inside && many == 0));
                prop_assert_eq!(at(&deep), usize::from(inside && many >= depth));
            }
        }
    }
}
