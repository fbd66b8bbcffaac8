//! Tracks of a disk, and the places of blocks on them.

/// A track, given by its cylinder and its head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Track {
    /// Index of the cylinder, counted from 0 at the outermost.
    pub cylinder: u32,
    /// Index of the head, counted from 0.
    pub head: u32,
}

/// The place of a block on a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPlace {
    /// The track of the block.
    pub track: Track,
    /// Angle at which the block begins, in sectors of the track.
    pub slot: u32,
    /// Number of sectors on the track.
    pub sectors_per_track: u32,
    /// Number of blocks from this block on, including it, that lie on consecutive sectors of the track.
    pub run: u32,
}
