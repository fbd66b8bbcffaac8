//! Segments: pieces into which all blocks of a device are divided when popular blocks move to the middle.
//! The blocks of a segment stay together.

/// A segment: its first block, the place of this block, and its number of blocks. A place is given by the
/// number of the block that a layout without popularity stores there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) lbn: u64,
    pub(super) place: u64,
    pub(super) blocks: u64,
}

/// Places extents around the middle of a device of `blocks` blocks, one after another, each on the side
/// that holds fewer blocks so far.
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

/// Returns segments of all blocks of the device: the popular `segments`, and the other blocks in ascending
/// order in the places that remain.
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

/// Joins successive segments whose blocks and whose places are consecutive.
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
