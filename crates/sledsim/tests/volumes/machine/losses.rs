//! Losses of the power, and of a member.

use std::collections::BTreeMap;
use std::mem::take;

use rand::RngExt;
use sledsim::time::Time;

use super::{build, Checked, Flight, Machine};
use crate::members::{Buffers, Member};
use sledsim::volume::Kept;

impl Machine {
    /// Fails and restores the power, while these members are down or not filled again.
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
            failed.map_err(|error| format!("member {member} was down before: {error}"))?;
            self.act()?;
        }
        self.begin()
    }

    /// Drops all parts in flight to a member, and notifies the volume.
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

    /// Fails a member; false if that is the end of the volume, as expected.
    pub fn fail(&mut self, member: u32, kept: Kept) -> Result<bool, String> {
        let kept = self.kept_now(kept);
        self.say(|| format!("member {member} fails: {kept:?}"));
        match (self.take_down(member), kept) {
            (Err(_), Kept::Refused) => return Ok(false),
            (Err(_), Kept::OnlyMetadata) => return self.start_again_without(member),
            (Ok(()), Kept::Refused | Kept::OnlyMetadata) => {
                return Err(format!("the volume cannot do without member {member}"))
            }
            (Err(error), _) => return Err(format!("the volume should go on: {error}")),
            (Ok(()), _) => self.oracle.lost(kept),
        }
        self.act()?;
        Ok(true)
    }

    /// The data promised at least, or all if the volume reports that it has no data in one place only.
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

    /// Fails the power, too, and replaces the failed member by an empty one.
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
