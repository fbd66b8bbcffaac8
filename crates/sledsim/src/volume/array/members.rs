//! The state of members: present, in step, to be rebuilt.

/// The states of the members of an array, as bit sets.
#[derive(Clone, Copy, Debug)]
pub(in crate::volume) struct States {
    all: u64,
    /// Members that do not answer.
    down: u64,
    /// Members with wrong or missing data, whether they answer or not.
    pub(in crate::volume) out: u64,
    /// Rebuilt members of `out` that not all other members have noted yet: after a power failure they would not count
    /// as rebuilt.
    filled: u64,
}

pub(in crate::volume) fn bit(member: u32) -> u64 {
    1 << member
}

/// The members of a set.
pub(in crate::volume) fn each(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let member = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        member
    })
}

impl States {
    /// States with all members in order, except perhaps one.
    pub(in crate::volume) fn new(devices: u32, failed: Option<(u32, bool)>) -> Self {
        let out = failed.map_or(0, |(member, _)| bit(member));
        let down = failed.filter(|(_, replaced)| !replaced).map_or(0, |(member, _)| bit(member));
        Self { all: u64::MAX >> (64 - devices), down, out, filled: 0 }
    }

    /// Members that answer.
    pub(in crate::volume) fn present(&self) -> u64 {
        self.all & !self.down
    }

    /// Members with correct data.
    pub(in crate::volume) fn in_step(&self) -> u64 {
        self.all & !self.out
    }

    /// Members that answer and must be rebuilt.
    pub(in crate::volume) fn unfilled(&self) -> u64 {
        self.out & !self.down
    }

    /// Marks all members that answer as filled; returns false if they were already.
    pub(in crate::volume) fn fill(&mut self) -> bool {
        let before = self.filled;
        self.filled = self.unfilled();
        self.filled != before
    }

    /// Members to be noted as out of step.
    pub(in crate::volume) fn out_noted(&self) -> u64 {
        self.out & !self.filled
    }

    /// Ends the write of a note of the members out of step: filled members are in step again.
    pub(in crate::volume) fn noted(&mut self, out: u64) {
        self.out &= !self.filled | out;
        self.filled &= self.out;
    }

    pub(in crate::volume) fn fail(&mut self, member: u32) {
        self.filled &= !bit(member);
        self.down |= bit(member);
        self.out |= bit(member);
    }

    /// Takes over the members that were out of step according to the notes.
    pub(in crate::volume) fn recover(&mut self, out: u64) {
        self.out = out | self.down;
    }

    pub(in crate::volume) fn replace(&mut self, member: u32) {
        self.down &= !bit(member);
        self.out |= bit(member);
    }
}
