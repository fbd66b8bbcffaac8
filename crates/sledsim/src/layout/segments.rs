//! Segments: all blocks of a device, divided into pieces that stay together when some of them move
//! to the middle.

/// Blocks that stay together: the first block, its place, and their number. A place is the number
/// of a block before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) lbn: u64,
    pub(super) place: u64,
    pub(super) blocks: u64,
}

/// Places extents around the middle of a device of `blocks` blocks, each on the side that is
/// shorter at that time.
pub(super) fn arranged(extents: &[(u64, u64)], blocks: u64) -> Vec<Segment> {
    let (mut below, mut above) = (0, 0);
    let mut offset = |length: u64| {
        if below < above {
            below += length;
            return -(below as i64);
        }
        above += length;
        (above - length) as i64
    };
    let offsets: Vec<i64> = extents.iter().map(|(_, length)| offset(*length)).collect();
    // If one side is longer than half of the device, the excess moves to the other side.
    let middle = (blocks / 2).max(below).min(blocks - above);
    let place = |(&(lbn, length), offset): (&(u64, u64), i64)| Segment {
        lbn,
        place: middle.saturating_add_signed(offset),
        blocks: length,
    };
    extents.iter().zip(offsets).map(place).collect()
}

/// Returns all blocks of the device: the popular segments, and the other blocks in order in the
/// remaining space.
pub(super) fn with_the_rest(mut segments: Vec<Segment>, blocks: u64) -> Vec<Segment> {
    segments.sort_unstable_by_key(|segment| segment.lbn);
    let start = segments.iter().map(|segment| segment.place).min().unwrap_or(blocks);
    let popular: u64 = segments.iter().map(|segment| segment.blocks).sum();
    let (mut all, mut lbn, mut rest) = (Vec::with_capacity(3 * segments.len() + 2), 0, 0);
    let end = Segment { lbn: blocks, place: blocks, blocks: 0 };
    for segment in segments.into_iter().chain([end]) {
        while lbn < segment.lbn {
            let (place, room) = if rest < start { (rest, start - rest) } else { (rest + popular, u64::MAX) };
            let length = room.min(segment.lbn - lbn);
            all.push(Segment { lbn, place, blocks: length });
            (lbn, rest) = (lbn + length, rest + length);
        }
        all.push(segment);
        lbn += segment.blocks;
    }
    all.pop();
    all
}

/// Joins segments that are consecutive both in blocks and in places.
pub(super) fn joined(segments: Vec<Segment>) -> Vec<Segment> {
    let mut all: Vec<Segment> = Vec::with_capacity(segments.len());
    for segment in segments {
        match all.last_mut() {
            Some(last) if last.place + last.blocks == segment.place => last.blocks += segment.blocks,
            _ => all.push(segment),
        }
    }
    all
}
