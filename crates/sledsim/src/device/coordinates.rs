//! Where blocks lie, as policies see it.

/// Where a block lies, in the units in which policies reckon distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// Bit column in x: the same on all sleds that move as one.
    pub cylinder: u32,
    /// Track, counted over the whole device: cylinder by cylinder, and one sled after the other.
    pub track: u64,
    /// The middle of its row, in bits from the lower end of the region in y.
    pub y_bits: u32,
}

/// The reach of coordinates on a device: at least one place in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bit columns in x, from 1.
    pub cylinders: u32,
    /// Bits of a region in y, from 1.
    pub y_bits: u32,
}
