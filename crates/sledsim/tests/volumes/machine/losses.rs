//! Power failures and failures of a member.

use std::collections::BTreeMap;
use std::mem::take;

use rand::RngExt;
use sledsim::time::Time;

use super::{build, Checked, Flight, Machine};
use crate::members::{Buffers, Member};
use sledsim::volume::Kept;

impl Machine {
    /// Loses and restores the power; the members `without` are down or being rebuilt.
    pub fn lose_power(&mut self, without: &[u32]) -> Checked {
        let kept = (self.kind.after_power)(without);
        self.say(|| format!("the power is lost: {kept:?}"));
        self.count();
        for flight in take(&mut self.flights).into_values().filter(|flight| !flight.landed) {
            for (sector, word) in (flight.part.sector..).zip(flight.words) {
                if self.rng.random() {
                    self.members[flight.part.member as usize].write(sector, &[word]);
                }
            }
        }
        self.oracle.power_lost(kept);
        self.open.clear();
        self.events.clear();
        self.buffers = Buffers::default();
        (self.volume, self.io) = build(self.kind);
        let members = &self.members;
        self.volume.recover(&mut |member, sector| members[member as usize].note(sector));
        // The volume is notified of one member after the other, and may try to use the next one meanwhile.
        let down = self.down();
        down.iter().for_each(|member| self.members[*member as usize].down = false);
        for member in down {
            let failed = self.take_down(member);
            failed.map_err(|error| {
                format!(
                    "the volume refuses member {member}, which was down before the power failure: {error}"
                )
            })?;
            self.act()?;
        }
        self.begin()
    }

    /// Takes a member down: drops its parts in flight, and reports the failure to the volume.
    fn take_down(&mut self, member: u32) -> sledsim::error::Result<()> {
        self.members[member as usize].down = true;
        let (lost, left) =
            take(&mut self.flights).into_iter().partition(|(_, flight)| flight.part.member == member);
        self.flights = left;
        let lost: BTreeMap<u64, Flight> = lost;
        for flight in lost.into_values() {
            self.buffers.of(flight.part.job.0).parts -= 1;
            self.io.came_back(&flight.part, flight.urgency);
        }
        self.volume.fail(Time(self.now), member, &mut self.io)
    }

    /// Lets a member fail. Returns false if the volume refuses to continue, as `kept` expects.
    pub fn fail(&mut self, member: u32, kept: Kept) -> Result<bool, String> {
        let kept = self.kept_now(kept);
        self.say(|| format!("member {member} fails: {kept:?}"));
        match (self.take_down(member), kept) {
            (Err(_), Kept::Refused) => return Ok(false),
            (Err(_), Kept::OnlyMetadata) => return self.start_again_without(member),
            (Ok(()), Kept::Refused | Kept::OnlyMetadata) => {
                return Err(format!("the volume continues without member {member}, expected a refusal"))
            }
            (Err(error), _) => {
                return Err(format!("the volume refuses to continue, expected that it continues: {error}"))
            }
            (Ok(()), _) => self.oracle.lost(kept),
        }
        self.act()?;
        Ok(true)
    }

    /// The data that must survive: `kept`, or all data if the volume reports that no data are in one place only.
    fn kept_now(&mut self, kept: Kept) -> Kept {
        let counts = self.volume.counts();
        let only_there =
            counts.iter().filter(|(name, _)| ["dirty_sectors", "unflushed_sectors"].contains(name));
        let only_there: Vec<f64> = only_there.map(|(_, sectors)| *sectors).collect();
        let may_be_older = matches!(kept, Kept::PerhapsOlder | Kept::MetadataPerhapsOlder);
        let is_clean = !only_there.is_empty() && only_there.iter().sum::<f64>() == 0.0;
        if may_be_older && is_clean && self.open().1 == 0 && self.oracle.has_lost_nothing() {
            *self.counts.entry("failures_when_clean").or_default() += 1.0;
            return Kept::All;
        }
        kept
    }

    /// Loses the power after the failure of a member, and replaces the member by an empty one: only metadata survive.
    fn start_again_without(&mut self, member: u32) -> Result<bool, String> {
        let sectors = self.members[member as usize].words.len() as u64;
        self.members[member as usize] = Member::rubbish(sectors, &mut self.rng);
        self.lose_power(&[])?;
        self.oracle.lost(Kept::OnlyMetadata);
        *self.counts.entry("starts_with_metadata_only").or_default() += 1.0;
        Ok(true)
    }

    /// Replaces a failed member by an empty one.
    pub fn replace(&mut self, member: u32) -> Checked {
        self.say(|| format!("member {member} is replaced"));
        let sectors = self.members[member as usize].words.len() as u64;
        self.members[member as usize] = Member::rubbish(sectors, &mut self.rng);
        self.oracle.replaced();
        self.volume.replace(Time(self.now), member, &mut self.io);
        self.act()
    }
}
