//! The data that each kind of volume promises to keep after failures; tests check every kind against its promises.

/// The acknowledged data that are kept after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All acknowledged data are kept.
    All,
    /// All acknowledged data are kept if no write was in flight at the failure.
    AllIfQuiet,
    /// Each sector is kept in its last version or in an earlier one.
    PerhapsOlder,
    /// Each sector that was ever read or written as metadata is kept in its last version or in an earlier
    /// one; all other sectors are kept in their last version.
    MetadataPerhapsOlder,
    /// Data written as metadata are kept, and are readable once the volume has restarted with an empty
    /// member; until then the volume reports that it cannot work.
    OnlyMetadata,
    /// No data are kept: the volume reports that it cannot work.
    Refused,
}

/// The data that the members hold before the first request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// All members hold zeros, so that the members of an array agree.
    Zeros,
    /// The member of this number holds the sectors of the volume, each under its own number; the other
    /// members hold garbage.
    Home(u32),
}

/// The data that a volume promises to keep after failures, with options and members for quick tests of the promises.
#[derive(Clone, Copy)]
pub struct Promises {
    /// Options of the volume in the tests, as users write options.
    pub options: &'static str,
    /// Number of sectors of each member, by role: a few hundred, so that the tests reach every special case.
    pub members: &'static [&'static [u64]],
    /// The data that the members hold before the first request.
    pub start: Start,
    /// Number of sectors of the largest request in the tests.
    pub largest: u32,
    /// Share of requests in the tests that are for metadata.
    pub metadata: f64,
    /// The data kept after a power failure while the members `down` are missing or not rebuilt.
    pub after_power: fn(down: &[u32]) -> Kept,
    /// The data kept after the failure of `member` while the members `down` are missing or not rebuilt. The
    /// failed member is replaced by an empty one later. In the tests, no member fails between a power failure
    /// and the end of the resynchronisation.
    pub after_failure: fn(member: u32, down: &[u32]) -> Kept,
    /// True if members also fail in the middle of a test; one member always fails at the end.
    pub failures: bool,
}

impl Promises {
    /// Promises of a volume over one device that keeps all acknowledged data, each sector under its number on
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
