//! Motion of a request: the relation of its position to the positions of earlier requests.

use std::collections::HashMap;

use super::frequencies::{rounded, Recent};
use crate::trace::TraceRow;

/// Largest distance in sectors, in either direction, from the end of the last request of the same
/// kind to a request that counts as near: 2 MiB.
pub(super) const NEAR_BLOCKS: i64 = 4096;
/// Number of variants of [`Motion`].
pub(super) const MOTIONS: usize = 8;

/// Relation of a request's first block to earlier requests; the first variant that applies counts.
/// Requests of one kind have the same operation and class, and are all for metadata or all for
/// data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    /// Starts where the previous request ended.
    Sequential,
    /// Has the first block and the size of the previous request.
    Again,
    /// Starts where the last request of the same kind ended.
    Continued,
    /// Repeats an earlier request of the same kind and size, as the last request of the kind did:
    /// the number of requests of this kind and size since the original is the same.
    Retraced,
    /// Repeats an earlier request of the same kind and size.
    Repeated,
    /// Starts at the first block of an earlier request of any kind or size.
    Revisited,
    /// Starts near the end of the last request of the same kind.
    Near,
    /// Starts at any other position.
    Anywhere,
}

impl Motion {
    pub const ALL: [Self; MOTIONS] = {
        use Motion::*;
        [Sequential, Again, Continued, Retraced, Repeated, Revisited, Near, Anywhere]
    };
}

/// Classifies the requests of a trace by [`Motion`], in order of arrival.
#[derive(Debug, Default)]
pub(super) struct Follower {
    requests: u64,
    last: Option<(i64, i32)>,
    kinds: Vec<OfKind>,
    /// Number of requests so far, by kind and size; a request is numbered by this count.
    numbers: HashMap<(usize, i64), u64>,
    /// Number of the last request with a kind, first block and size; numbers count the requests of
    /// this kind and size.
    extents: Recent<(usize, i64, i32)>,
    /// Number of the last request with a first block; numbers count all requests.
    starts: Recent<i64>,
}

/// State of the classification for the requests of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct OfKind {
    end: Option<i64>,
    /// Number of requests of the same kind and size since the original, if the last request of this
    /// kind is a repeat; `None` if it is not.
    repeated_ago: Option<u64>,
}

impl Follower {
    /// Returns the motion of the next request, and a distance. For a repeated request, the distance
    /// is the number of requests of its kind and size since the original; for a revisited block,
    /// the number of all requests since then; otherwise the number of blocks from the end of the
    /// last request of the kind.
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

/// Returns the block behind an extent, which consists of a first block and a number of blocks.
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
