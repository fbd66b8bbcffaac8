//! Read-ahead: reading of further blocks after a request, until the next request needs the medium.
//!
//! The state of a read-ahead is computed only when it is asked for. Two short steps in time give the same
//! state as one long step.

use super::medium::{Medium, Run, Task};
use super::track::Track;
use crate::request::Op;
use crate::time::Time;

/// A track that read-ahead reads as a whole, in one turn after the head arrives.
#[derive(Clone, Copy, Debug)]
pub struct WholeTrack {
    pub first: u64,
    pub end: u64,
    pub positioned: Time,
    pub done: Time,
}

/// A read-ahead in progress, which fills a segment of the cache.
#[derive(Clone, Copy, Debug)]
pub struct ReadAheadStream {
    /// Identifier of the segment that is being filled.
    pub segment: u64,
    /// The block before which the read-ahead stops.
    pub limit: u64,
    /// The next block that the read-ahead will read.
    pub position: u64,
    /// Track that is read as a whole before later blocks are read in order; None if no such track remains.
    pub whole: Option<WholeTrack>,
    run: Run,
}

impl ReadAheadStream {
    /// Starts read-ahead with block `from`, which lies on the track `track` of the head, at time `now`.
    pub fn new(segment: u64, from: u64, limit: u64, track: Track, now: Time) -> Self {
        Self { segment, limit, position: from, whole: None, run: Run::none(from, track, now) }
    }

    /// Starts read-ahead of the whole track `whole`. It then continues in order up to block `limit`; the
    /// head starts on `track`.
    pub fn of_track(segment: u64, whole: WholeTrack, limit: u64, track: Track) -> Self {
        let rest = Self::new(segment, whole.end, limit, track, whole.done);
        Self { whole: Some(whole), ..rest }
    }

    /// True if the read-ahead still has blocks to read.
    pub fn is_active(&self) -> bool {
        self.whole.is_some() || self.position < self.limit
    }

    /// Brings the read-ahead up to `now` and sets `arm` to the track of the head. Returns the track that is
    /// read as a whole, once its last block has been read.
    pub fn advance(&mut self, now: Time, medium: &Medium, arm: &mut Track) -> Option<WholeTrack> {
        let whole = self.whole;
        if whole.is_some_and(|whole| now < whole.done) {
            return None;
        }
        self.whole = None;
        while self.run.start <= now {
            *arm = self.run.track;
            self.position = self.position.max(self.run.lbn + self.run.passed(now));
            if self.run.end > now || !self.next_run(medium) {
                break;
            }
        }
        whole
    }

    /// Time at which all blocks before `end` have been read; time zero if all of them were read before the
    /// run in progress.
    pub fn ready(&mut self, end: u64, medium: &Medium) -> Time {
        while self.run.next() < end && self.next_run(medium) {}
        match end.checked_sub(self.run.lbn) {
            None => Time::ZERO,
            Some(blocks) => self.run.passed_at(blocks.min(self.run.blocks)),
        }
    }

    fn next_run(&mut self, medium: &Medium) -> bool {
        let (lbn, end) = (self.run.next(), self.limit);
        if lbn < end {
            let task = Task { lbn, end, op: Op::Read, zero_latency: false, data: None };
            self.run = medium.run(self.run.end, self.run.track, task);
        }
        lbn < end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::disk::{Mechanics, ZonedLayout};
    use crate::device::load_disk;
    use proptest::prelude::*;

    fn medium() -> Medium {
        let params = load_disk("hp-c2247a");
        let layout = ZonedLayout::new(&params).unwrap();
        let mechanics = Mechanics::new(&params, &layout).unwrap();
        Medium { layout, mechanics }
    }

    proptest! {
        /// A read-ahead that is advanced in many steps, or twice to the same time, ends in the same state
        /// as after one step.
        #[test]
        fn it_does_not_matter_how_often_one_looks(
            from in 0_u64..2_000_000,
            ahead in 1_u64..2_000,
            mut looks in prop::collection::vec(0_u64..100_000_000, 1..8),
        ) {
            let medium = medium();
            let now = Time(1_234_567);
            let stream = ReadAheadStream::new(0, from, from + ahead, Track::default(), now);
            looks.sort_unstable();
            let (mut often, mut arm) = (stream, Track::default());
            for look in &looks {
                often.advance(Time(*look), &medium, &mut arm);
                often.advance(Time(*look), &medium, &mut arm);
            }
            let (mut once, mut its_arm) = (stream, Track::default());
            once.advance(Time(looks[looks.len() - 1]), &medium, &mut its_arm);
            prop_assert_eq!((often.position, arm), (once.position, its_arm));
            prop_assert!(once.position <= once.limit);
        }

        /// All blocks have been read at the predicted time, and not all of them 1 ns before.
        #[test]
        fn blocks_are_ready_at_the_predicted_time(
            from in 0_u64..2_000_000,
            ahead in prop_oneof![1_u64..4, 1_u64..2_000],
        ) {
            let medium = medium();
            let stream = ReadAheadStream::new(0, from, from + ahead, Track::default(), Time(0));
            let ready = { stream }.ready(from + ahead, &medium);
            let position = |now| {
                let mut stream = stream;
                stream.advance(now, &medium, &mut Track::default());
                stream.position
            };
            prop_assert_eq!(position(ready), from + ahead);
            prop_assert!(position(Time(ready.0 - 1)) < from + ahead);
        }
    }
}
