//! The relation of a request's place to the places of earlier requests.

use std::collections::HashMap;

use super::frequencies::{rounded, Recent};
use crate::trace::TraceRow;

/// Number of sectors from the end of the previous request, in either direction, that count as near: 2 MiB.
pub(super) const NEAR_BLOCKS: i64 = 4096;
/// Number of motions.
pub(super) const MOTIONS: usize = 8;

/// The start of a request relative to earlier requests. The first case that applies counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    /// Starts where the previous request ended.
    Sequential,
    /// Repeats first block and size of the previous request.
    Again,
    /// Starts where the last request of its kind ended.
    Continued,
    /// Repeats an earlier request of its kind and size, at the same distance back as the last repeat.
    Retraced,
    /// Repeats an earlier request of its kind and size.
    Repeated,
    /// Starts at the first block of any earlier request.
    Revisited,
    /// Starts near the end of the last request of its kind.
    Near,
    /// Starts anywhere.
    Anywhere,
}

impl Motion {
    pub const ALL: [Self; MOTIONS] = {
        use Motion::*;
        [Sequential, Again, Continued, Retraced, Repeated, Revisited, Near, Anywhere]
    };
}

/// Follows the requests of a trace and classifies their motions.
#[derive(Debug, Default)]
pub(super) struct Follower {
    requests: u64,
    last: Option<(i64, i32)>,
    kinds: Vec<OfKind>,
    /// Number of requests of each kind and size, which numbers them.
    numbers: HashMap<(usize, i64), u64>,
    /// Last number of each kind, first block and size.
    extents: Recent<(usize, i64, i32)>,
    /// Last number of each first block, counted over all requests.
    starts: Recent<i64>,
}

/// The requests of a kind so far.
#[derive(Clone, Copy, Debug, Default)]
struct OfKind {
    end: Option<i64>,
    /// Distance of the last repeat, in requests of its kind and size.
    repeated_ago: Option<u64>,
}

impl Follower {
    /// The motion of the next request, and its distance: the number of requests since the repeated (of its
    /// kind and size) or revisited one, or the blocks from the last of its kind.
    pub fn follow(&mut self, kind: usize, request: &TraceRow) -> (Motion, i64) {
        if kind == self.kinds.len() {
            self.kinds.push(OfKind::default());
        }
        let TraceRow { lbn, blocks, .. } = *request;
        let of_kind = self.kinds[kind];
        let number = self.numbers.entry((kind, rounded(i64::from(blocks)))).or_default();
        *number += 1;
        let number = *number;
        let extent = self.extents.replace((kind, lbn, blocks), number);
        let start = self.starts.replace(lbn, self.requests);
        let repeated_ago = extent.map(|last| number - last);
        let distance = of_kind.end.map(|end| lbn - end);
        let found = match (repeated_ago, start, distance) {
            _ if self.last.is_some_and(|last| end(last) == lbn) => (Motion::Sequential, 0),
            _ if self.last == Some((lbn, blocks)) => (Motion::Again, 0),
            (_, _, Some(0)) => (Motion::Continued, 0),
            (Some(_), ..) if repeated_ago == of_kind.repeated_ago => (Motion::Retraced, 0),
            (Some(ago), ..) => (Motion::Repeated, ago as i64),
            (None, Some(number), _) => (Motion::Revisited, (self.requests - number) as i64),
            (None, None, Some(near)) if near.abs() <= NEAR_BLOCKS => (Motion::Near, near),
            _ => (Motion::Anywhere, 0),
        };
        self.last = Some((lbn, blocks));
        self.kinds[kind] = OfKind { end: Some(end((lbn, blocks))), repeated_ago };
        self.requests += 1;
        found
    }
}

/// The block behind an extent.
pub(super) fn end(extent: (i64, i32)) -> i64 {
    extent.0.saturating_add(i64::from(extent.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_motion_is_recognised() {
        let mut follower = Follower::default();
        let mut follow =
            |kind, lbn, blocks| follower.follow(kind, &TraceRow { lbn, blocks, ..TraceRow::default() });
        assert_eq!(follow(0, 100_000, 8), (Motion::Anywhere, 0));
        assert_eq!(follow(0, 100_008, 8), (Motion::Sequential, 0));
        assert_eq!(follow(1, 200_000, 8), (Motion::Anywhere, 0));
        assert_eq!(follow(1, 200_000, 8), (Motion::Again, 0));
        assert_eq!(follow(0, 100_016, 8), (Motion::Continued, 0));
        assert_eq!(follow(0, 100_000, 8), (Motion::Repeated, 3));
        assert_eq!(follow(0, 100_016, 8), (Motion::Repeated, 2));
        assert_eq!(follow(0, 100_000, 8), (Motion::Retraced, 0));
        assert_eq!(follow(1, 100_000, 16), (Motion::Revisited, 1));
        assert_eq!(follow(0, 99_999, 1), (Motion::Near, -9));
        assert_eq!(follow(1, 500_000, 8), (Motion::Anywhere, 0));
    }
}
