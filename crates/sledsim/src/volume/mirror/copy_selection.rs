//! The rule by which a mirror chooses the member that serves a read.

use crate::error::Result;
use crate::options::{OptionRow, Options};
use crate::volume::array::each;
use crate::volume::Io;

pub(super) const OPTION: OptionRow = OptionRow::one_of(
    "read",
    &["least-busy", "nearest", "split", "round-robin", "first"],
    "copy that serves a read: least-busy (fewest requests waiting, then nearest), nearest (to the \
         end of its last read), split (each serves its share of the addresses), round-robin, first",
);

#[derive(Clone, Copy)]
enum Rule {
    LeastBusy,
    Nearest,
    Split,
    RoundRobin,
    First,
}

/// The rule by which a mirror chooses a member for a read; for each member, also the sector at which its last read
/// ended.
#[derive(Clone)]
pub(super) struct Choice {
    rule: Rule,
    last: Vec<u64>,
    next: u32,
    share: u64,
}

impl Choice {
    pub(super) fn new(options: &Options, devices: u32, sectors: u64) -> Result<Self> {
        let rules = [Rule::LeastBusy, Rule::Nearest, Rule::Split, Rule::RoundRobin, Rule::First];
        let rule = options.one_of("read", &rules)?;
        let share = sectors.div_ceil(u64::from(devices));
        Ok(Self { rule, last: vec![0; devices as usize], next: 0, share })
    }

    /// Chooses the member that serves the read of the sectors from `sector` up to but excluding `end`. `able` is the
    /// set of the members with correct data, as bits.
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
        let chosen = chosen.expect("a mirror that works has a member with correct data");
        self.next = chosen + 1;
        self.last[chosen as usize] = end;
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Op;
    use crate::volume::Part;

    /// Returns the members chosen for reads of one sector each, at `sectors`, on three members of 300 sectors. `able`
    /// is the set of members with correct data; the member `busy` already has a part in flight.
    fn chosen(rule: &str, able: u64, busy: Option<u32>, sectors: &[u64]) -> Vec<u32> {
        let options = Options::parse("mirror", &[OPTION], &format!("read={rule}")).unwrap();
        let (mut choice, mut io) = (Choice::new(&options, 3, 300).unwrap(), Io::new(3, false));
        if let Some(member) = busy {
            let (op, job) = (Op::Read, io.begin());
            io.submit(Part { member, sector: 0, sectors: 1, op, metadata: false, job, at: 0, tag: 0 });
        }
        sectors.iter().map(|sector| choice.choose(able, *sector, sector + 1, &io)).collect()
    }

    #[test]
    fn reads_go_where_the_rule_says() {
        let all = 0b111;
        assert_eq!(chosen("first", all, None, &[5, 200, 299]), [0, 0, 0]);
        assert_eq!(chosen("split", all, None, &[5, 100, 299]), [0, 1, 2]);
        assert_eq!(chosen("round-robin", all, None, &[5, 5, 5, 5]), [0, 1, 2, 0]);
        // All members start at sector 0: after the read of 5, member 1 and member 2 are nearest to 280, and
        // then member 0 to 6.
        assert_eq!(chosen("nearest", all, None, &[5, 280, 6, 279]), [0, 0, 1, 0]);
        assert_eq!(chosen("least-busy", all, Some(0), &[5, 5]), [1, 1]);
    }

    #[test]
    fn only_those_that_are_able_serve() {
        for rule in ["first", "split", "round-robin", "nearest", "least-busy"] {
            assert_eq!(chosen(rule, 0b010, Some(1), &[5, 150, 299]), [1, 1, 1], "{rule}");
        }
        assert_eq!(chosen("split", 0b011, None, &[299]), [0], "after the last member comes the first");
    }
}
