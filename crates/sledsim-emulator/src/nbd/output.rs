//! The output queue, which holds the bytes to be sent.

use std::collections::VecDeque;

use super::buffers::Buffers;

/// Requests and bytes that are no longer outstanding, because their replies were sent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Freed {
    pub(super) requests: usize,
    /// Number of bytes of data of reads.
    pub(super) bytes: usize,
}

/// A queue of bytes to be sent. The data of reads are not copied into the queue.
#[derive(Default)]
pub(super) struct Output {
    chunks: VecDeque<Chunk>,
    /// Number of bytes of the first chunk that were sent already.
    sent: usize,
    /// Pool of buffers, which takes back the buffers of sent data.
    buffers: Buffers,
    /// Number of replies that were queued since the start of the connection.
    replies: u64,
    /// Number of replies that were sent to the last byte.
    sent_replies: u64,
}

/// A chunk of output; it is never empty.
struct Chunk {
    /// The reply to which the chunk belongs; `None` for bytes of the handshake.
    reply: Option<Reply>,
    /// Data of the chunk that have been provided and not been sent.
    data: Vec<u8>,
}

/// A reply to a request, without its data.
struct Reply {
    head: [u8; 16],
    number: u64,
    /// Number of requests as which this request counts in the limit of outstanding requests: one, or several
    /// for a long write of zeros.
    requests: usize,
    /// Number of bytes of data in the whole reply.
    bytes: usize,
    /// Number of bytes of the reply's data that the server has not provided yet.
    missing: usize,
}

impl Chunk {
    fn head(&self) -> &[u8] {
        self.reply.as_ref().map_or(&[], |reply| &reply.head)
    }

    fn bytes(&self) -> usize {
        self.head().len() + self.data.len()
    }

    fn missing(&self) -> usize {
        self.reply.as_ref().map_or(0, |reply| reply.missing)
    }
}

impl Output {
    pub(super) fn new(buffers: Buffers) -> Self {
        Self { chunks: VecDeque::new(), sent: 0, buffers, replies: 0, sent_replies: 0 }
    }

    pub(super) fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// Queue bytes of the handshake.
    pub(super) fn say(&mut self, data: Vec<u8>) {
        if !data.is_empty() {
            self.chunks.push_back(Chunk { reply: None, data });
        }
    }

    /// Queue the reply to the request `number`, which counts as `requests` requests. `data` is the first part
    /// of the reply's `bytes` bytes of data.
    pub(super) fn reply(
        &mut self,
        head: [u8; 16],
        [number, requests]: [u64; 2],
        data: Vec<u8>,
        bytes: usize,
    ) {
        let missing = bytes - data.len();
        let reply = Reply { head, number, requests: requests as usize, bytes, missing };
        self.replies += 1;
        self.chunks.push_back(Chunk { reply: Some(reply), data });
    }

    /// Number of replies that were queued, and number of replies that were sent to the last byte.
    pub(super) fn replies(&self) -> [u64; 2] {
        [self.replies, self.sent_replies]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Number of the read that blocks the output, because its next data were not provided yet; `None` if there
    /// is no such read.
    pub(super) fn wanted(&self) -> Option<u64> {
        let first = self.chunks.front()?;
        let reply = first.reply.as_ref()?;
        (reply.missing > 0 && self.sent == first.bytes()).then_some(reply.number)
    }

    /// Add the next data of the read that [`wanted`](Self::wanted) names.
    pub(super) fn give(&mut self, data: Vec<u8>) {
        let first = self.chunks.front_mut().expect("a reply waits for data");
        let reply = first.reply.as_mut().expect("a reply has data");
        reply.missing =
            reply.missing.checked_sub(data.len()).expect("more data were provided than are missing");
        // Keep only data that were not sent yet.
        self.buffers.give_back(std::mem::replace(&mut first.data, data));
        self.sent = first.head().len();
    }

    /// The bytes to be sent, in order, in parts that are not empty.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let mut skip = self.sent;
        let mut goes_on = true;
        self.chunks
            .iter()
            .take_while(move |chunk| std::mem::replace(&mut goes_on, chunk.missing() == 0))
            .flat_map(|chunk| [chunk.head(), &chunk.data])
            .map(move |part| {
                let skipped = skip.min(part.len());
                skip -= skipped;
                &part[skipped..]
            })
            .filter(|part| !part.is_empty())
    }

    /// Report that the first `bytes` bytes were sent. Return the requests and bytes that are no longer outstanding.
    pub(super) fn sent(&mut self, mut bytes: usize) -> Freed {
        let mut freed = Freed::default();
        while let Some(first) = self.chunks.front() {
            let left = first.bytes() - self.sent;
            if bytes < left || first.missing() > 0 {
                assert!(bytes <= left, "more bytes were sent than were queued");
                self.sent += bytes;
                return freed;
            }
            bytes -= left;
            self.sent = 0;
            if let Some(reply) = &first.reply {
                freed.requests += reply.requests;
                freed.bytes += reply.bytes;
                self.sent_replies += 1;
            }
            if let Some(chunk) = self.chunks.pop_front() {
                self.buffers.give_back(chunk.data);
            }
        }
        assert_eq!(bytes, 0, "more bytes were sent than were queued");
        freed
    }

    /// Memory of the queue in bytes, including the data to be sent.
    pub(super) fn held(&self) -> usize {
        let data: usize = self.chunks.iter().map(|chunk| chunk.data.capacity()).sum();
        self.chunks.capacity() * size_of::<Chunk>() + data
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.chunks.drain(..).for_each(|chunk| self.buffers.give_back(chunk.data));
    }
}
