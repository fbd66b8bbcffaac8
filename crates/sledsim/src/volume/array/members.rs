//! Which members can be relied on.

/// The members of an array, each a bit.
#[derive(Clone, Copy, Debug)]
pub(in crate::volume) struct States {
    all: u64,
    /// Members that do not answer.
    down: u64,
    /// Members that do not hold what they should, whether they answer or not.
    pub(in crate::volume) out: u64,
    /// Members of `out` that have been rebuilt, which not all others have recorded yet: after a loss of power they
    /// would not count.
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
    /// All members are in order but perhaps one.
    pub(in crate::volume) fn new(devices: u32, failed: Option<(u32, bool)>) -> Self {
        let out = failed.map_or(0, |(member, _)| bit(member));
        let down = failed.filter(|(_, replaced)| !replaced).map_or(0, |(member, _)| bit(member));
        Self { all: u64::MAX >> (64 - devices), down, out, filled: 0 }
    }

    /// Members that answer.
    pub(in crate::volume) fn present(&self) -> u64 {
        self.all & !self.down
    }

    /// Members that hold what they should.
    pub(in crate::volume) fn in_step(&self) -> u64 {
        self.all & !self.out
    }

    /// Members that answer and have to be filled again.
    pub(in crate::volume) fn unfilled(&self) -> u64 {
        self.out & !self.down
    }

    /// All members that answer are filled; false if that was known.
    pub(in crate::volume) fn fill(&mut self) -> bool {
        let before = self.filled;
        self.filled = self.unfilled();
        self.filled != before
    }

    /// Members that are to be noted as out of step.
    pub(in crate::volume) fn out_noted(&self) -> u64 {
        self.out & !self.filled
    }

    /// All members have noted which are out of step: those that are filled are so no longer.
    pub(in crate::volume) fn noted(&mut self, out: u64) {
        self.out &= !self.filled | out;
        self.filled &= self.out;
    }

    pub(in crate::volume) fn fail(&mut self, member: u32) {
        self.filled &= !bit(member);
        self.down |= bit(member);
        self.out |= bit(member);
    }

    /// Takes over which members were out by the notes of the members.
    pub(in crate::volume) fn recover(&mut self, out: u64) {
        self.out = out | self.down;
    }

    pub(in crate::volume) fn replace(&mut self, member: u32) {
        self.down &= !bit(member);
        self.out |= bit(member);
    }
}
