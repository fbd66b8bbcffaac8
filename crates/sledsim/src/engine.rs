//! The engine: what happens next.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::time::Time;

/// A heap of events by time; those of one time come in the order in which they were scheduled.
///
/// It knows nothing of what the events mean.
#[derive(Debug)]
pub struct Engine<E> {
    heap: BinaryHeap<Scheduled<E>>,
    sequence: u64,
}

/// The key is the time, and below it the sequence number: one comparison instead of two.
#[derive(Debug)]
struct Scheduled<E> {
    key: u128,
    event: E,
}

impl<E> Engine<E> {
    /// An engine without events.
    #[must_use]
    pub fn new() -> Self {
        Self { heap: BinaryHeap::new(), sequence: 0 }
    }

    /// Schedules an event.
    pub fn schedule(&mut self, time: Time, event: E) {
        let key = u128::from(time.0) << 64 | u128::from(self.sequence);
        self.heap.push(Scheduled { key, event });
        self.sequence += 1;
    }

    /// Takes out the next event and its time, if it is not later than `limit`.
    pub fn pop_until(&mut self, limit: Time) -> Option<(Time, E)> {
        let next = self.heap.peek()?;
        if next.key >> 64 > u128::from(limit.0) {
            return None;
        }
        self.pop()
    }

    /// Takes out the next event and its time.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        self.heap.pop().map(|scheduled| (Time((scheduled.key >> 64) as u64), scheduled.event))
    }
}

impl<E> Default for Engine<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> Ord for Scheduled<E> {
    /// Reversed: the heap has its greatest element on top.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl<E> PartialOrd for Scheduled<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> PartialEq for Scheduled<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<E> Eq for Scheduled<E> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_as_scheduled() {
        let mut engine = Engine::new();
        for (time, event) in [(5, 'c'), (3, 'a'), (5, 'd'), (4, 'b')] {
            engine.schedule(Time(time), event);
        }
        let order: String = std::iter::from_fn(|| engine.pop()).map(|(_, event)| event).collect();
        assert_eq!(order, "abcd");
    }

    #[test]
    fn a_limit_holds_back_what_is_later() {
        let mut engine = Engine::new();
        engine.schedule(Time(5), 'a');
        assert_eq!(engine.pop_until(Time(4)), None);
        assert_eq!(engine.pop_until(Time(5)), Some((Time(5), 'a')));
    }
}
