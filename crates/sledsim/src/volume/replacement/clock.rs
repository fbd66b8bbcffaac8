//! CLOCK: a second chance for entries in use (Corbato 1968).

use super::{Replacement, ReplacementRow};

/// Row of the policy in the table of replacement policies.
pub(super) const ROW: ReplacementRow = ReplacementRow::new(
    "clock",
    "second chance: a hand circles over the entries, and an entry used since the last visit is spared once",
    |slots| Box::new(Clock::new(slots)),
)
.source("Corbato 1968");

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hour {
    Empty,
    Taken,
    Used,
}

/// The slots in a ring, and the hand.
#[derive(Clone)]
pub(super) struct Clock {
    hours: Vec<Hour>,
    hand: usize,
}

impl Clock {
    pub(super) fn new(slots: u32) -> Self {
        Self { hours: vec![Hour::Empty; slots as usize], hand: 0 }
    }
}

impl Replacement for Clock {
    fn insert(&mut self, slot: u32, _key: u64) {
        self.hours[slot as usize] = Hour::Taken;
    }

    fn touch(&mut self, slot: u32) {
        self.hours[slot as usize] = Hour::Used;
    }

    fn victim(&mut self, max_refusals: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32> {
        let mut refused = 0;
        // After one round no slot is marked as used, so two rounds find any slot that may be taken.
        for _ in 0..2 * self.hours.len() {
            if refused == max_refusals {
                break;
            }
            let at = self.hand;
            self.hand = (at + 1) % self.hours.len();
            match self.hours[at] {
                Hour::Empty => {}
                _ if !may(at as u32) => refused += 1,
                Hour::Used => self.hours[at] = Hour::Taken,
                Hour::Taken => {
                    self.hours[at] = Hour::Empty;
                    return Some(at as u32);
                }
            }
        }
        None
    }
}
