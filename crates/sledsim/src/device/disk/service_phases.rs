//! What serving a request took.

use crate::device::Source;
use crate::time::{Span, Time};

/// What serving a request took.
///
/// The spans add up to the time until `complete`, but for a write that is complete before the medium is done: then
/// seek, rotation, hold and transfer lie behind, and the others alone add up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServicePhases {
    /// Command processing.
    pub overhead: Span,
    /// Wait until an earlier access to the medium was done, or until blocks read ahead were there.
    pub wait: Span,
    /// Time until the head was on the first track and settled.
    pub seek: Span,
    /// From there until the first sector could be read or written.
    pub rotation: Span,
    /// How long writing waited for data.
    pub hold: Span,
    /// Time until the last sector was read or written, with all switches between tracks.
    pub transfer: Span,
    /// Time for the bus, with its overheads, that remains after the medium was done.
    pub bus: Span,
    /// Source or destination of the data.
    pub source: Source,
    /// The medium is done.
    pub medium_done: Time,
    /// The host has the data of a read, or the drive has promised to keep those of a write.
    pub complete: Time,
}
