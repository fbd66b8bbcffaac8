//! Times of faults: faults at the times that a plan lists, and random faults drawn with the plan's
//! seed.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::plan::{BadBlocks, FaultPlan, MediaDefect};
use super::tips::{Area, Tips};
use crate::error::{ensure, fault, Error, Result};
use crate::time::{Span, Time};

/// A fault under some tips, or of some blocks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fault {
    /// A fault of the area `area` under each of `tips`; `is_failure` is true if the tips themselves
    /// fail, false for a defect of the medium.
    Tips { tips: Vec<u32>, area: Area, is_failure: bool },
    /// A fault of consecutive blocks of the medium.
    Blocks { lbn: u64, blocks: u64 },
}

/// Faults of a device that have not occurred yet.
#[derive(Clone)]
pub(super) struct Schedule {
    random: Pcg64,
    plan: FaultPlan,
    /// Faults before the first write, on a device without data.
    pub at_manufacture: Vec<Fault>,
    /// Faults before the run, on a device with data.
    pub before_run: Vec<Fault>,
    /// Faults that the plan lists for the run, each with its time after the start of the run; the
    /// latest fault comes first.
    listed: Vec<(Span, Fault)>,
    /// Times of the next random failure of a tip, and of the next random defect of the medium.
    drawn: [Time; 2],
    begun: Time,
}

/// Number of seconds in an hour.
const HOUR_S: f64 = 3600.0;

impl Schedule {
    /// Creates the schedule of a plan for a device of `blocks` blocks. A device without tips
    /// (`tips` is `None`) has only the bad blocks that the plan lists.
    pub fn new(plan: &FaultPlan, tips: Option<&Tips>, blocks: u64, number: u64) -> Result<Self> {
        let mut schedule = Self {
            // Devices with the same plan fail differently, depending on their `number`.
            random: Pcg64::seed_from_u64(plan.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))),
            plan: plan.clone(),
            at_manufacture: Vec::new(),
            before_run: Vec::new(),
            listed: Vec::new(),
            drawn: [Time::MAX; 2],
            begun: Time::ZERO,
        };
        if let Some(tips) = tips {
            schedule.list_tips(tips)?;
            schedule.draw(tips);
        }
        for BadBlocks { lbn, blocks: count, at_s } in &plan.bad_blocks {
            ensure!(
                *count > 0 && lbn.checked_add(*count).is_some_and(|end| end <= blocks),
                "bad_blocks: lbn = {lbn}, blocks = {count}: expected at least one block, all below LBN {blocks}"
            );
            schedule.list(*at_s, Fault::Blocks { lbn: *lbn, blocks: *count });
        }
        // Among listed faults at equal times, the one listed first comes first.
        schedule.listed.reverse();
        schedule.listed.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        Ok(schedule)
    }

    fn list(&mut self, at_s: Option<f64>, fault: Fault) {
        match at_s {
            None => self.at_manufacture.push(fault),
            Some(at_s) => self.listed.push((Span::from_s(at_s), fault)),
        }
    }

    fn list_tips(&mut self, tips: &Tips) -> Result<()> {
        let there = |key: &str, tip: u32| {
            let fault = || format!("{key} = {tip}: expected a tip from 0 to {}", tips.count() - 1);
            (tip < tips.count()).then_some(tip).ok_or_else(|| Error::Parameter(fault()))
        };
        let everywhere = tips.everywhere();
        for failure in self.plan.tip_failures.clone() {
            let tips = vec![there("tip_failures.tip", failure.tip)?];
            self.list(failure.at_s, Fault::Tips { tips, area: everywhere, is_failure: true });
        }
        for MediaDefect { tips, cylinder, cylinders, row, rows, at_s } in self.plan.media_defects.clone() {
            let tips = tips.iter().map(|tip| there("media_defects.tips", *tip)).collect::<Result<_>>()?;
            let area = Area {
                cylinders: [cylinder, cylinder.saturating_add(cylinders)],
                rows: [row, row.saturating_add(rows)],
            };
            if everywhere.overlap(&area) != Some(area) {
                return fault(format!(
                    "media_defects: cylinder = {cylinder}, cylinders = {cylinders}, row = {row}, rows = {rows}: expected an area within the {} cylinders and {} rows of a tip",
                    everywhere.cylinders[1], everywhere.rows[1]
                ));
            }
            self.list(at_s, Fault::Tips { tips, area, is_failure: false });
        }
        Ok(())
    }

    fn draw(&mut self, tips: &Tips) {
        let (life, from_start) = (self.plan.life, self.plan.manufacture);
        let by_age = -libm::expm1(-life.tip_failures_per_tip_hour * life.age_hours);
        let area = tips.everywhere();
        for tip in 0..tips.count() {
            let fault = Fault::Tips { tips: vec![tip], area, is_failure: true };
            if self.random.random::<f64>() < from_start.tip_failure_probability {
                self.at_manufacture.push(fault);
            } else if self.random.random::<f64>() < by_age {
                self.before_run.push(fault);
            }
        }
        for (mean, before_run) in
            [(from_start.media_defects, false), (life.media_defects_per_hour * life.age_hours, true)]
        {
            let mut left = mean - exponential(&mut self.random);
            while left >= 0.0 {
                let defect = self.defect(tips);
                if before_run { &mut self.before_run } else { &mut self.at_manufacture }.push(defect);
                left -= exponential(&mut self.random);
            }
        }
        // Faults that occurred before the run come in random order.
        for at in (1..self.before_run.len()).rev() {
            let other = self.random.random_range(0..=at);
            self.before_run.swap(at, other);
        }
    }

    /// Draws a defect at a random place.
    fn defect(&mut self, tips: &Tips) -> Fault {
        let (shape, random) = (&self.plan.defects, &mut self.random);
        let mut left = random.random::<f64>() * shape.tips.iter().sum::<f64>();
        let is_drawn = |share: &f64| {
            left -= share;
            left < 0.0
        };
        let size = 1 + shape.tips.iter().position(is_drawn).unwrap_or(0);
        let first = random.random_range(0..tips.count());
        let hit = tips.neighbours(first, size, |count| random.random_range(0..count));
        // A defect may begin before the region or end after it, so that each place is affected with
        // the same probability.
        let mut within = |[low, high]: [u32; 2], length: u32| {
            let end = random.random_range(u64::from(low) + 1..u64::from(high) + u64::from(length));
            [end.saturating_sub(u64::from(length)).max(low.into()) as u32, end.min(high.into()) as u32]
        };
        let everywhere = tips.everywhere();
        let cylinders = within(everywhere.cylinders, shape.cylinders);
        let rows = within(everywhere.rows, shape.rows);
        Fault::Tips { tips: hit, area: Area { cylinders, rows }, is_failure: false }
    }

    /// Begins the run at `now` and draws the times of the first random faults.
    pub fn begin(&mut self, now: Time, tips: Option<&Tips>) {
        self.begun = now;
        if let Some(tips) = tips {
            self.drawn = [0, 1].map(|which| self.next_drawn(which, now, tips));
        }
    }

    fn next_drawn(&mut self, which: usize, now: Time, tips: &Tips) -> Time {
        let life = &self.plan.life;
        let per_hour =
            [life.tip_failures_per_tip_hour * f64::from(tips.count()), life.media_defects_per_hour][which];
        if per_hour == 0.0 {
            return Time::MAX;
        }
        let wait_s = exponential(&mut self.random) * HOUR_S / per_hour;
        // A later fault would come after the end of all runs.
        if wait_s < 1e9 {
            now + Span::from_s(wait_s)
        } else {
            Time::MAX
        }
    }

    /// True if a fault can still occur during the run.
    pub fn goes_on(&self) -> bool {
        let life = &self.plan.life;
        !self.listed.is_empty() || life.tip_failures_per_tip_hour > 0.0 || life.media_defects_per_hour > 0.0
    }

    /// True if at least one fault occurs at or before `now`.
    pub fn is_due(&self, now: Time) -> bool {
        self.next_listed().min(self.drawn[0]).min(self.drawn[1]) <= now
    }

    fn next_listed(&self) -> Time {
        self.listed.last().map_or(Time::MAX, |(at, _)| self.begun + *at)
    }

    /// Removes and returns the next fault that occurs at or before `now`; `None` if no such fault
    /// remains.
    pub fn next(&mut self, now: Time, tips: Option<&Tips>) -> Option<Fault> {
        if !self.is_due(now) {
            return None;
        }
        let (listed, which) = (self.next_listed(), usize::from(self.drawn[1] < self.drawn[0]));
        let drawn = self.drawn[which];
        if listed <= drawn {
            return self.listed.pop().map(|(_, fault)| fault);
        }
        let tips = tips?;
        self.drawn[which] = self.next_drawn(which, drawn, tips);
        if which == 1 {
            return Some(self.defect(tips));
        }
        let tip = self.random.random_range(0..tips.count());
        Some(Fault::Tips { tips: vec![tip], area: tips.everywhere(), is_failure: true })
    }
}

/// Draws a random number from the exponential distribution with mean 1.
fn exponential(random: &mut impl Rng) -> f64 {
    -libm::log1p(-random.random::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::load;
    use crate::faults::{DefectShape, Life, Manufacture, TipFailure};
    use crate::params::DeviceParams;

    #[test]
    fn what_is_to_break_at_an_instant_is_broken_then() {
        let bad = |lbn, at_s| BadBlocks { lbn, blocks: 1, at_s };
        let plan = FaultPlan {
            bad_blocks: vec![bad(1, Some(2.0)), bad(2, Some(1.0)), bad(3, None)],
            ..FaultPlan::default()
        };
        let mut schedule = Schedule::new(&plan, None, 10, 0).unwrap();
        let blocks = |lbn| Fault::Blocks { lbn, blocks: 1 };
        assert_eq!(schedule.at_manufacture, [blocks(3)]);
        let begun = Time(500);
        schedule.begin(begun, None);
        let second = Span::from_s(1.0);
        assert_eq!(schedule.next(Time(499) + second, None), None);
        assert_eq!(schedule.next(begun + second, None), Some(blocks(2)));
        assert_eq!(schedule.next(begun + second, None), None);
        assert!(schedule.goes_on());
        assert_eq!(schedule.next(begun + second + second, None), Some(blocks(1)));
        assert!(!schedule.goes_on());
    }

    /// Checks that defects cover each cylinder and each row with the same frequency, also at the
    /// edges of the region.
    #[test]
    fn defects_hit_the_edges_as_often_as_the_middle() {
        let set = "stroke_x_nm = 480".parse().expect("the text is valid TOML");
        let DeviceParams::Mems(params) = load("osdi00", set).unwrap().into_parameters() else {
            panic!("osdi00 is a MEMS device")
        };
        let (drawn, cylinders, rows) = (20_000, 5, 3);
        let plan = FaultPlan {
            manufacture: Manufacture { media_defects: f64::from(drawn), ..Manufacture::default() },
            defects: DefectShape { cylinders, rows, ..DefectShape::default() },
            ..FaultPlan::default()
        };
        let tips = Tips::new(&params, &plan).unwrap();
        let schedule = Schedule::new(&plan, Some(&tips), 10, 0).unwrap();
        let [across, along] = [tips.everywhere().cylinders[1], tips.everywhere().rows[1]];
        assert!(across > cylinders && along > rows);
        let mut hits = [vec![0u32; across as usize], vec![0u32; along as usize]];
        for fault in &schedule.at_manufacture {
            let Fault::Tips { area, .. } = fault else { panic!("expected a defect") };
            for (count, [from, to]) in hits.iter_mut().zip([area.cylinders, area.rows]) {
                count[from as usize..to as usize].iter_mut().for_each(|count| *count += 1);
            }
        }
        for (hits, length) in hits.iter().zip([cylinders, rows]) {
            let share = f64::from(length) / (hits.len() as f64 + f64::from(length) - 1.0);
            let mean = schedule.at_manufacture.len() as f64 * share;
            let most = 5.0 * libm::sqrt(mean * (1.0 - share));
            assert!(hits.iter().all(|&hits| (f64::from(hits) - mean).abs() < most), "{mean} {hits:?}");
        }
    }

    /// Checks that faults come in the order of their times, whether time advances in small steps or
    /// in one step.
    #[test]
    fn what_breaks_does_not_depend_on_when_it_is_asked_for() {
        let DeviceParams::Mems(params) = load("osdi00", toml::Table::new()).unwrap().into_parameters() else {
            panic!("osdi00 is a MEMS device")
        };
        let plan = FaultPlan {
            life: Life { tip_failures_per_tip_hour: 0.5, media_defects_per_hour: 4000.0, age_hours: 0.0 },
            tip_failures: (0..40).map(|tip| TipFailure { tip, at_s: Some(f64::from(tip / 2)) }).collect(),
            ..FaultPlan::default()
        };
        let tips = Tips::new(&params, &plan).unwrap();
        let found = |step_s: f64| {
            let mut schedule = Schedule::new(&plan, Some(&tips), 10, 0).unwrap();
            schedule.begin(Time(500), Some(&tips));
            let mut faults = Vec::new();
            for step in 0..=libm::ceil(20.0 / step_s) as u64 {
                let now = Time(500) + Span::from_s((step as f64 * step_s).min(20.0));
                faults.extend(std::iter::from_fn(|| schedule.next(now, Some(&tips))));
            }
            faults
        };
        let one_by_one = found(1e-3);
        assert_eq!(one_by_one, found(20.0));
        let defects =
            one_by_one.iter().filter(|fault| matches!(fault, Fault::Tips { is_failure: false, .. }));
        assert!(defects.count() > 5 && one_by_one.len() > 55);
        let listed = |tip: u32| {
            let is_it = |fault: &Fault| matches!(fault, Fault::Tips { tips, .. } if *tips == [tip]);
            one_by_one.iter().position(is_it).unwrap()
        };
        assert!((1..40).all(|tip| listed(tip - 1) < listed(tip)), "in the order of the plan");
    }
}
