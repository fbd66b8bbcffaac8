//! The queue of future events.

use crate::time::Time;

/// Events in the order of time; events at equal times come in the order in which they were scheduled.
///
/// The engine does not know the meaning of events. It has a binary heap of its own, which is faster for few,
/// small events: it writes each event directly to its final place, while a general heap moves events several
/// times. The next event is stored outside the heap, because it is often the only event.
#[derive(Clone, Debug)]
pub struct Engine<E> {
    next: Option<Scheduled<E>>,
    heap: Vec<Scheduled<E>>,
    sequence: u64,
}

/// An event with its sort key. The high bits of the key are the time. The low bits are a sequence number, so
/// that events at equal times keep the order in which they were scheduled.
#[derive(Clone, Copy, Debug)]
struct Scheduled<E> {
    key: u128,
    event: E,
}

impl<E> Scheduled<E> {
    fn time(&self) -> Time {
        Time((self.key >> 64) as u64)
    }
}

impl<E: Copy> Engine<E> {
    /// Creates an engine without events.
    #[must_use]
    pub fn new() -> Self {
        Self { next: None, heap: Vec::new(), sequence: 0 }
    }

    /// Schedules an event at `time`.
    #[inline]
    pub fn schedule(&mut self, time: Time, event: E) {
        let key = u128::from(time.0) << 64 | u128::from(self.sequence);
        self.sequence += 1;
        let event = Scheduled { key, event };
        match self.next {
            Some(next) if next.key < key => self.rise(event),
            next => {
                self.next = Some(event);
                if let Some(next) = next {
                    self.rise(next);
                }
            }
        }
    }

    /// Adds an event at the end of the heap, and moves it up to its place.
    fn rise(&mut self, event: Scheduled<E>) {
        let mut at = self.heap.len();
        self.heap.push(event);
        while at > 0 {
            let above = (at - 1) / 2;
            if self.heap[above].key < event.key {
                break;
            }
            self.heap[at] = self.heap[above];
            at = above;
        }
        self.heap[at] = event;
    }

    /// Time of the next event; `None` if no event is scheduled.
    #[inline]
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        self.next.map(|next| next.time())
    }

    /// All events with their times, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Time, &E)> {
        self.next.iter().chain(&self.heap).map(|scheduled| (scheduled.time(), &scheduled.event))
    }

    /// Removes and returns the next event with its time, if this time is not later than `limit`.
    #[inline(always)]
    pub fn pop_until(&mut self, limit: Time) -> Option<(Time, E)> {
        let next = self.next?;
        if next.time() > limit {
            return None;
        }
        if self.heap.is_empty() {
            self.next = None;
        } else {
            self.pull();
        }
        Some((next.time(), next.event))
    }

    /// Takes the first event out of the heap as the next event, and restores the order of the heap.
    fn pull(&mut self) {
        let Some(event) = self.heap.pop() else { return };
        let length = self.heap.len();
        if length == 0 {
            self.next = Some(event);
            return;
        }
        self.next = Some(self.heap[0]);
        let mut at = 0;
        loop {
            let mut below = 2 * at + 1;
            if below + 1 < length && self.heap[below + 1].key < self.heap[below].key {
                below += 1;
            }
            if below >= length || event.key < self.heap[below].key {
                break;
            }
            self.heap[at] = self.heap[below];
            at = below;
        }
        self.heap[at] = event;
    }
}

impl<E: Copy> Default for Engine<E> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Checks that events come in the order of time, and at equal times in the order of scheduling, in
        /// any sequence of calls.
        #[test]
        fn events_come_in_order(steps in proptest::collection::vec((0..20_u64, any::<bool>()), 1..200)) {
            let mut engine = Engine::new();
            let mut expected: Vec<(u64, usize)> = Vec::new();
            for (number, (time, take)) in steps.into_iter().enumerate() {
                engine.schedule(Time(time), number);
                expected.push((time, number));
                expected.sort_unstable();
                if take {
                    let (time, number) = expected.remove(0);
                    prop_assert_eq!(engine.pop_until(Time::MAX), Some((Time(time), number)));
                }
            }
            for (time, number) in expected {
                prop_assert_eq!(engine.pop_until(Time::MAX), Some((Time(time), number)));
            }
            prop_assert_eq!(engine.pop_until(Time::MAX), None);
        }
    }

    #[test]
    fn a_limit_holds_back_what_is_later() {
        let mut engine = Engine::new();
        engine.schedule(Time(5), 'a');
        assert_eq!(engine.pop_until(Time(4)), None);
        assert_eq!(engine.pop_until(Time(5)), Some((Time(5), 'a')));
    }
}
