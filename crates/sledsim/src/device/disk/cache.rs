//! The segments of the cache, least recently used first.

/// A stretch of blocks in the cache.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Unique number of the segment.
    pub id: u64,
    pub first: u64,
    /// The block behind the last block of the segment.
    pub end: u64,
    /// True if a host wrote the blocks.
    pub is_written: bool,
}

/// All segments.
#[derive(Clone, Debug)]
pub struct Cache {
    segments: Vec<Segment>,
    most: usize,
    /// True if one segment holds written data only.
    has_write_segment: bool,
    /// Number of blocks in a segment, which is a ring, unless whole tracks are read ahead.
    ring: u64,
    next_id: u64,
}

impl Cache {
    /// A cache of at most `most` segments, each a ring of `ring` blocks.
    pub fn new(most: u64, ring: u64, has_write_segment: bool) -> Self {
        let (most, segments) = (most as usize, Vec::with_capacity(most as usize + 1));
        Self { segments, most, has_write_segment, ring, next_id: 0 }
    }

    /// The segment of that number, if it is still there.
    pub fn get(&mut self, id: u64) -> Option<&mut Segment> {
        // The segment is mostly one of the last used.
        self.segments.iter_mut().rev().find(|segment| segment.id == id)
    }

    /// The stretches of blocks that are held, each with the block behind its last.
    pub fn stretches(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        self.segments.iter().map(|segment| [segment.first, segment.end])
    }

    /// The segment used last that holds all these blocks.
    pub fn holding(&self, lbn: u64, end: u64) -> Option<Segment> {
        self.last(|segment| segment.first <= lbn && end <= segment.end)
    }

    /// The segment used last that holds this block as read data.
    pub fn read_up_to(&self, lbn: u64) -> Option<Segment> {
        self.last(|segment| !segment.is_written && (segment.first..segment.end).contains(&lbn))
    }

    /// The segment of written data that ends before this block.
    pub fn written_before(&self, lbn: u64) -> Option<Segment> {
        self.last(|segment| segment.is_written && segment.end == lbn)
    }

    fn last(&self, is_sought: impl Fn(&Segment) -> bool) -> Option<Segment> {
        self.segments.iter().rev().find(|segment| is_sought(segment)).copied()
    }

    /// Marks a segment as the last used.
    pub fn touch(&mut self, id: u64) {
        if let Some(at) = self.segments.iter().rposition(|segment| segment.id == id) {
            self.segments[at..].rotate_left(1);
        }
    }

    /// Inserts a segment in place of the least recently used one; at most one segment holds written data.
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

    /// Moves the end of a segment, which overwrites its start if there is no more room.
    pub fn extend(&mut self, id: u64, end: u64) {
        let ring = self.ring;
        if let Some(segment) = self.get(id) {
            segment.end = end;
            segment.first = segment.first.max(end.saturating_sub(ring));
        }
    }

    /// Discards whole segments that hold blocks being written.
    pub fn discard(&mut self, lbn: u64, end: u64) {
        self.segments.retain(|segment| segment.first >= end || lbn >= segment.end);
    }

    /// Drops the blocks up to `end`, which the host has received.
    pub fn give_up(&mut self, id: u64, end: u64) {
        if let Some(segment) = self.get(id) {
            segment.first = segment.first.max(end.min(segment.end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A write of blocks discards a segment of 10 to 19 if it holds one of them.
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
