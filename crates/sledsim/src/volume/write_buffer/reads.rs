//! Reads that wait for their parts.

use super::tag;
use crate::slab::Slab;
use crate::volume::pieces::RequestPart;

/// Reads on their way to the log.
#[derive(Debug, Default)]
pub(super) struct Reads(Slab<RequestPart>);

impl Reads {
    /// One sets off: the tag by which it will be known.
    pub fn begin(&mut self, piece: RequestPart) -> u64 {
        tag::READ_LOG | u64::from(self.0.insert(piece)) << tag::BITS
    }

    pub fn end(&mut self, tag: u64) {
        self.0.remove((tag >> tag::BITS) as u32);
    }

    /// All that are on their way.
    pub fn all(&self) -> impl Iterator<Item = RequestPart> + '_ {
        self.0.iter().map(|(_, piece)| *piece)
    }
}
