//! Losses during a history: power failures and failing members.

use rand::RngExt;

use super::{Course, PATIENCE};
use crate::machine::Checked;
use sledsim::volume::Kept;

/// Time in ns until a failed member is replaced: 0.2 s.
const REPLACED_AFTER_NS: u64 = 200_000_000;

impl Course {
    /// Sometimes causes a loss or replaces a failed member; returns false if the loss ended the volume.
    pub(super) fn mischief(&mut self) -> Result<bool, String> {
        let (chance, down) = (self.machine.rng.random_range(0..400), self.machine.down());
        if std::mem::take(&mut self.just_filled) && self.machine.rng.random() {
            return self.blow();
        }
        if chance < 3 {
            self.lose_power()?;
            self.read_all()?;
        } else if self.plan.kind.failures && chance < 6 {
            let member = self.machine.rng.random_range(0..self.machine.members());
            if !down.contains(&member) {
                return self.fail(member);
            }
        } else if chance < 40 && self.machine.now > self.failed_ns + REPLACED_AFTER_NS {
            if let Some(member) = down.first() {
                self.without(None);
                self.filling.push(*member);
                self.machine.replace(*member)?;
            }
        }
        Ok(true)
    }

    /// Fails a member, and after a few events the power; returns false if the failure ended the volume.
    fn blow(&mut self) -> Result<bool, String> {
        let member = self.machine.rng.random_range(0..self.machine.members());
        if !self.machine.down().contains(&member) && !self.fail(member)? {
            return Ok(false);
        }
        for _ in 0..self.machine.rng.random_range(0..4) {
            self.advance()?;
        }
        self.lose_power()?;
        self.read_all()?;
        Ok(true)
    }

    pub(super) fn lose_power(&mut self) -> Checked {
        let without = self.without(None);
        if (self.plan.kind.after_power)(&without) == Kept::AllIfQuiet {
            self.write_out()?;
        }
        if !self.machine.down().is_empty() {
            self.failed_ns = self.machine.now;
        }
        self.unsure = true;
        self.machine.lose_power(&without)
    }

    /// The members that are down or being rebuilt, except `but`.
    fn without(&mut self, but: Option<u32>) -> Vec<u32> {
        match self.machine.left()[0] {
            0.0 => self.filling.clear(),
            // A member that is to be filled since the start.
            _ if self.filling.is_empty() => self.filling.push(u32::MAX),
            _ => {}
        }
        let members = self.machine.down().into_iter().chain(self.filling.iter().copied());
        members.filter(|member| Some(*member) != but).collect()
    }

    /// Continues until no write is outstanding.
    fn write_out(&mut self) -> Checked {
        while self.machine.open().1 > 0 {
            self.settle(self.machine.open().0 - 1)?;
        }
        Ok(())
    }

    fn fail(&mut self, member: u32) -> Result<bool, String> {
        if self.machine.rng.random_bool(0.3) {
            // Time for background work of volumes.
            self.settle(0)?;
            self.wait(4_000_000_000)?;
        }
        let mut patience = PATIENCE;
        while self.unsure && self.machine.left() != [0.0; 2] {
            patience -= 1;
            if patience == 0 || !self.machine.advance()? {
                return Err(format!(
                    "{:?} sectors remain to rebuild and to resynchronise",
                    self.machine.left()
                ));
            }
        }
        self.unsure = false;
        let without = self.without(Some(member));
        self.filling.retain(|filling| *filling != member);
        let kept = (self.plan.kind.after_failure)(member, &without);
        if kept == Kept::AllIfQuiet {
            self.write_out()?;
        }
        self.failed_ns = self.machine.now;
        self.machine.fail(member, kept)
    }

    /// Fails one member after the other until the volume refuses to continue; after each failure it reads all data.
    pub(super) fn refuse(&mut self) -> Checked {
        while self.machine.down().len() < self.machine.members() as usize {
            let member = self.machine.rng.random_range(0..self.machine.members());
            if self.machine.down().contains(&member) {
                continue;
            }
            if !self.fail(member)? {
                break;
            }
            self.read_all()?;
        }
        Ok(())
    }
}
