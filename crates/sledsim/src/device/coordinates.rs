//! Coordinates of blocks, for policies that measure distances.

/// The place of a block, in the units in which policies measure distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// Bit column in x; the same for all sleds that move together.
    pub cylinder: u32,
    /// Number of the track, counted over the whole device: cylinder by cylinder, one sled after the
    /// other.
    pub track: u64,
    /// Middle of the row, in bits from the lower end of the region in y.
    pub y_bits: u32,
}

/// Sizes of the ranges of coordinates on a device, at least 1 in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of bit columns in x, at least 1.
    pub cylinders: u32,
    /// Number of bits of a region in y, at least 1.
    pub y_bits: u32,
}
