//! A loss of power: how it comes, and what it has taken.

/// What becomes of the row that is under the tips when power is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Torn {
    /// It has neither the old nor the new contents.
    #[default]
    Unreadable,
    /// It has the old contents, as if it had been saved before.
    Old,
    /// It has the new contents, as if there was energy left for it.
    New,
}

impl Torn {
    /// By its name on the command line, each with what it means.
    pub const ALL: [(&'static str, Self, &'static str); 3] = [
        ("unreadable", Self::Unreadable, "neither old nor new: EIO until it is written again"),
        ("old", Self::Old, "as it was, as if it had been saved before"),
        ("new", Self::New, "written, as if energy was left for it"),
    ];
}

/// How power is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerCut {
    /// Decides which sectors that were not flushed are kept: half of them.
    pub seed: u64,
    /// What becomes of the row under the tips.
    pub torn: Torn,
}

/// What a loss of power has taken, in requests and in sectors of 512 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// When it was, in nanoseconds of the clock.
    pub at_ns: u64,
    /// Requests that were not answered, and never will be.
    pub unanswered: u64,
    /// Sectors that were written and not flushed.
    pub unflushed_sectors: u64,
    /// Those of them whose newest contents are lost.
    pub lost_sectors: u64,
    /// Sectors of writes in service that have their new contents.
    pub written_sectors: u64,
    /// Sectors that cannot be read since.
    pub torn_sectors: u64,
}
