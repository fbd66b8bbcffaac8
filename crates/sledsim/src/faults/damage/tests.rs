//! Test of the damage against a model that follows every place (cylinder and row) of a track.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::device::load;
use crate::faults::FaultPlan;
use crate::params::DeviceParams;

/// Creates a device with tracks of two blocks side by side and few cylinders.
fn tips(check_tips: u32, spare_tips: u32) -> Tips {
    let small = "tips = 256\nactive_tips = 128\nstroke_x_nm = 160\n".parse().unwrap();
    let DeviceParams::Mems(params) = load("osdi00", small).unwrap().into_parameters() else {
        panic!("osdi00 is a MEMS device")
    };
    Tips::new(&params, &FaultPlan { check_tips, spare_tips, ..FaultPlan::default() }).unwrap()
}

/// The tip that now stores a tip sector of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Under {
    Own,
    Spare(u32),
    Nothing,
}

/// Model of one place: the tip sectors at one cylinder and row under all tips of a track, including
/// spare tips.
struct UnderTip {
    cylinder: u32,
    row: u32,
    /// The tip that now stores each tip sector, by number of the group and number of the original
    /// tip within the group.
    under: BTreeMap<(u32, u32), Under>,
    bad: BTreeSet<u32>,
    bad_spares: BTreeSet<u32>,
    lost: BTreeSet<u32>,
}

impl UnderTip {
    fn missing(&self, group: u32) -> usize {
        self.under.iter().filter(|((at, _), under)| *at == group && **under == Under::Nothing).count()
    }

    fn strike(&mut self, tips: &Tips, checks: usize, tip: u32, has_data: bool) {
        let hit = match tips.duty(tip) {
            Duty::Member { group, member } => {
                let was_under = *self.under.get(&(group, member)).unwrap_or(&Under::Own);
                (self.bad.insert(tip) && was_under == Under::Own).then_some((group, member))
            }
            Duty::Spare { number, .. } => {
                self.bad_spares.insert(number);
                let under = |under: &Under| *under == Under::Spare(number);
                self.under.iter().find(|(_, at)| under(at)).map(|(member, _)| *member)
            }
        };
        let Some((group, member)) = hit else { return };
        self.under.remove(&(group, member));
        if has_data && self.missing(group) >= checks {
            self.lost.insert(group);
        }
        let is_free = |number: &u32| {
            !self.bad_spares.contains(number)
                && !self.under.values().any(|under| *under == Under::Spare(*number))
        };
        let free = (0..tips.spares_per_track).filter(is_free);
        let furthest = free.min_by_key(|number| std::cmp::Reverse(tips.distance_squared(group, *number)));
        self.under.insert((group, member), furthest.map_or(Under::Nothing, Under::Spare));
    }
}

/// An event: a block is written (if the first value is true), or a rectangle or the whole region
/// under a tip fails. Few tips are chosen, so that events overlap.
type Event = (bool, u32, Option<([u32; 2], [u32; 2])>);

fn event() -> impl Strategy<Value = Event> {
    let span =
        |most: u32| (0..most, 1..=most).prop_map(move |(from, length)| [from, (from + length).min(most)]);
    (prop::bool::weighted(0.1), 0..10_000_u32, prop::option::of((span(4), span(27))))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Checks that the damage to each block equals the damage in the model, for any order of
    /// failures, at manufacture and later.
    #[test]
    fn damage_is_that_of_each_place(
        checks in 0_u32..4,
        spares in 0_u32..5,
        at_manufacture in 0_usize..8,
        events in prop::collection::vec(event(), 1..40),
    ) {
        let mut damage = Damage::new(tips(checks, spares), checks, true);
        let tips = tips(checks, spares);
        let everywhere = tips.everywhere();
        prop_assert_eq!((everywhere.cylinders, everywhere.rows), ([0, 4], [0, 27]));
        let place = |at: u32| UnderTip {
            cylinder: at / 27,
            row: at % 27,
            under: BTreeMap::new(),
            bad: BTreeSet::new(),
            bad_spares: BTreeSet::new(),
            lost: BTreeSet::new(),
        };
        let mut tracks: Vec<Vec<UnderTip>> = (0..tips.tracks()).map(|_| (0..4 * 27).map(place).collect()).collect();
        let blocks = u64::from(tips.tracks()) * 2 * 4 * 27;
        // Only six tips of each of two groups of one track, and all spare tips, are struck.
        let few = |tip: &u32| match tips.duty(*tip) {
            Duty::Member { group, member } => group < 2 && member < 6,
            Duty::Spare { .. } => true,
        };
        let few: Vec<u32> = (0..tips.count()).filter(few).collect();
        for (number, (writes, which, part)) in events.into_iter().enumerate() {
            if writes {
                let lbn = u64::from(which) % blocks;
                let (group, cylinder, row) = tips.locate(lbn);
                if damage.state(lbn).lost {
                    damage.rewrite(lbn);
                }
                tracks[tips.track(group) as usize][(cylinder * 27 + row) as usize].lost.remove(&group);
                continue;
            }
            let tip = few[which as usize % few.len()];
            let area = part.map_or(everywhere, |(cylinders, rows)| Area { cylinders, rows });
            let has_data = number >= at_manufacture;
            let struck = damage.strike(tip, area, has_data);
            let track = match tips.duty(tip) {
                Duty::Member { group, .. } => tips.track(group),
                Duty::Spare { track, .. } => track,
            };
            prop_assert!(struck.iter().all(|group| tips.track(*group) == track));
            for place in &mut tracks[track as usize] {
                if area.holds(place.cylinder, place.row) {
                    place.strike(&tips, checks as usize, tip, has_data);
                }
            }
        }
        for lbn in 0..blocks {
            let (group, cylinder, row) = tips.locate(lbn);
            let place = &tracks[tips.track(group) as usize][(cylinder * 27 + row) as usize];
            let all = place.under.iter().filter(|((at, _), _)| *at == group);
            let spared = all.filter(|(_, under)| matches!(under, Under::Spare(_))).count() as u32;
            let missing = place.missing(group) as u32;
            let lost = missing > checks || place.lost.contains(&group);
            prop_assert_eq!(damage.state(lbn), State { missing, spared, lost }, "block {}", lbn);
        }
        let tips_where = |is_meant: fn(&Under) -> bool| {
            let everyone = tracks.iter().flatten().flat_map(|place| &place.under);
            everyone.filter(|(_, under)| is_meant(under)).map(|(tip, _)| *tip).collect::<BTreeSet<_>>().len() as u64
        };
        let expected = [
            tips_where(|under| matches!(under, Under::Spare(_))),
            tips_where(|under| *under == Under::Nothing),
        ];
        prop_assert_eq!(damage.regions(), expected);
    }
}

/// Checks that each area of the damage is listed once, even if all tips of a device fail after many
/// defects.
#[test]
fn damage_does_not_grow_without_end() {
    let tips = tips(8, 4);
    let (count, everywhere) = (tips.count(), tips.everywhere());
    let mut damage = Damage::new(tips, 8, true);
    for at in 0..3000_u32 {
        let (cylinder, row) = (at % 4, at / 4 % 27);
        let area = Area { cylinders: [cylinder, cylinder + 1], rows: [row, row + 1] };
        damage.strike(at * 7919 % count, area, true);
    }
    for tip in 0..count {
        damage.strike(tip, everywhere, true);
        damage.strike(tip, everywhere, true);
    }
    let places = 4 * 27;
    for group in damage.groups.values() {
        assert!(group.missing.len() + group.spared.len() <= 72 * places && group.lost.len() <= places);
    }
    assert!(damage.taken.iter().all(|taken| taken.len() <= 2 * places));
    assert!(damage.bad.values().all(|bad| bad.len() == 1));
    let state = damage.state(0);
    assert!(state.lost && state.missing + state.spared == 72, "{state:?}");
}
