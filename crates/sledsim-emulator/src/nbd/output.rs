//! Bytes that are to be sent.

use std::collections::VecDeque;

use super::buffers::Buffers;

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
    /// So many bytes of the first chunk, of those that are there, have been sent.
    sent: usize,
    /// Where data go that have been sent.
    buffers: Buffers,
    /// Replies that were ever put in.
    replies: u64,
    /// Those of them whose last byte has been sent.
    sent_replies: u64,
}

/// Never empty.
struct Chunk {
    /// Of a reply to a request.
    reply: Option<Reply>,
    /// Of the data, what is there.
    data: Vec<u8>,
}

/// A reply to a request, but for what there is of its data.
struct Reply {
    head: [u8; 16],
    number: u64,
    /// As how many requests it counts.
    requests: usize,
    /// All of its data.
    bytes: usize,
    /// Data that are not there yet.
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

    /// Bytes of the handshake.
    pub(super) fn say(&mut self, data: Vec<u8>) {
        if !data.is_empty() {
            self.chunks.push_back(Chunk { reply: None, data });
        }
    }

    /// The reply to a request of that number, which counts as so many, with the first of so many bytes of data.
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

    /// How many replies there have been, and how many of them have been sent whole.
    pub(super) fn replies(&self) -> [u64; 2] {
        [self.replies, self.sent_replies]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The request whose data have to be there before anything more can be sent.
    pub(super) fn wanted(&self) -> Option<u64> {
        let first = self.chunks.front()?;
        let reply = first.reply.as_ref()?;
        (reply.missing > 0 && self.sent == first.bytes()).then_some(reply.number)
    }

    /// Some data of the [request](Self::wanted).
    pub(super) fn give(&mut self, data: Vec<u8>) {
        let first = self.chunks.front_mut().expect("data are wanted");
        let reply = first.reply.as_mut().expect("a reply has data");
        reply.missing = reply.missing.checked_sub(data.len()).expect("no more data than are missing");
        // Of what was sent before nothing is kept.
        self.buffers.give_back(std::mem::replace(&mut first.data, data));
        self.sent = first.head().len();
    }

    /// What is to be sent, in order, in parts that are not empty.
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

    /// So many bytes have been sent.
    pub(super) fn sent(&mut self, mut bytes: usize) -> Freed {
        let mut freed = Freed::default();
        while let Some(first) = self.chunks.front() {
            let left = first.bytes() - self.sent;
            if bytes < left || first.missing() > 0 {
                assert!(bytes <= left, "no more bytes are sent than there were");
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
        assert_eq!(bytes, 0, "no more bytes are sent than there were");
        freed
    }

    /// The memory that it holds, with data that are there.
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
