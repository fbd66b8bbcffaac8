//! Detection of sequential streams among reads.

use std::ops::Range;

/// Largest number of streams that are tracked at the same time.
const STREAMS: usize = 8;

#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    /// Sector at which the next read of the stream is expected to start.
    next: u64,
    /// First sector of the stream that has not yet been read ahead.
    ahead: u64,
    /// Number of the last read of the stream, counted over all reads.
    used: u64,
}

/// The sequential streams. A read continues a stream if it starts where the last read of the stream ended.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    streams: [Stream; STREAMS],
    reads: u64,
    /// Number of sectors that are read ahead of a stream.
    ahead: u64,
}

impl Streams {
    /// Creates a detector that lets `ahead` sectors of each stream be read ahead.
    pub(super) fn new(ahead: u64) -> Self {
        Self { streams: [Stream::default(); STREAMS], reads: 0, ahead }
    }

    /// Records a read of the sectors from `first` up to but excluding `end`; returns the sectors to be read ahead now.
    /// This range is empty while more than half of the sectors read ahead are unused. Thus a stream need not wait for
    /// the device.
    pub(super) fn read(&mut self, first: u64, end: u64) -> Range<u64> {
        if self.ahead == 0 {
            return 0..0;
        }
        self.reads += 1;
        let used = self.reads;
        let Some(stream) = self.streams.iter_mut().find(|stream| stream.used > 0 && stream.next == first)
        else {
            let oldest = self.streams.iter_mut().min_by_key(|stream| stream.used);
            *oldest.expect("at least one stream can be tracked") = Stream { next: end, ahead: end, used };
            return 0..0;
        };
        (stream.next, stream.used, stream.ahead) = (end, used, stream.ahead.max(end));
        if stream.ahead - end > self.ahead / 2 {
            return 0..0;
        }
        std::mem::replace(&mut stream.ahead, end + self.ahead)..end + self.ahead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_read_of_a_stream_begins_to_read_ahead() {
        let mut streams = Streams::new(32);
        assert_eq!(streams.read(0, 8), 0..0);
        assert_eq!(streams.read(100, 108), 0..0);
        assert_eq!(streams.read(8, 16), 16..48);
        assert_eq!(streams.read(16, 24), 0..0);
        assert_eq!(streams.read(108, 116), 116..148);
        assert_eq!(streams.read(24, 32), 48..64);
        assert_eq!(streams.read(32, 72), 72..104);
    }

    #[test]
    fn nothing_is_read_ahead_where_nothing_is_to_be() {
        let mut streams = Streams::new(0);
        assert!((0..10).all(|at| streams.read(at, at + 1).is_empty()));
    }
}
