//! Coordinates of blocks, from which policies compute distances.

/// Coordinates of a block, from which policies compute distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// Cylinder: the column of bits in x, with the same number on all sleds that move together.
    pub cylinder: u32,
    /// Index of the track on the whole device. The tracks of one cylinder follow one another, then those of
    /// the next cylinder, then those of the next sled.
    pub track: u64,
    /// Middle of the row, in bits from the lower end of the region in y.
    pub y_bits: u32,
}

/// Number of different x coordinates and number of different y coordinates of the blocks of a device, each
/// at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of cylinders (columns of bits in x), at least 1.
    pub cylinders: u32,
    /// Height of a tip region in y in bits, at least 1.
    pub y_bits: u32,
}
