//! The input buffer, which holds received bytes until they are parsed.

/// Size of the buffer in bytes. One read from the socket can thus receive many small requests.
const ROOM_BYTES: usize = 32 << 10;

/// A buffer of fixed size for received bytes. The data of writes and of skipped options pass through the buffer
/// in pieces; other options must fit into it.
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

    /// The received bytes that were not discarded yet.
    pub(super) fn waiting(&self) -> &[u8] {
        &self.room[self.start..self.end]
    }

    /// The first `N` received bytes that were not discarded; `None` if there are fewer bytes.
    pub(super) fn first<const N: usize>(&self) -> Option<[u8; N]> {
        self.waiting().first_chunk().copied()
    }

    /// Discard the first `bytes` waiting bytes.
    pub(super) fn take(&mut self, bytes: usize) {
        self.start += bytes;
        debug_assert!(self.start <= self.end);
    }

    pub(super) fn is_full(&self) -> bool {
        self.end - self.start == self.room.len()
    }

    /// Return the free space of the buffer; it is empty only if the buffer is full of waiting bytes.
    pub(super) fn free(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.end > self.room.len() / 2 {
            self.room.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        &mut self.room[self.end..]
    }

    /// Report that `bytes` bytes were received into the free space.
    pub(super) fn received(&mut self, bytes: usize) {
        self.end += bytes;
        assert!(self.end <= self.room.len(), "more bytes were received than fit into the buffer");
    }
}
