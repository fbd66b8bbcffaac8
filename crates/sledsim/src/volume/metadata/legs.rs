//! Legs of a request: runs of its sectors whose data are in one place, on the MEMS device or in the store below.

/// The place where the data of some sectors are now and, if they must be copied, the place of the copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// The data are in the store below, that is, on the disk or in its write buffer.
    Back,
    /// The data are on the MEMS device; the value is the first sector there.
    Mems(u64),
    /// The data are in the store below and must be copied to the MEMS device; the value is the first sector of the
    /// copy.
    Coming(u64),
}

/// A leg: consecutive sectors of a request whose data are in one place. `from` is its first sector, counted from the
/// start of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leg {
    pub from: u64,
    pub sectors: u64,
    pub to: Where,
}

impl Leg {
    /// True if sectors in the place `other` directly follow this leg, so that they can join the leg.
    pub fn is_followed_by(&self, other: Where) -> bool {
        match (self.to, other) {
            (Where::Back, Where::Back) => true,
            (Where::Mems(at), Where::Mems(next)) | (Where::Coming(at), Where::Coming(next)) => {
                at + self.sectors == next
            }
            _ => false,
        }
    }
}

pub(super) fn push(legs: &mut Vec<Leg>, from: u64, sectors: u64, to: Where) {
    match legs.last_mut() {
        Some(last) if last.is_followed_by(to) => last.sectors += sectors,
        _ => legs.push(Leg { from, sectors, to }),
    }
}
