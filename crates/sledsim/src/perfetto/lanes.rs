//! Division of overlapping time intervals among lanes, one track for each lane, because the slices
//! of a track must not overlap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::time::Time;

/// The beginning or the end of a time interval on its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub at: Time,
    /// True for a beginning. At equal times, ends come before beginnings, because an end makes its
    /// lane free.
    pub is_begin: bool,
    /// Index of the time interval that begins or ends.
    pub of: usize,
    pub lane: usize,
}

/// Divides the intervals `times` among as few lanes as possible, so that intervals of a lane do not
/// overlap. Returns the beginnings and ends in order of time, and the number of lanes. The
/// intervals must be ordered by start, and none may be empty.
pub(super) fn lanes(times: impl Iterator<Item = [Time; 2]>) -> (Vec<Edge>, usize) {
    let (mut edges, mut busy) = (Vec::new(), BinaryHeap::<Reverse<(Time, usize)>>::new());
    let (mut free, mut count) = (BinaryHeap::<Reverse<usize>>::new(), 0);
    for (of, [from, until]) in times.enumerate() {
        while let Some(Reverse((_, lane))) = busy.peek().copied().filter(|Reverse((end, _))| *end <= from) {
            busy.pop();
            free.push(Reverse(lane));
        }
        let lane = free.pop().map_or(count, |Reverse(lane)| lane);
        count = count.max(lane + 1);
        busy.push(Reverse((until, lane)));
        edges.push(Edge { at: from, is_begin: true, of, lane });
        edges.push(Edge { at: until, is_begin: false, of, lane });
    }
    edges.sort_unstable();
    (edges, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_lane_has_one_at_a_time(mut times in prop::collection::vec((0_u64..50, 1_u64..20), 1..60)) {
            times.sort_unstable();
            let spans: Vec<_> = times.iter().map(|(at, lasts)| [Time(*at), Time(at + lasts)]).collect();
            let (edges, count) = lanes(spans.iter().copied());
            let (mut open, mut most) = (vec![None; count], 0);
            for edge in &edges {
                prop_assert_eq!(edge.at, spans[edge.of][usize::from(!edge.is_begin)]);
                let expected = (!edge.is_begin).then_some(edge.of);
                prop_assert_eq!(std::mem::replace(&mut open[edge.lane], edge.is_begin.then_some(edge.of)), expected);
                most = most.max(open.iter().flatten().count());
            }
            // The number of lanes is as small as possible.
            prop_assert_eq!(most, count);
            prop_assert!(open.iter().all(Option::is_none));
        }
    }
}
