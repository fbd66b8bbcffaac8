//! The data that each kind of volume promises to keep after failures. Tests compare every kind with its promises.

/// The acknowledged data that a volume keeps after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All acknowledged data are kept.
    All,
    /// All acknowledged data are kept, provided that no write was in flight when the failure happened.
    AllIfQuiet,
    /// Each sector is kept in its last version or in an earlier one.
    PerhapsOlder,
    /// Sectors that were ever read or written as metadata are kept, but perhaps in an earlier version; all other
    /// sectors are kept in their last version.
    MetadataPerhapsOlder,
    /// Data written as metadata are kept. They become readable after a restart with an empty member in place of the
    /// failed one; before, the volume reports that it cannot work.
    OnlyMetadata,
    /// No data are kept: the volume reports that it cannot work.
    Refused,
}

/// The data that members hold when a test starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// All members hold zeros, so that the members of an array agree.
    Zeros,
    /// The member with this number holds each sector of the volume under the same sector number; other members hold
    /// random data.
    Home(u32),
}

/// The data that a kind of volume promises to keep after failures, with options and members for tests of the promises.
#[derive(Clone, Copy)]
pub struct Promises {
    /// Options of the volume in the tests, as users write options.
    pub options: &'static str,
    /// Number of sectors of each member, for each role. A few hundred sectors let the tests reach every special case
    /// quickly.
    pub members: &'static [&'static [u64]],
    /// The data that the members hold before the first request.
    pub start: Start,
    /// Number of sectors of the largest request in the tests.
    pub largest: u32,
    /// Fraction of the requests in the tests that are for metadata.
    pub metadata: f64,
    /// Data kept after a power failure while the members `down` are missing or not yet rebuilt.
    pub after_power: fn(down: &[u32]) -> Kept,
    /// Data kept after the failure of the member `member`, while the members `down` are missing or not yet rebuilt. The
    /// tests replace it later by an empty member, and let no member fail before the resynchronisation after a power
    /// failure has ended.
    pub after_failure: fn(member: u32, down: &[u32]) -> Kept,
    /// True if the tests let members fail at any time; false if only one member fails, at the end.
    pub failures: bool,
}

impl Promises {
    /// Promises of a volume over a single device that keeps all acknowledged data; each sector has the same number on
    /// the device.
    pub const OVER_ONE: Self = Self {
        options: "",
        members: &[&[300]],
        start: Start::Home(0),
        largest: 24,
        metadata: 0.1,
        after_power: |_| Kept::All,
        after_failure: |_, _| Kept::Refused,
        failures: false,
    };
}
