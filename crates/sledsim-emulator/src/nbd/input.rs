//! Bytes that have come in and have not been understood yet.

/// A client's small requests are read many at a time.
const ROOM_BYTES: usize = 32 << 10;

/// A room of fixed size. What is too large for it, the data of options and of writes, never has to be in it as a whole,
/// but for an option that is answered.
pub(super) struct Input {
    room: Box<[u8]>,
    start: usize,
    end: usize,
}

impl Input {
    pub(super) const BYTES: usize = ROOM_BYTES;

    pub(super) fn new() -> Self {
        Self { room: vec![0; ROOM_BYTES].into_boxed_slice(), start: 0, end: 0 }
    }

    /// What has come in and was not taken.
    pub(super) fn waiting(&self) -> &[u8] {
        &self.room[self.start..self.end]
    }

    /// The first bytes that wait, if there are so many.
    pub(super) fn first<const N: usize>(&self) -> Option<[u8; N]> {
        self.waiting().first_chunk().copied()
    }

    /// The first bytes that wait are done with.
    pub(super) fn take(&mut self, bytes: usize) {
        self.start += bytes;
        debug_assert!(self.start <= self.end);
    }

    pub(super) fn is_full(&self) -> bool {
        self.end - self.start == self.room.len()
    }

    /// Where more can be put: some bytes, unless it is full.
    pub(super) fn free(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.end > self.room.len() / 2 {
            self.room.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        &mut self.room[self.end..]
    }

    /// So many bytes have been put where they can be.
    pub(super) fn received(&mut self, bytes: usize) {
        self.end += bytes;
        assert!(self.end <= self.room.len(), "no more bytes than there was room for");
    }
}
