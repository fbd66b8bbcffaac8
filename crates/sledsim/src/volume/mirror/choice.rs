//! Which copy a read is served from.

use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::volume::array::each;
use crate::volume::Io;

pub(super) const OPTION: OptionRow = OptionRow {
    name: "read",
    unit: "",
    default: "least-busy",
    description:
        "who serves a read: least-busy (fewest parts waiting, then nearest), nearest (to where it was last), \
                  split (each its own part of the addresses), round-robin, first",
};

#[derive(Clone, Copy)]
enum Rule {
    LeastBusy,
    Nearest,
    Split,
    RoundRobin,
    First,
}

/// Chooses, and knows where each member was sent last.
pub(super) struct Choice {
    rule: Rule,
    last: Vec<u64>,
    next: u32,
    share: u64,
}

impl Choice {
    pub(super) fn new(options: &Options, devices: u32, sectors: u64) -> Result<Self> {
        let rules = [
            ("least-busy", Rule::LeastBusy),
            ("nearest", Rule::Nearest),
            ("split", Rule::Split),
            ("round-robin", Rule::RoundRobin),
            ("first", Rule::First),
        ];
        let rule = options.one_of("read", &rules)?;
        let share = sectors.div_ceil(u64::from(devices));
        Ok(Self { rule, last: vec![0; devices as usize], next: 0, share })
    }

    /// One of the members that are able to serve sectors up to `end`.
    pub(super) fn choose(&mut self, able: u64, sector: u64, end: u64, io: &Io) -> u32 {
        let distance = |member: u32| self.last[member as usize].abs_diff(sector);
        let after = |from: u32| each(able).find(|member| *member >= from).or_else(|| each(able).next());
        let chosen = match self.rule {
            Rule::LeastBusy => each(able).min_by_key(|member| (io.urgent(*member), distance(*member))),
            Rule::Nearest => each(able).min_by_key(|member| distance(*member)),
            Rule::Split => after((sector / self.share) as u32),
            Rule::RoundRobin => after(self.next),
            Rule::First => each(able).next(),
        };
        let chosen = chosen.expect("an array that goes on has a member in step");
        self.next = chosen + 1;
        self.last[chosen as usize] = end;
        chosen
    }
}
