//! The promises of volumes about data; tests check every kind of volume against its promises.

/// The acknowledged data that survive a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All acknowledged data.
    All,
    /// All acknowledged data, if no write was in flight.
    AllIfQuiet,
    /// Each sector in its last version or an earlier one.
    PerhapsOlder,
    /// Each sector that was ever read or written as metadata, in its last version or an earlier one; all
    /// other sectors.
    MetadataPerhapsOlder,
    /// Data written as metadata, once the volume has restarted over an empty member; until then it reports
    /// that it cannot go on.
    OnlyMetadata,
    /// No data: the volume reports that it cannot go on.
    Refused,
}

/// The data of the members before the first request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Zeros, on which all members of an array agree.
    Zeros,
    /// The sectors of the volume lie on this member, each at its own number; the other members hold garbage.
    Home(u32),
}

/// The promises of a volume about data, with options and members over which tests check them quickly.
#[derive(Clone, Copy)]
pub struct Promises {
    /// Options, as users write them.
    pub options: &'static str,
    /// Number of sectors of the members, by role: a few hundred, so that every corner is reached.
    pub members: &'static [&'static [u64]],
    /// Initial data of the members.
    pub start: Start,
    /// Number of sectors of the largest request.
    pub largest: u32,
    /// Share of requests that are for metadata.
    pub metadata: f64,
    /// Data kept in a power failure while these members are down or not rebuilt.
    pub after_power: fn(down: &[u32]) -> Kept,
    /// Data kept when a member fails while other members are down or not rebuilt. The member comes back empty some time
    /// later. After a power failure no member fails before the volume is in step again.
    pub after_failure: fn(member: u32, down: &[u32]) -> Kept,
    /// True if members fail in the middle of histories; one member always fails at the end.
    pub failures: bool,
}

impl Promises {
    /// A volume over one device that keeps all acknowledged data, each sector at the device's own number.
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
