//! Phases of a service of a disk drive.

use crate::device::Source;
use crate::time::{Span, Time};

/// Durations of the phases of a service of a disk drive, and the times at which it ends.
///
/// The durations add up to the time until `complete`. A write that completes before its data are on the
/// medium is an exception: its seek, rotation, hold and transfer come after `complete` and are not part of
/// the sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServicePhases {
    /// Time to process the command.
    pub overhead: Span,
    /// Wait for the end of an earlier access to the medium, or for read-ahead to bring the blocks.
    pub wait: Span,
    /// Time until the head has reached the first track and settled.
    pub seek: Span,
    /// Time from settling until the first sector can be read or written.
    pub rotation: Span,
    /// Time for which a write waited for its data to cross the bus.
    pub hold: Span,
    /// Time from the first to the last sector, including all switches between tracks.
    pub transfer: Span,
    /// Remaining time on the bus after the medium is done, including overheads of the bus.
    pub bus: Span,
    /// Source of the data of a read, or destination of the data of a write.
    pub source: Source,
    /// Time at which the last sector has been read or written on the medium.
    pub medium_done: Time,
    /// Time at which the host has the data of a read, or the drive has accepted the data of a write.
    pub complete: Time,
}
