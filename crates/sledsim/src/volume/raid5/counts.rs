//! What a RAID-5 counts.

/// Writes of rows of a stripe, by method; requests that put data together; and what waited for others.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) by_method: [u64; 5],
    pub(super) mended: u64,
    pub(super) waited: u64,
}
