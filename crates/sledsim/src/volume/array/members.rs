//! States of the members of an array: does a member reply, and are its data up to date?

/// States of the members of an array; each field is a set with one bit for each member.
#[derive(Clone, Copy, Debug)]
pub(in crate::volume) struct States {
    all: u64,
    /// Members that do not reply.
    down: u64,
    /// Members whose data are wrong or missing, whether they reply or not.
    pub(in crate::volume) out: u64,
    /// Members of `out` whose rebuild is complete, but is not yet recorded in the notes on all members. After a power
    /// failure they would have to be rebuilt again.
    filled: u64,
}

pub(in crate::volume) fn bit(member: u32) -> u64 {
    1 << member
}

/// The numbers of the members in the set `set`, in ascending order.
pub(in crate::volume) fn each(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let member = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        member
    })
}

impl States {
    /// Creates the states of `devices` members. `failed` is `None`, or the number of a failed member, and true if an
    /// empty device has replaced it.
    pub(in crate::volume) fn new(devices: u32, failed: Option<(u32, bool)>) -> Self {
        let out = failed.map_or(0, |(member, _)| bit(member));
        let down = failed.filter(|(_, replaced)| !replaced).map_or(0, |(member, _)| bit(member));
        Self { all: u64::MAX >> (64 - devices), down, out, filled: 0 }
    }

    /// Set of the members that reply.
    pub(in crate::volume) fn present(&self) -> u64 {
        self.all & !self.down
    }

    /// Set of the members whose data are up to date.
    pub(in crate::volume) fn in_step(&self) -> u64 {
        self.all & !self.out
    }

    /// Set of the members that reply and must be rebuilt.
    pub(in crate::volume) fn unfilled(&self) -> u64 {
        self.out & !self.down
    }

    /// Records that the rebuild of all members that reply is complete; returns false if this was already recorded.
    pub(in crate::volume) fn fill(&mut self) -> bool {
        let before = self.filled;
        self.filled = self.unfilled();
        self.filled != before
    }

    /// Set of the members that the next note lists as out of date.
    pub(in crate::volume) fn out_noted(&self) -> u64 {
        self.out & !self.filled
    }

    /// Records that a note which lists the members `out` as out of date is now on all members. Rebuilt members that it
    /// does not list are up to date.
    pub(in crate::volume) fn noted(&mut self, out: u64) {
        self.out &= !self.filled | out;
        self.filled &= self.out;
    }

    pub(in crate::volume) fn fail(&mut self, member: u32) {
        self.filled &= !bit(member);
        self.down |= bit(member);
        self.out |= bit(member);
    }

    /// Restores the states after a power failure. `out` is the set of members that the note found on the members lists
    /// as out of date.
    pub(in crate::volume) fn recover(&mut self, out: u64) {
        self.out = out | self.down;
    }

    pub(in crate::volume) fn replace(&mut self, member: u32) {
        self.down &= !bit(member);
        self.out |= bit(member);
    }
}
