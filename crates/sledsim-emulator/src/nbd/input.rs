//! The input buffer: received bytes that are not parsed yet.

/// Size of the buffer: many small requests are read at a time.
const ROOM_BYTES: usize = 32 << 10;

/// A buffer of fixed size. The data of writes and of skipped options pass through it in pieces; only an option to be
/// answered must fit as a whole.
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

    /// The received bytes that were not taken.
    pub(super) fn waiting(&self) -> &[u8] {
        &self.room[self.start..self.end]
    }

    /// The first N waiting bytes, if that many have arrived.
    pub(super) fn first<const N: usize>(&self) -> Option<[u8; N]> {
        self.waiting().first_chunk().copied()
    }

    /// Discard the first waiting bytes.
    pub(super) fn take(&mut self, bytes: usize) {
        self.start += bytes;
        debug_assert!(self.start <= self.end);
    }

    pub(super) fn is_full(&self) -> bool {
        self.end - self.start == self.room.len()
    }

    /// Free space for input: at least one byte, unless the buffer is full.
    pub(super) fn free(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.end > self.room.len() / 2 {
            self.room.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        &mut self.room[self.end..]
    }

    /// Report `bytes` received bytes in the free space.
    pub(super) fn received(&mut self, bytes: usize) {
        self.end += bytes;
        assert!(self.end <= self.room.len(), "received at most as many bytes as fit");
    }
}
