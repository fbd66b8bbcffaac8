//! Bytes that are to be sent.

use std::collections::VecDeque;

/// What was given back when replies were sent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Freed {
    pub(super) requests: usize,
    /// Data of reads.
    pub(super) bytes: usize,
}

/// A queue of what is to be sent; data are not copied.
#[derive(Default)]
pub(super) struct Output {
    chunks: VecDeque<Chunk>,
    /// So many bytes of the first chunk have been sent.
    sent: usize,
}

/// Never empty.
struct Chunk {
    /// Of a reply to a request.
    head: Option<[u8; 16]>,
    data: Vec<u8>,
}

impl Chunk {
    fn head(&self) -> &[u8] {
        self.head.as_ref().map_or(&[], |head| head)
    }

    fn bytes(&self) -> usize {
        self.head().len() + self.data.len()
    }
}

impl Output {
    /// Bytes of the handshake.
    pub(super) fn say(&mut self, data: Vec<u8>) {
        if !data.is_empty() {
            self.chunks.push_back(Chunk { head: None, data });
        }
    }

    /// The reply to a request.
    pub(super) fn reply(&mut self, head: [u8; 16], data: Vec<u8>) {
        self.chunks.push_back(Chunk { head: Some(head), data });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// What is to be sent, in order, in parts that are not empty.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let mut skip = self.sent;
        self.chunks
            .iter()
            .flat_map(|chunk| [chunk.head(), &chunk.data])
            .map(move |part| {
                let skipped = skip.min(part.len());
                skip -= skipped;
                &part[skipped..]
            })
            .filter(|part| !part.is_empty())
    }

    /// So many bytes have been sent.
    pub(super) fn sent(&mut self, mut bytes: usize) -> Freed {
        let mut freed = Freed::default();
        while let Some(first) = self.chunks.front() {
            let left = first.bytes() - self.sent;
            if bytes < left {
                self.sent += bytes;
                return freed;
            }
            bytes -= left;
            self.sent = 0;
            if first.head.is_some() {
                freed.requests += 1;
                freed.bytes += first.data.len();
            }
            self.chunks.pop_front();
        }
        assert_eq!(bytes, 0, "no more bytes are sent than there were");
        freed
    }

    /// The memory that it holds.
    pub(super) fn held(&self) -> usize {
        let data: usize = self.chunks.iter().map(|chunk| chunk.data.capacity()).sum();
        self.chunks.capacity() * size_of::<Chunk>() + data
    }
}
