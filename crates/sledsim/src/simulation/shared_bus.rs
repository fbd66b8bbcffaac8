//! The bus that all members of a volume share: the transfer that holds the bus, and the queue of transfers for it.

use std::collections::BTreeMap;

use super::jobs::Done;
use super::watching::Cause;
use crate::time::{Span, Time};

/// Order of the transfers in the queue: by the time at which they became ready, then by member number, then by the
/// order in which the parts were sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub ready: Time,
    pub member: u32,
    /// Number of parts that were sent before the part of this transfer.
    pub before: u64,
}

/// The transfer of the data of one part over the bus, or its wait for the bus.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// Number of the part in the table of parts in flight.
    pub tag: u32,
    pub since: Time,
    /// Time at which the data of the part began to cross the bus.
    pub begun: Time,
    /// Totals of the services for the part, if a volume served the part.
    pub done: Option<Done>,
    /// Event that caused the transfer, and its time; kept only if the histories of requests are recorded. The event
    /// counts as the cause of what follows the transfer.
    pub cause: Option<(Cause, Time)>,
}

/// A bus that carries one transfer at a time, without interruption.
///
/// The bus chooses its next transfer only after all transfers that become ready at this time have joined the queue.
/// Therefore `demand` and `finish` start no transfer, but return true if one can start. The event loop then calls
/// `choose` after all other events of the same time.
#[derive(Clone, Debug)]
pub(super) struct SharedBus<C> {
    ns_per_sector: f64,
    waiting: BTreeMap<Rank, (u32, C)>,
    carries: Option<C>,
    chooses: bool,
}

impl<C> SharedBus<C> {
    /// Creates a free bus that needs `ns_per_sector` nanoseconds for a sector.
    pub fn new(ns_per_sector: f64) -> Self {
        Self { ns_per_sector, waiting: BTreeMap::new(), carries: None, chooses: false }
    }

    /// Adds a transfer of `sectors` sectors to the queue; `what` identifies its part. Returns true if the bus is free
    /// and must [choose](Self::choose).
    pub fn demand(&mut self, rank: Rank, sectors: u32, what: C) -> bool {
        self.waiting.insert(rank, (sectors, what));
        self.is_due()
    }

    /// Starts the first transfer of the queue; returns the transfer and its duration.
    pub fn choose(&mut self) -> (&mut C, Span) {
        let (_, (sectors, what)) =
            self.waiting.pop_first().expect("a choice is due only if a transfer waits");
        self.chooses = false;
        (self.carries.insert(what), Span((f64::from(sectors) * self.ns_per_sector + 0.5) as u64))
    }

    /// Ends the transfer in progress. Returns the transfer, and true if the bus must [choose](Self::choose) another
    /// one.
    pub fn finish(&mut self) -> (C, bool) {
        let what = self.carries.take().expect("a transfer in progress occupies the bus");
        (what, self.is_due())
    }

    /// All transfers that cross the bus or wait for the bus.
    pub fn all(&self) -> impl Iterator<Item = &C> {
        self.carries.iter().chain(self.waiting.values().map(|(_, what)| what))
    }

    fn is_due(&mut self) -> bool {
        let is_due = self.carries.is_none() && !self.chooses && !self.waiting.is_empty();
        self.chooses |= is_due;
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use proptest::prelude::*;

    #[derive(Clone, Copy)]
    enum Event {
        Ready(usize),
        Choose,
        Across,
    }

    /// Completion times of transfers over a bus. Each element of `demands` has a time in nanoseconds, a member number
    /// and a number of sectors.
    fn run(ns_per_sector: f64, demands: &[(u64, u32, u32)]) -> Vec<u64> {
        let (mut engine, mut bus) = (Engine::new(), SharedBus::new(ns_per_sector));
        for (number, (ready, ..)) in demands.iter().enumerate() {
            engine.schedule(Time(*ready), Event::Ready(number));
        }
        let mut across = vec![0; demands.len()];
        while let Some((now, event)) = engine.pop_until(Time::MAX) {
            let is_due = match event {
                Event::Ready(number) => {
                    let (_, member, sectors) = demands[number];
                    bus.demand(Rank { ready: now, member, before: number as u64 }, sectors, number)
                }
                Event::Choose => {
                    engine.schedule(now + bus.choose().1, Event::Across);
                    false
                }
                Event::Across => {
                    let (number, is_due) = bus.finish();
                    across[number] = now.0;
                    is_due
                }
            };
            if is_due {
                engine.schedule(now, Event::Choose);
            }
        }
        assert_eq!(bus.all().count(), 0);
        across
    }

    #[test]
    fn the_second_of_two_that_are_ready_at_once_waits_for_the_first() {
        // At 10 ns a sector, the transfer of the lower member number goes first, in any order of demands.
        assert_eq!(run(10.0, &[(100, 1, 8), (100, 0, 4)]), [100 + 40 + 80, 100 + 40]);
    }

    #[test]
    fn what_is_ready_when_the_bus_becomes_free_is_chosen_by_its_member() {
        let demands = [(100, 0, 5), (150, 2, 1), (150, 1, 1)];
        assert_eq!(run(10.0, &demands), [150, 170, 160]);
    }

    #[test]
    fn an_idle_bus_begins_at_once() {
        assert_eq!(
            run(0.5, &[(7, 3, 1), (1000, 0, 3)]),
            [8, 1002],
            "each transfer is rounded to nanoseconds as a whole"
        );
    }

    proptest! {
        /// Compares the bus with a simple model: a sorted list of the same transfers.
        #[test]
        fn it_does_what_a_sorted_list_does(
            demands in prop::collection::vec((0_u64..300, 0_u32..4, 1_u32..20), 1..80), ns_per_sector in 0.6..9.0_f64,
        ) {
            let mut order: Vec<usize> = (0..demands.len()).collect();
            order.sort_by_key(|at| (demands[*at].0, demands[*at].1, *at));
            let (mut free, mut expected) = (0, vec![0; demands.len()]);
            for at in order {
                let (ready, _, sectors) = demands[at];
                free = free.max(ready) + (f64::from(sectors) * ns_per_sector).round() as u64;
                expected[at] = free;
            }
            prop_assert_eq!(run(ns_per_sector, &demands), expected);
        }
    }
}
