//! What a virtual disk counts.

/// What is counted for the summary.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) hits: u64,
    pub(super) misses: u64,
    pub(super) fetched: u64,
    pub(super) whole_writes: u64,
    pub(super) evicted: u64,
    pub(super) written_back: u64,
    pub(super) waits_for_slot: u64,
    pub(super) direct: u64,
}
