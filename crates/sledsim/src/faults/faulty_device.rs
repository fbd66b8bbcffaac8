//! A device with faults: a wrapper around a device without faults, which takes its place.

use std::collections::BTreeSet;

use super::counts::FaultCounts;
use super::damage::{Damage, State};
use super::mapping::Mapping;
use super::plan::FaultPlan;
use super::schedule::{Fault, Schedule};
use super::tips::tips_of;
use super::Remapping;
use crate::device::Device;
use crate::error::{ensure, Result};
use crate::params::DeviceParams;
use crate::time::Time;

/// A device with the faults of a fault plan.
///
/// Failed tips are detected immediately. Data that can be reconstructed then move to a spare tip or
/// to the reserve, which takes no time. A block is lost if more tip sectors are missing than the
/// code can correct; reading it takes the usual time.
#[derive(Clone)]
pub struct FaultyDevice {
    pub(super) device: Box<dyn Device>,
    pub(super) reserve: u64,
    remapping: Remapping,
    remap_at: u32,
    pub(super) schedule: Schedule,
    pub(super) damage: Option<Damage>,
    pub(super) mapping: Mapping,
    pub(super) failed_tips: BTreeSet<u32>,
    /// Unreadable blocks of the medium, as listed in the plan.
    bad: BTreeSet<u64>,
    /// Blocks whose data were already lost when the blocks moved, by their place before the move.
    pub(super) gone: BTreeSet<u64>,
    /// True if no block moves to another place during the run.
    pub(super) stays: bool,
    pub(super) counts: FaultCounts,
}

impl FaultyDevice {
    /// Applies a plan of faults to a device with the parameters `params`. The random faults depend
    /// on `number`, so that several devices with the same plan fail differently.
    ///
    /// # Errors
    /// The plan does not fit the device; the message names the key.
    pub fn new(
        device: Box<dyn Device>,
        params: &DeviceParams,
        plan: &FaultPlan,
        number: u64,
    ) -> Result<Self> {
        let tips = tips_of(params, plan)?;
        let blocks = device.blocks();
        ensure!(
            plan.reserve_blocks < blocks,
            "reserve_blocks = {}: expected fewer than the {blocks} blocks of {}",
            plan.reserve_blocks,
            params.name()
        );
        let schedule = Schedule::new(plan, tips.as_ref(), blocks, number)?;
        let uses_spares = plan.remapping == Remapping::SpareTip;
        let mut made = Self {
            device,
            reserve: plan.reserve_blocks,
            remapping: plan.remapping,
            remap_at: plan.remap_at,
            damage: tips.map(|tips| Damage::new(tips, plan.check_tips, uses_spares)),
            mapping: Mapping::new(blocks, plan.reserve_blocks, Vec::new()),
            stays: matches!(plan.remapping, Remapping::SpareTip | Remapping::Leave) || !schedule.goes_on(),
            schedule,
            failed_tips: BTreeSet::new(),
            bad: BTreeSet::new(),
            gone: BTreeSet::new(),
            counts: FaultCounts::default(),
        };
        made.manufacture()?;
        Ok(made)
    }

    /// Applies the faults that occur at manufacture, and those that occur later but before the run.
    fn manufacture(&mut self) -> Result<()> {
        let mut bad = BTreeSet::new();
        for fault in std::mem::take(&mut self.schedule.at_manufacture) {
            bad.extend(self.break_down(fault, false));
        }
        if self.remapping == Remapping::Slip {
            let blocks = self.device.blocks();
            ensure!(
                bad.len() as u64 <= self.reserve,
                "remapping = \"slip\": {} blocks are bad from the start, more than reserve_blocks = {}; raise reserve_blocks, or remap_at above {}",
                bad.len(),
                self.reserve,
                self.remap_at
            );
            // A bad block in the reserve needs no replacement, but makes the reserve smaller.
            self.mapping = Mapping::new(blocks, self.reserve, bad.into_iter().collect());
        } else {
            self.put_elsewhere(bad, false);
        }
        for fault in std::mem::take(&mut self.schedule.before_run) {
            self.grow(fault);
        }
        Ok(())
    }

    /// Applies a fault to a device that holds data, and moves bad blocks to the reserve.
    fn grow(&mut self, fault: Fault) {
        let bad = self.break_down(fault, true);
        self.put_elsewhere(bad, true);
    }

    /// Applies a fault; `has_data` is true if the device holds data. Returns the blocks of the
    /// medium that became bad, if the plan moves bad blocks; otherwise no blocks.
    fn break_down(&mut self, fault: Fault, has_data: bool) -> Vec<u64> {
        let moves = matches!(self.remapping, Remapping::Slip | Remapping::Elsewhere);
        let mut groups = Vec::new();
        let area = match fault {
            Fault::Blocks { lbn, blocks } => {
                let struck: Vec<u64> = (lbn..lbn + blocks).collect();
                self.bad.extend(&struck);
                return if moves { struck } else { Vec::new() };
            }
            Fault::Tips { tips, area, is_failure } => {
                let damage = self.damage.as_mut().expect("faults of tips need a device with tips");
                for tip in &tips {
                    groups.extend(damage.strike(*tip, area, has_data));
                }
                if is_failure {
                    self.failed_tips.extend(tips);
                } else {
                    self.counts.media_defects += 1;
                }
                area
            }
        };
        let Some(damage) = self.damage.as_ref().filter(|_| moves) else { return Vec::new() };
        groups.sort_unstable();
        groups.dedup();
        let all = groups.into_iter().flat_map(|group| damage.tips.blocks(group, area));
        all.filter(|lbn| damage.state(*lbn).missing >= self.remap_at).collect()
    }

    /// Moves the blocks `bad` of the medium to the reserve; `has_data` is true if they hold data.
    fn put_elsewhere(&mut self, bad: impl IntoIterator<Item = u64>, has_data: bool) {
        for place in bad {
            let Some(home) = self.mapping.home_at(place) else { continue };
            let is_lost = has_data && self.is_lost(place, self.state(place));
            let (damage, unreadable) = (&self.damage, &self.bad);
            let is_good = |at: u64| {
                let whole = damage.as_ref().is_none_or(|damage| damage.state(at).missing == 0);
                whole && !unreadable.contains(&at)
            };
            if !self.mapping.put(home, is_good) {
                self.counts.blocks_not_remapped += 1;
            } else if is_lost {
                self.gone.insert(home);
            }
        }
    }

    pub(super) fn state(&self, place: u64) -> State {
        self.damage.as_ref().map_or(State::default(), |damage| damage.state(place))
    }

    pub(super) fn is_lost(&self, place: u64, state: State) -> bool {
        state.lost || self.bad.contains(&place)
    }

    /// Applies all faults that are due by `now`.
    pub(super) fn advance(&mut self, now: Time) {
        while let Some(fault) = self.schedule.next(now, self.damage.as_ref().map(|damage| &damage.tips)) {
            self.grow(fault);
        }
    }
}
