//! Damage under the tips of a device: missing tip sectors, tip sectors under spare tips, and blocks
//! with lost data.

use std::collections::{BTreeMap, BTreeSet};

use super::tips::{Area, Duty, Tips};

/// Damage to a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// Number of missing tip sectors of the block.
    pub missing: u32,
    /// Number of tip sectors of the block that lie under spare tips.
    pub spared: u32,
    /// True if the data of the block are lost.
    pub lost: bool,
}

/// A tip of a block: the number of its group of tips, and its number within the group.
type Member = (u32, u32);

#[derive(Clone, Default)]
struct Group {
    /// Areas that no tip can read any more, each with the tip that stored it (its number within the
    /// group).
    missing: Vec<(u32, Area)>,
    /// Areas that a spare tip has taken over, each with the tip that stored it (its number within
    /// the group) and the spare tip (its number within the track).
    spared: Vec<(u32, u32, Area)>,
    /// Areas in which the data of the group's blocks are lost; they do not overlap.
    lost: Vec<Area>,
}

/// Damage under all tips of a device.
#[derive(Clone)]
pub(super) struct Damage {
    pub tips: Tips,
    check_tips: usize,
    uses_spares: bool,
    groups: BTreeMap<u32, Group>,
    /// Areas of the region under each spare tip that are bad or in use.
    taken: Vec<Vec<Area>>,
    /// Bad areas of the region of each tip.
    bad: BTreeMap<u32, Vec<Area>>,
    rewritten: BTreeSet<u64>,
}

impl Damage {
    pub fn new(tips: Tips, check_tips: u32, uses_spares: bool) -> Self {
        let taken = vec![Vec::new(); (tips.tracks() * tips.spares_per_track) as usize];
        let (groups, bad, rewritten) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Self { tips, check_tips: check_tips as usize, uses_spares, groups, taken, bad, rewritten }
    }

    /// Marks the area `area` under the tip `tip` as bad; `has_data` is true if the medium holds
    /// data there. Returns the groups of tips whose blocks may have lost a tip sector.
    pub fn strike(&mut self, tip: u32, area: Area, has_data: bool) -> Vec<u32> {
        let known = self.bad.entry(tip).or_default();
        let struck = area.without(known);
        known.retain(|bad| area.overlap(bad) != Some(*bad));
        known.push(area);
        let members: Vec<_> = match self.tips.duty(tip) {
            Duty::Member { group, member } => {
                struck.into_iter().map(|part| ((group, member), part)).collect()
            }
            Duty::Spare { track, number } => {
                struck.into_iter().flat_map(|part| self.strike_spare(track, number, part)).collect()
            }
        };
        for (member, part) in &members {
            self.strike_member(*member, *part, has_data);
        }
        members.into_iter().map(|((group, _), _)| group).collect()
    }

    /// Marks an area under a spare tip as bad. Returns the tips whose data the spare tip stored in
    /// this area, each with the part of the area.
    fn strike_spare(&mut self, track: u32, number: u32, area: Area) -> Vec<(Member, Area)> {
        self.taken[(track * self.tips.spares_per_track + number) as usize].push(area);
        let mut displaced = Vec::new();
        for (group, found) in self.groups.range_mut(self.tips.groups(track)) {
            let is_hit =
                |(_, under, used): &mut (u32, u32, Area)| *under == number && used.overlap(&area).is_some();
            for (member, _, used) in found.spared.extract_if(.., is_hit).collect::<Vec<_>>() {
                displaced.extend(used.overlap(&area).map(|part| ((*group, member), part)));
                found.spared.extend(used.without(&[area]).into_iter().map(|part| (member, number, part)));
            }
        }
        displaced
    }

    fn strike_member(&mut self, (group, member): Member, area: Area, has_data: bool) {
        if has_data {
            self.lose(group, area);
        }
        let mut left = vec![area];
        for number in self.spares(group) {
            let taken =
                &mut self.taken[(self.tips.track(group) * self.tips.spares_per_track + number) as usize];
            let free: Vec<Area> = left.iter().flat_map(|part| part.without(taken)).collect();
            left = left.iter().flat_map(|part| part.without(&free)).collect();
            taken.extend(&free);
            let found = self.groups.entry(group).or_default();
            found.spared.extend(free.into_iter().map(|part| (member, number, part)));
        }
        let found = self.groups.entry(group).or_default();
        found.missing.extend(left.into_iter().map(|part| (member, part)));
    }

    /// Adds a missing tip sector to each block of a group of tips in an area; a block with more
    /// missing tip sectors than the code can correct is lost.
    fn lose(&mut self, group: u32, area: Area) {
        let found = self.groups.entry(group).or_default();
        let gone = area.deep(found.missing.iter().map(|(_, missing)| missing), self.check_tips);
        if gone.is_empty() {
            return;
        }
        let tips = &self.tips;
        self.rewritten.retain(|lbn| {
            let (at, cylinder, row) = tips.locate(*lbn);
            at != group || !gone.iter().any(|area| area.holds(cylinder, row))
        });
        let more: Vec<Area> = gone.iter().flat_map(|area| area.without(&found.lost)).collect();
        found.lost.extend(more);
    }

    /// Spare tips of the track to which a group belongs, by number within the track; the spare tip
    /// farthest from the tips of the group comes first.
    fn spares(&self, group: u32) -> Vec<u32> {
        let count = if self.uses_spares { self.tips.spares_per_track } else { 0 };
        let mut spares: Vec<u32> = (0..count).collect();
        spares.sort_by_cached_key(|number| std::cmp::Reverse(self.tips.distance_squared(group, *number)));
        spares
    }

    /// Damage to the block at the place `lbn` of the medium.
    pub fn state(&self, lbn: u64) -> State {
        if self.groups.is_empty() {
            return State::default();
        }
        let (group, cylinder, row) = self.tips.locate(lbn);
        let Some(found) = self.groups.get(&group) else { return State::default() };
        // A tip appears at most once at a place.
        let is_there = |area: &Area| area.holds(cylinder, row);
        let missing = found.missing.iter().filter(|(_, area)| is_there(area)).count();
        let spared = found.spared.iter().filter(|(_, _, area)| is_there(area)).count();
        let is_gone = found.lost.iter().any(is_there);
        let lost = missing > self.check_tips || is_gone && !self.rewritten.contains(&lbn);
        State { missing: missing as u32, spared: spared as u32, lost }
    }

    /// Number of tips (not counting spare tips) with an area that is stored under spare tips, and
    /// number of those with an unreadable area.
    pub fn regions(&self) -> [u64; 2] {
        let different =
            |members: &mut dyn Iterator<Item = u32>| members.collect::<BTreeSet<_>>().len() as u64;
        self.groups.values().fold([0; 2], |[spared, missing], group| {
            [
                spared + different(&mut group.spared.iter().map(|(member, ..)| *member)),
                missing + different(&mut group.missing.iter().map(|(member, _)| *member)),
            ]
        })
    }

    /// Records that the whole block at the place `lbn` was rewritten, so that data lost before no
    /// longer count as lost.
    pub fn rewrite(&mut self, lbn: u64) {
        self.rewritten.insert(lbn);
    }
}

#[cfg(test)]
mod tests;
