//! Which tip sectors of a device are missing, which are under a spare tip, and which blocks lost their data.

use std::collections::{BTreeMap, BTreeSet};

use super::tips::{Area, Duty, Tips};

/// What came of a fault at a tip sector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hit {
    /// Parts of regions that are under a spare since.
    pub spared: u64,
    /// Parts of regions for which there is none.
    pub missing: u64,
}

/// What a block has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// Tip sectors that are missing.
    pub missing: u32,
    /// Tip sectors that are under spare tips.
    pub spared: u32,
    /// Whether its data are gone.
    pub lost: bool,
}

#[derive(Default)]
struct Group {
    missing: Vec<(u32, Area)>,
    spared: Vec<(u32, Area)>,
    lost: Vec<Area>,
}

#[derive(Default)]
struct Spare {
    bad: Vec<Area>,
    used: Vec<(u32, u32, Area)>,
}

/// The damage at the tips of a device.
pub(super) struct Damage {
    tips: Tips,
    check_tips: usize,
    uses_spares: bool,
    groups: BTreeMap<u32, Group>,
    spares: Vec<Spare>,
    bad: BTreeMap<u32, Vec<Area>>,
    rewritten: BTreeSet<u64>,
}

impl Damage {
    pub fn new(tips: Tips, check_tips: u32, uses_spares: bool) -> Self {
        let spares = (0..tips.tracks() * tips.spares_per_track()).map(|_| Spare::default()).collect();
        let (groups, bad, rewritten) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Self { tips, check_tips: check_tips as usize, uses_spares, groups, spares, bad, rewritten }
    }

    pub fn tips(&self) -> &Tips {
        &self.tips
    }

    /// A part of the region of a tip is bad; `has_data` says whether something was there. Returns what came of it, and
    /// the group whose blocks have a tip sector less, if one has.
    pub fn strike(&mut self, tip: u32, area: Area, has_data: bool) -> (Hit, Option<u32>) {
        let known = self.bad.entry(tip).or_default();
        if known.iter().any(|bad| bad.overlap(&area) == Some(area)) {
            return (Hit::default(), None);
        }
        known.push(area);
        match self.tips.duty(tip) {
            Duty::Member { group, member } => {
                let hit = self.strike_member(group, member, area, has_data);
                (hit, (hit.missing > 0).then_some(group))
            }
            Duty::Spare { track, number } => (self.strike_spare(track, number, area), None),
        }
    }

    fn strike_spare(&mut self, track: u32, number: u32, area: Area) -> Hit {
        let spare = &mut self.spares[(track * self.tips.spares_per_track() + number) as usize];
        spare.bad.push(area);
        let is_hit = |(_, _, used): &(u32, u32, Area)| used.overlap(&area).is_some();
        let displaced: Vec<_> = spare.used.iter().copied().filter(is_hit).collect();
        spare.used.retain(|used| !is_hit(used));
        let mut all = Hit::default();
        for (group, member, used) in displaced {
            let spared = &mut self.groups.entry(group).or_default().spared;
            spared.retain(|entry| *entry != (member, used));
            let hit = self.strike_member(group, member, used, true);
            all.spared += hit.spared;
            all.missing += hit.missing;
        }
        all
    }

    fn strike_member(&mut self, group: u32, member: u32, area: Area, has_data: bool) -> Hit {
        let found = self.groups.entry(group).or_default();
        if has_data {
            let others: Vec<_> =
                found.missing.iter().copied().filter(|(other, _)| *other != member).collect();
            // With one tip sector more than the code can do without, the data of a block are gone.
            let before = found.lost.len();
            deep(area, &others, self.check_tips, &mut Vec::new(), &mut found.lost);
            let (tips, gone) = (&self.tips, &found.lost[before..]);
            if !gone.is_empty() {
                self.rewritten.retain(|lbn| {
                    let (at, cylinder, row) = tips.locate(*lbn);
                    at != group || !gone.iter().any(|area| area.holds(cylinder, row))
                });
            }
        }
        match self.spare(group, area) {
            Some(number) => {
                let track = self.tips.track(group);
                let spare = &mut self.spares[(track * self.tips.spares_per_track() + number) as usize];
                spare.used.push((group, member, area));
                self.groups.entry(group).or_default().spared.push((member, area));
                Hit { spared: 1, missing: 0 }
            }
            None => {
                self.groups.entry(group).or_default().missing.push((member, area));
                Hit { spared: 0, missing: 1 }
            }
        }
    }

    /// The spare of the track that is free there and stands furthest from the tips of the group.
    fn spare(&self, group: u32, area: Area) -> Option<u32> {
        if !self.uses_spares {
            return None;
        }
        let track = self.tips.track(group);
        let first = track * self.tips.spares_per_track();
        let is_free = |number: &u32| {
            let spare = &self.spares[(first + number) as usize];
            let taken = spare.bad.iter().chain(spare.used.iter().map(|(_, _, used)| used));
            taken.clone().all(|taken| taken.overlap(&area).is_none())
        };
        let free = (0..self.tips.spares_per_track()).filter(is_free);
        let free = free.map(|number| (self.tips.nearness(group, track, number), number));
        free.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, number)| number)
    }

    /// What the block at that place has left.
    pub fn state(&self, lbn: u64) -> State {
        if self.groups.is_empty() {
            return State::default();
        }
        let (group, cylinder, row) = self.tips.locate(lbn);
        let Some(found) = self.groups.get(&group) else { return State::default() };
        let members = |entries: &[(u32, Area)]| {
            let mut members: Vec<u32> = entries
                .iter()
                .filter(|(_, area)| area.holds(cylinder, row))
                .map(|(member, _)| *member)
                .collect();
            members.sort_unstable();
            members.dedup();
            members.len() as u32
        };
        let missing = members(&found.missing);
        let is_gone = found.lost.iter().any(|area| area.holds(cylinder, row));
        let lost = missing as usize > self.check_tips || is_gone && !self.rewritten.contains(&lbn);
        State { missing, spared: members(&found.spared), lost }
    }

    /// A block is written again: what was lost there is no longer missed.
    pub fn rewrite(&mut self, lbn: u64) {
        self.rewritten.insert(lbn);
    }
}

/// Adds the parts of `area` in which so many different others are missing, too.
fn deep(area: Area, others: &[(u32, Area)], more: usize, chosen: &mut Vec<u32>, found: &mut Vec<Area>) {
    if more == 0 {
        found.push(area);
        return;
    }
    for (at, (member, other)) in others.iter().enumerate() {
        if chosen.contains(member) {
            continue;
        }
        if let Some(both) = area.overlap(other) {
            chosen.push(*member);
            deep(both, &others[at + 1..], more - 1, chosen, found);
            chosen.pop();
        }
    }
}
