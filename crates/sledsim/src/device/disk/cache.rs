//! The segments of a cache, ordered from the least to the most recently used.

/// A segment of the cache, which holds consecutive blocks.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Identifier of the segment; no other segment ever has the same one.
    pub id: u64,
    pub first: u64,
    /// The block after the last block of the segment.
    pub end: u64,
    /// True if the blocks are data of a write.
    pub is_written: bool,
}

impl Segment {
    /// True if the segment holds no block from `lbn` to before `end`.
    fn misses(&self, lbn: u64, end: u64) -> bool {
        self.first >= end || lbn >= self.end
    }
}

/// All segments of a cache.
#[derive(Clone, Debug)]
pub struct Cache {
    segments: Vec<Segment>,
    most: usize,
    /// True if one segment is reserved for data of writes.
    has_write_segment: bool,
    /// Maximum number of blocks in a segment. A full segment overwrites its oldest blocks. No limit if
    /// read-ahead reads whole tracks.
    ring: u64,
    next_id: u64,
}

impl Cache {
    /// Creates an empty cache of at most `most` segments, each with room for `ring` blocks.
    pub fn new(most: u64, ring: u64, has_write_segment: bool) -> Self {
        let (most, segments) = (most as usize, Vec::with_capacity(most as usize + 1));
        Self { segments, most, has_write_segment, ring, next_id: 0 }
    }

    /// The segment with the identifier `id`, if it is still in the cache.
    pub fn get(&mut self, id: u64) -> Option<&mut Segment> {
        // The segment is usually one of the most recently used.
        self.segments.iter_mut().rev().find(|segment| segment.id == id)
    }

    /// The ranges of blocks in the cache: the first block of each segment, and the block after its last block.
    pub fn stretches(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        self.segments.iter().map(|segment| [segment.first, segment.end])
    }

    /// The most recently used segment that holds all blocks from `lbn` to before `end`.
    pub fn holding(&self, lbn: u64, end: u64) -> Option<Segment> {
        self.last(|segment| segment.first <= lbn && end <= segment.end)
    }

    /// The most recently used segment with data of reads that holds block `lbn`.
    pub fn read_up_to(&self, lbn: u64) -> Option<Segment> {
        self.last(|segment| !segment.is_written && (segment.first..segment.end).contains(&lbn))
    }

    /// The most recently used segment with data of writes whose last block is the one before block `lbn`.
    pub fn written_before(&self, lbn: u64) -> Option<Segment> {
        self.last(|segment| segment.is_written && segment.end == lbn)
    }

    fn last(&self, is_sought: impl Fn(&Segment) -> bool) -> Option<Segment> {
        self.segments.iter().rev().find(|segment| is_sought(segment)).copied()
    }

    /// Makes segment `id` the most recently used.
    pub fn touch(&mut self, id: u64) {
        if let Some(at) = self.segments.iter().rposition(|segment| segment.id == id) {
            self.segments[at..].rotate_left(1);
        }
    }

    /// Adds a segment with the blocks from `first` to before `end`, and returns its identifier. A full
    /// cache loses its least recently used segment. A segment of written data replaces the previous one.
    pub fn insert(&mut self, first: u64, end: u64, is_written: bool) -> u64 {
        if is_written {
            self.segments.retain(|segment| !segment.is_written);
        }
        let id = self.next_id;
        self.next_id += 1;
        self.segments.push(Segment { id, first, end, is_written });
        let has_own = self.has_write_segment;
        let written = usize::from(has_own && self.segments.iter().any(|segment| segment.is_written));
        if self.segments.len() - written > self.most.saturating_sub(usize::from(has_own)).max(1) {
            let competes = |segment: &Segment| !(has_own && segment.is_written);
            if let Some(oldest) = self.segments.iter().position(competes) {
                self.segments.remove(oldest);
            }
        }
        self.extend(id, end);
        id
    }

    /// Moves the end of segment `id` to before block `end`. If the segment then exceeds its maximum size,
    /// its first blocks are removed.
    pub fn extend(&mut self, id: u64, end: u64) {
        let ring = self.ring;
        if let Some(segment) = self.get(id) {
            segment.end = end;
            segment.first = segment.first.max(end.saturating_sub(ring));
        }
    }

    /// Removes all segments that hold a block from `lbn` to before `end`, because a write replaces these blocks.
    pub fn discard(&mut self, lbn: u64, end: u64) {
        self.segments.retain(|segment| segment.misses(lbn, end));
    }

    /// Removes all segments with data of reads that hold a block from `lbn` to before `end`, because these data are older
    /// than those that go to the medium.
    pub fn discard_reads(&mut self, lbn: u64, end: u64) {
        self.segments.retain(|segment| segment.is_written || segment.misses(lbn, end));
    }

    /// Removes the blocks before `end` from segment `id`, because the host has received them.
    pub fn give_up(&mut self, id: u64, end: u64) {
        if let Some(segment) = self.get(id) {
            segment.first = segment.first.max(end.min(segment.end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A write removes the segment that holds blocks 10 to 19 from the cache if it writes at least one of
    /// these blocks.
    #[test]
    fn a_write_discards_what_holds_a_block_of_it() {
        let writes = [(0, 10), (20, 30), (9, 10), (20, 21), (0, 11), (19, 30), (10, 11), (14, 15), (5, 25)];
        let kept = writes.map(|(lbn, end)| {
            let mut cache = Cache::new(2, 64, false);
            cache.insert(10, 20, false);
            cache.discard(lbn, end);
            cache.holding(10, 20).is_some()
        });
        assert_eq!(kept, [true, true, true, true, false, false, false, false, false]);
    }
}
