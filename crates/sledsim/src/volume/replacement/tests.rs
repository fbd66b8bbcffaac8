//! Tests that compare each replacement policy with a slow model, which keeps keys in plain lists.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::{Replacement, REPLACEMENTS};

/// Result of an access to a model: true for a hit, and the key that is evicted, if any.
type Answer = (bool, Option<u64>);

/// A model of a policy: a function that accesses a key. It works on keys without slots, as in the description by the
/// authors.
type Model = Box<dyn FnMut(u64) -> Answer>;

fn take(list: &mut VecDeque<u64>, key: u64) -> bool {
    let place = list.iter().position(|&other| other == key);
    place.map(|place| list.remove(place)).is_some()
}

fn order(slots: usize, by_use: bool) -> Model {
    let mut list = VecDeque::new();
    Box::new(move |key| {
        if list.contains(&key) {
            if by_use {
                take(&mut list, key);
                list.push_back(key);
            }
            return (true, None);
        }
        let left = if list.len() == slots { list.pop_front() } else { None };
        list.push_back(key);
        (false, left)
    })
}

/// A model of CLOCK with a list. An entry that was used since it was last examined moves to the end of the list, and is
/// not evicted.
fn clock(slots: usize) -> Model {
    let mut list: VecDeque<(u64, bool)> = VecDeque::new();
    Box::new(move |key| {
        if let Some(found) = list.iter_mut().find(|(other, _)| *other == key) {
            found.1 = true;
            return (true, None);
        }
        let mut left = None;
        while list.len() == slots {
            match list.pop_front().unwrap() {
                (other, true) => list.push_back((other, false)),
                (other, false) => left = Some(other),
            }
        }
        list.push_back((key, false));
        (false, left)
    })
}

fn two_queues(slots: usize) -> Model {
    let (mut new, mut kept, mut out) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
    let (most_new, most_out) = ((slots / 4).max(1), (slots / 2).max(1));
    Box::new(move |key| {
        if take(&mut kept, key) {
            kept.push_back(key);
            return (true, None);
        }
        if new.contains(&key) {
            return (true, None);
        }
        let mut left = None;
        let returns = out.contains(&key);
        if new.len() + kept.len() == slots {
            if new.len() > most_new || kept.is_empty() {
                left = new.pop_front();
                out.push_back(left.unwrap());
                if out.len() > most_out {
                    out.pop_front();
                }
            } else {
                left = kept.pop_front();
            }
        }
        // The policy had recorded the return of the key before it made room, which may have dropped the key.
        if returns {
            take(&mut out, key);
            kept.push_back(key);
        } else {
            new.push_back(key);
        }
        (false, left)
    })
}

/// A model of ARC after Figure 4 of Megiddo and Modha; the choice of `left` is their procedure `REPLACE`.
fn arc(slots: usize) -> Model {
    let [mut t1, mut t2, mut b1, mut b2] = [const { VecDeque::<u64>::new() }; 4];
    let mut p = 0;
    Box::new(move |key| {
        if take(&mut t1, key) || take(&mut t2, key) {
            t2.push_back(key);
            return (true, None);
        }
        let (in_b1, in_b2) = (b1.contains(&key), b2.contains(&key));
        if in_b1 {
            p = (p + (b2.len() / b1.len()).max(1)).min(slots);
        } else if in_b2 {
            p = usize::saturating_sub(p, (b1.len() / b2.len()).max(1));
        } else if t1.len() + b1.len() == slots {
            if t1.len() == slots {
                let left = t1.pop_front();
                t1.push_back(key);
                return (false, left);
            }
            b1.pop_front();
        } else if t1.len() + t2.len() + b1.len() + b2.len() == 2 * slots {
            b2.pop_front();
        }
        let mut left = None;
        if t1.len() + t2.len() == slots {
            let from_once = !t1.is_empty() && (t1.len() > p || (in_b2 && t1.len() == p));
            let (list, ghosts) =
                if from_once || t2.is_empty() { (&mut t1, &mut b1) } else { (&mut t2, &mut b2) };
            left = list.pop_front();
            ghosts.push_back(left.unwrap());
        }
        if take(&mut b1, key) || take(&mut b2, key) {
            t2.push_back(key);
        } else {
            t1.push_back(key);
        }
        (false, left)
    })
}

fn model(name: &str, slots: usize) -> Model {
    match name {
        "lru" => order(slots, true),
        "fifo" => order(slots, false),
        "clock" => clock(slots),
        "2q" => two_queues(slots),
        "arc" => arc(slots),
        _ => panic!("{name} has no model"),
    }
}

/// A policy, with the keys that its slots hold.
struct Cache {
    policy: Box<dyn Replacement>,
    keys: Vec<Option<u64>>,
}

impl Cache {
    fn access(&mut self, key: u64, may: &mut dyn FnMut(u32) -> bool) -> Option<Answer> {
        if let Some(slot) = self.keys.iter().position(|&held| held == Some(key)) {
            self.policy.touch(slot as u32);
            return Some((true, None));
        }
        self.policy.missed(key);
        let free = self.keys.iter().position(Option::is_none);
        let slot =
            free.map_or_else(|| self.policy.victim(2 * self.keys.len(), may), |slot| Some(slot as u32))?;
        let left = self.keys[slot as usize].replace(key);
        self.policy.insert(slot, key);
        Some((false, left))
    }
}

proptest! {
    #[test]
    fn policies_do_as_their_models(
        slots in 1_usize..12,
        keys in prop::collection::vec((0_u64..6, 0_u64..6).prop_map(|(a, b)| a * b), 0..300),
    ) {
        for row in REPLACEMENTS.rows() {
            let mut cache = Cache { policy: (row.make)(slots as u32), keys: vec![None; slots] };
            let mut model = model(row.name, slots);
            for (at, &key) in keys.iter().enumerate() {
                let found = cache.access(key, &mut |_| true);
                prop_assert_eq!(found, Some(model(key)), "{} at access {}", row.name, at);
            }
        }
    }

    #[test]
    fn what_must_stay_stays_and_whatever_may_go_is_found(
        slots in 1_usize..12,
        accesses in prop::collection::vec((0_u64..30, any::<u16>()), 0..300),
    ) {
        for row in REPLACEMENTS.rows() {
            let mut cache = Cache { policy: (row.make)(slots as u32), keys: vec![None; slots] };
            for &(key, pinned) in &accesses {
                let before = cache.keys.clone();
                let found = cache.access(key, &mut |slot| pinned >> slot & 1 == 0);
                let is_stuck = !before.contains(&Some(key))
                    && (0..slots).all(|slot| pinned >> slot & 1 == 1 && before[slot].is_some());
                prop_assert_eq!(found.is_none(), is_stuck, "{}", row.name);
                for slot in (0..slots).filter(|slot| pinned >> slot & 1 == 1) {
                    prop_assert!(before[slot].is_none() || before[slot] == cache.keys[slot], "{}", row.name);
                }
            }
        }
    }
}
