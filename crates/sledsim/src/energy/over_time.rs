//! Energy over time: the energy of each account in many steps of equal length.

use super::{IdleTime, ServiceEnergy, USES};
use crate::time::{Span, Time};

/// Maximum number of steps. When a run reaches it, each pair of neighbouring steps is merged, so that steps are
/// twice as long.
const MOST_STEPS: u64 = 512;

/// Energy of one device over a run, for each account in [`USES`].
///
/// The energy of a period that is longer than a step is spread evenly over the period. The length of a step is
/// a power of two in nanoseconds. When there are 512 steps, pairs are merged, so all except very short runs
/// have 256 to 512 steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnergyOverTime {
    begun: Time,
    /// Binary logarithm of the length of a step in nanoseconds.
    log2_ns: u32,
    steps: Vec<[f64; USES.len()]>,
}

impl EnergyOverTime {
    /// Creates an empty record of a run that begins at `now`.
    #[must_use]
    pub fn new(now: Time) -> Self {
        Self { begun: now, ..Self::default() }
    }

    /// Time at which the first step starts.
    #[must_use]
    pub fn begun(&self) -> Time {
        self.begun
    }

    /// Length of each step.
    #[must_use]
    pub fn step(&self) -> Span {
        Span(1 << self.log2_ns)
    }

    /// Energy in joules of an account in each step; `number` is the index of the account in
    /// [`USES`].
    pub fn of_use(&self, number: usize) -> impl Iterator<Item = f64> + '_ {
        self.steps.iter().map(move |step| step[number])
    }

    /// Adds the energy of a service that starts at `start` and lasts `lasts`.
    pub fn serve(&mut self, start: Time, lasts: Span, energy: &ServiceEnergy) {
        self.spread(start, lasts, 0, &energy.values());
    }

    /// Adds the energy of an idle time that starts at `start`.
    pub fn idle(&mut self, start: Time, time: &IdleTime) {
        let [(working, work_j), parts @ ..] = time.parts();
        if work_j != 0.0 {
            self.spread(start, working, 0, &time.work.values());
        }
        let mut at = start + working;
        for (number, (lasts, joules)) in parts.into_iter().enumerate() {
            if joules != 0.0 {
                self.spread(at, lasts, ServiceEnergy::NAMES.len() + number, &[joules]);
            }
            at = at + lasts;
        }
    }

    /// Spreads energies evenly over the period that starts at `start` and lasts `lasts`. `joules` are the
    /// energies of consecutive accounts, beginning with the account with index `first`.
    #[inline]
    fn spread<const N: usize>(&mut self, start: Time, lasts: Span, first: usize, joules: &[f64; N]) {
        let (from_ns, to_ns) = (start.since(self.begun).0, (start + lasts).since(self.begun).0);
        if to_ns >> self.log2_ns >= self.steps.len() as u64 {
            self.reach(to_ns);
        }
        let (from, to) = (from_ns >> self.log2_ns, to_ns.saturating_sub(1).max(from_ns) >> self.log2_ns);
        if from == to {
            return self.add(from, 1.0, first, joules);
        }
        let per_ns = 1.0 / lasts.0 as f64;
        for step in from..=to {
            let (begins, ends) = (step << self.log2_ns, (step + 1) << self.log2_ns);
            let inside_ns = ends.min(to_ns) - begins.max(from_ns);
            self.add(step, inside_ns as f64 * per_ns, first, joules);
        }
    }

    #[inline]
    fn add<const N: usize>(&mut self, step: u64, share: f64, first: usize, joules: &[f64; N]) {
        let accounts = self.steps[step as usize][first..]
            .first_chunk_mut::<N>()
            .expect("a step has an account for each use");
        for (account, joules) in accounts.iter_mut().zip(joules) {
            *account += share * joules;
        }
    }

    /// Adds steps, or merges steps, until a time `ns` nanoseconds after the start of the run lies within a
    /// step.
    #[cold]
    fn reach(&mut self, ns: u64) {
        while ns >> self.log2_ns >= MOST_STEPS {
            self.log2_ns += 1;
            let pair = |pair: &[[f64; USES.len()]]| {
                let mut sum = pair[0];
                pair[1..]
                    .iter()
                    .for_each(|next| sum.iter_mut().zip(next).for_each(|(sum, next)| *sum += next));
                sum
            };
            self.steps = self.steps.chunks(2).map(pair).collect();
        }
        let steps = (ns >> self.log2_ns) as usize + 1;
        if self.steps.len() < steps {
            self.steps.resize(steps, [0.0; USES.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::IdleEnergy;
    use proptest::prelude::*;

    fn total_j(over_time: &EnergyOverTime) -> f64 {
        (0..USES.len()).flat_map(|number| over_time.of_use(number).collect::<Vec<_>>()).sum()
    }

    #[test]
    fn a_constant_power_is_constant() {
        let mut over_time = EnergyOverTime::new(Time(1000));
        let services = 7000_u64;
        for at in 0..services {
            let energy = ServiceEnergy { tips_j: 3e-6, ..ServiceEnergy::default() };
            over_time.serve(Time(1000 + at * 3000), Span(3000), &energy);
        }
        let per_step_j = over_time.step().as_s(); // 3 uJ in 3 us are 1 W.
        let tips: Vec<f64> = over_time.of_use(3).collect();
        let (last, whole) = tips.split_last().expect("the run has at least one step");
        assert!((256..512).contains(&whole.len()), "{} steps", whole.len());
        assert!(whole.iter().all(|joules| (joules / per_step_j - 1.0).abs() < 1e-9));
        assert!(*last <= per_step_j * (1.0 + 1e-9));
    }

    #[test]
    fn an_idle_time_has_its_parts_one_after_the_other() {
        let mut over_time = EnergyOverTime::new(Time::ZERO);
        let energy = IdleEnergy { idle_j: 1.0, shutdown_j: 2.0, inactive_j: 3.0 };
        over_time.idle(
            Time(10),
            &IdleTime {
                working: Span(10),
                work: ServiceEnergy { tips_j: 4.0, ..ServiceEnergy::default() },
                ready: Span(20),
                stopping: Span(30),
                at_rest: Span(40),
                energy,
                left_j: 0.0,
            },
        );
        let parts: Vec<Vec<f64>> =
            [6, 7, 8, 3].into_iter().map(|number| over_time.of_use(number).collect()).collect();
        let lies = |part: &[f64]| (part.iter().position(|j| *j > 0.0), part.iter().rposition(|j| *j > 0.0));
        assert_eq!(over_time.step(), Span(1));
        assert_eq!(lies(&parts[0]), (Some(20), Some(39)));
        assert_eq!(lies(&parts[1]), (Some(40), Some(69)));
        assert_eq!(lies(&parts[2]), (Some(70), Some(109)));
        assert_eq!(lies(&parts[3]), (Some(10), Some(19)));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(services in prop::collection::vec((0_u64..1 << 40, 0_u64..1 << 30, 0.0..1.0), 1..300)) {
            let mut over_time = EnergyOverTime::new(Time(5));
            let (mut now, mut sum_j) = (Time(5), 0.0);
            for (gap, lasts, joules) in services {
                now = now + Span(gap >> (gap % 40));
                let energy = ServiceEnergy { seek_j: joules, startup_j: 0.5 * joules, ..ServiceEnergy::default() };
                over_time.serve(now, Span(lasts), &energy);
                sum_j += 1.5 * joules;
                now = now + Span(lasts);
            }
            prop_assert!((total_j(&over_time) - sum_j).abs() <= 1e-9 * sum_j);
            prop_assert!(over_time.of_use(0).count() as u64 <= MOST_STEPS);
        }
    }
}
