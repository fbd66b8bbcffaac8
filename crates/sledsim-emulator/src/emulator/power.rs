//! Describe a power failure, and the data it has taken.

/// The fate of the row under the tips when power is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Torn {
    /// The row has neither the old nor the new contents.
    #[default]
    Unreadable,
    /// The row has the old contents, as if they had been saved before.
    Old,
    /// The row has the new contents, as if the remaining energy sufficed.
    New,
}

impl Torn {
    /// Name on the command line, value and meaning of each fate.
    pub const ALL: [(&'static str, Self, &'static str); 3] = [
        ("unreadable", Self::Unreadable, "neither old nor new contents: EIO until the row is written again"),
        ("old", Self::Old, "old contents, as if saved before"),
        ("new", Self::New, "new contents, as if enough energy was left"),
    ];
}

/// Parameters of a power failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerCut {
    /// Seed that selects the unflushed sectors to keep: half of them.
    pub seed: u64,
    /// Fate of the row under the tips.
    pub torn: Torn,
}

/// The effect of a power failure, in requests and in sectors of 512 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// Time of the loss in nanoseconds of the clock.
    pub at_ns: u64,
    /// Number of requests that were not answered and never will be.
    pub unanswered: u64,
    /// Number of sectors written and not flushed.
    pub unflushed_sectors: u64,
    /// Number of unflushed sectors whose newest contents are lost.
    pub lost_sectors: u64,
    /// Number of sectors of writes in service that have their new contents.
    pub written_sectors: u64,
    /// Number of sectors that the loss made unreadable.
    pub torn_sectors: u64,
}
