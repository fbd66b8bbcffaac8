//! Tracks of a disk, and where blocks lie on them.

/// A track: where the arm is, and which head is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Track {
    /// Counted from the outermost.
    pub cylinder: u32,
    /// Counted from 0.
    pub head: u32,
}

/// Where a block lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPlace {
    /// Its track.
    pub track: Track,
    /// Angle at which it begins, in sectors of its track.
    pub slot: u32,
    /// Sectors on its track.
    pub sectors_per_track: u32,
    /// Blocks that follow one another on the track from it on, itself among them.
    pub run: u32,
}
