//! The replacement policy CLOCK, which gives used entries a second chance (Corbato 1968).

use super::{Replacement, ReplacementRow};

/// Entry of CLOCK in the table of replacement policies.
pub(super) const ROW: ReplacementRow = ReplacementRow::new(
    "clock",
    "evicts, going round in a circle over the entries, the first one that was not used since the last round (second chance)",
    |slots| Box::new(Clock::new(slots)),
)
.source("Corbato 1968");

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hour {
    Empty,
    Taken,
    Used,
}

/// State of CLOCK: the slots in a circle, and the slot that is examined next.
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
        // After one round, all slots count as unused, so that two rounds find each slot that may be evicted.
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
