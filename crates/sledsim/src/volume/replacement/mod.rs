//! Which slot is given to something new when all are taken.

mod adaptive;
mod clock;
mod ghosts;
mod order;
#[cfg(test)]
mod tests;
mod two_queues;

use crate::error::Result;
use crate::options::{OptionRow, Options};
use adaptive::Adaptive;
use clock::Clock;
use order::Order;
use two_queues::TwoQueues;

/// A replacement policy over numbered slots, each of which holds something that is known by a key.
pub trait Replacement: Send {
    /// A key is wanted that no slot holds; said once, before a victim is sought for it.
    fn missed(&mut self, _key: u64) {}

    /// A slot that held nothing holds the key from now on.
    fn insert(&mut self, slot: u32, key: u64);

    /// A slot is used again.
    fn touch(&mut self, slot: u32);

    /// The slot to be emptied, of those that `may` be, which are asked about in the order in which the policy would
    /// have them, until so many may not that its `patience` ends; it holds nothing from now on.
    fn victim(&mut self, patience: usize, may: &mut dyn FnMut(u32) -> bool) -> Option<u32>;
}

/// One policy.
pub struct ReplacementRow {
    /// The name that users give.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// Makes it for so many slots, none of which holds anything.
    pub build: fn(u32) -> Box<dyn Replacement>,
}

/// Every policy: one file and one row here.
pub const REPLACEMENTS: &[ReplacementRow] = &[
    ReplacementRow {
        name: "lru",
        description: "least recently used",
        build: |slots| Box::new(Order::new(slots, true)),
    },
    ReplacementRow {
        name: "clock",
        description: "a hand goes round, and passes once what was used since it came by (Corbato 1968)",
        build: |slots| Box::new(Clock::new(slots)),
    },
    ReplacementRow {
        name: "2q",
        description: "what is used once leaves soon, what comes back stays (Johnson and Shasha 1994)",
        build: |slots| Box::new(TwoQueues::new(slots)),
    },
    ReplacementRow {
        name: "arc",
        description: "balances what was used once against what was used again (Megiddo and Modha 2003)",
        build: |slots| Box::new(Adaptive::new(slots)),
    },
    ReplacementRow {
        name: "fifo",
        description: "first in, first out",
        build: |slots| Box::new(Order::new(slots, false)),
    },
];

/// The option that names a policy.
pub(super) const POLICY: OptionRow = OptionRow {
    name: "policy",
    unit: "",
    default: "lru",
    description: "which is replaced when all are taken: lru, clock, 2q, arc or fifo",
};

/// The policy that the options name, to be made for some number of slots.
///
/// # Errors
/// An unknown name.
pub(super) fn named(options: &Options) -> Result<fn(u32) -> Box<dyn Replacement>> {
    let known: Vec<_> = REPLACEMENTS.iter().map(|row| (row.name, row.build)).collect();
    options.one_of(POLICY.name, &known)
}
