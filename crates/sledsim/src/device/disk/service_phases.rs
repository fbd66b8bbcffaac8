//! The phases of a service of a disk drive.

use crate::device::Source;
use crate::time::{Span, Time};

/// The phases of a service of a disk drive.
///
/// The spans add up to the time until `complete`, except for a write that completes before the
/// medium is done: its seek, rotation, hold and transfer come later, and only the other spans add
/// up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServicePhases {
    /// Command processing.
    pub overhead: Span,
    /// Wait until an earlier access to the medium was done, or until read-ahead had brought the
    /// blocks.
    pub wait: Span,
    /// Time until the head was on the first track and settled.
    pub seek: Span,
    /// Time from the settled head until the first sector could be read or written.
    pub rotation: Span,
    /// Time for which a write waited for its data.
    pub hold: Span,
    /// Time until the last sector was read or written, including all switches between tracks.
    pub transfer: Span,
    /// Time for the bus, with its overheads, that remains after the medium is done.
    pub bus: Span,
    /// Source of the data of a read, or destination of the data of a write.
    pub source: Source,
    /// Time at which the medium is done.
    pub medium_done: Time,
    /// Time at which the host has the data of a read, or the drive has accepted the data of a write.
    pub complete: Time,
}
