//! The promises of volumes about data, to which tests hold each kind.

/// The data still there after a loss, of those that were acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All.
    All,
    /// All, if no write was in flight.
    AllIfQuiet,
    /// Of each sector this version or an earlier one.
    PerhapsOlder,
    /// This version or an earlier one of each sector that was ever read or written as metadata; all of the others.
    MetadataPerhapsOlder,
    /// Data that were written as metadata, once the volume has started again over an empty member; it says that it
    /// cannot go on before.
    OnlyMetadata,
    /// Nothing: the volume says that it cannot go on.
    Refused,
}

/// The data that members hold before the first request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Zeros: those of an array agree.
    Zeros,
    /// The sectors of the volume lie on this member, each in its own place; the other members hold rubbish.
    Home(u32),
}

/// The promises of a volume about data, with options and members over which tests find it out soon.
#[derive(Clone, Copy)]
pub struct Promises {
    /// Its options, as users give them.
    pub options: &'static str,
    /// Sectors of the members, by role: a few hundred, so that every corner is reached.
    pub members: &'static [&'static [u64]],
    /// The data of the members at first.
    pub start: Start,
    /// Sectors of the largest request.
    pub largest: u32,
    /// The share of requests that are for metadata.
    pub metadata: f64,
    /// The data kept when the power is lost while these members are down, or not filled again.
    pub after_power: fn(down: &[u32]) -> Kept,
    /// The data kept when a member fails while others are down or not filled again. It comes back empty, some time
    /// later. After a loss of power none fails before the volume is in step again.
    pub after_failure: fn(member: u32, down: &[u32]) -> Kept,
    /// Whether members fail in the middle of histories; in the end one does.
    pub failures: bool,
}

impl Promises {
    /// A volume over one device that keeps whatever is acknowledged, each sector where the device has it.
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
