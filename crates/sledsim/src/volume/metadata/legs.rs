//! Legs: the sectors of a request, divided by the places where their data are.

/// The place where the data of some sectors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// Place in the store below, which is the disk or the disk with its write buffer.
    Back,
    /// Place on the MEMS device; the number is the first sector there.
    Mems(u64),
    /// Place in the store below; the data are to be copied to the MEMS device; the number is the first sector there.
    Coming(u64),
}

/// A leg: consecutive sectors of a request whose data are in one place. `from` counts from the start of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leg {
    pub from: u64,
    pub sectors: u64,
    pub to: Where,
}

impl Leg {
    /// True if the place `other` continues the place of this leg without a gap.
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
