//! Tracks of a disk, and the places of blocks on them.

/// A track: the cylinder of the arm, and the head in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Track {
    /// Cylinder, counted from the outermost.
    pub cylinder: u32,
    /// Head, counted from 0.
    pub head: u32,
}

/// The place of a block on a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPlace {
    /// The track of the block.
    pub track: Track,
    /// Angle at which the block begins, in sectors of its track.
    pub slot: u32,
    /// Number of sectors on the track.
    pub sectors_per_track: u32,
    /// Number of blocks on consecutive sectors of the track, from this block on, including it.
    pub run: u32,
}
