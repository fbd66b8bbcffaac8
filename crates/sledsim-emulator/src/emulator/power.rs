//! Describe a power failure and the data that it destroyed.

/// Contents, after a power failure, of the row that was under the tips during a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Torn {
    /// The row has neither the old nor the new contents.
    #[default]
    Unreadable,
    /// The row has the old contents, as if the device had saved them before the write.
    Old,
    /// The row has the new contents, as if the remaining energy sufficed to finish the row.
    New,
}

impl Torn {
    /// Each choice: its name on the command line, its value and its meaning.
    pub const ALL: [(&'static str, Self, &'static str); 3] = [
        ("unreadable", Self::Unreadable, "neither old nor new contents: EIO until the row is written again"),
        ("old", Self::Old, "the row has its old contents, as if the device had saved them before the write"),
        (
            "new",
            Self::New,
            "the row has its new contents, as if the remaining energy had sufficed to write it",
        ),
    ];
}

/// Parameters that decide which data a power failure destroys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerCut {
    /// Seed of the random choice of the unflushed sectors that are kept, about half of all.
    pub seed: u64,
    /// Contents of the row under the tips after the power failure.
    pub torn: Torn,
}

/// The effect of a power failure, in requests and in sectors of 512 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// Time of the power failure in nanoseconds of the clock.
    pub at_ns: u64,
    /// Number of requests that never get an answer.
    pub unanswered: u64,
    /// Number of sectors that were written but not flushed.
    pub unflushed_sectors: u64,
    /// Number of unflushed sectors that lost their newest contents.
    pub lost_sectors: u64,
    /// Number of sectors with new contents, in writes that the power failure interrupted.
    pub written_sectors: u64,
    /// Number of sectors that the power failure made unreadable.
    pub torn_sectors: u64,
}
