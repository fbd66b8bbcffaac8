//! The places of the sectors of a request, leg by leg.

/// The place of some sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// The store behind.
    Back,
    /// The MEMS device, from that sector on.
    Mems(u64),
    /// The store behind, with a place on the MEMS device from that sector on.
    Coming(u64),
}

/// Sectors of a request that lie in one place, from one of its sectors on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leg {
    pub from: u64,
    pub sectors: u64,
    pub to: Where,
}

impl Leg {
    /// True if `other` continues where this leg ends.
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
