//! The choice of the method by which a write within a stripe gets its parity.

use std::ops::Range;

use super::method::Method;
use super::target::Target;
use super::Raid5;

/// Methods for the targets at both ends of a write; the first two pairs also serve a single target.
const CHOICES: [[Method; 2]; 4] = [
    [Method::Rmw, Method::Rmw],
    [Method::Reconstruct, Method::Rmw],
    [Method::Rmw, Method::Reconstruct],
    [Method::Reconstruct, Method::Reconstruct],
];

impl Raid5 {
    /// Chooses the method of each target of a write. Whole stripes have one method, so that only the first
    /// and the last target leave a choice.
    ///
    /// Devices read in parallel: two requests to one device take longer than one to each of several.
    pub(super) fn choose(&mut self, range: &Range<u64>, methods: &mut Vec<Method>) {
        let preferred = self.preferred.unwrap_or(Method::Rmw);
        let mut open = [None; 2];
        methods.clear();
        for (at, target) in Target::all(&self.layout, range).enumerate() {
            let only = target.only_method(&self.layout, |device| self.usable(device, target.stripe));
            if only.is_none() {
                open[usize::from(open[0].is_some())] = Some(at);
            }
            methods.push(only.unwrap_or(preferred));
        }
        if self.preferred.is_some() || open[0].is_none() {
            return;
        }
        let choices = if open[1].is_none() { &CHOICES[..2] } else { &CHOICES[..] };
        let best = choices.iter().min_by_key(|choice| {
            take_up(choice, open, methods);
            self.want_old(range, methods);
            self.wanted.parts(self.layout.gap)
        });
        take_up(best.expect("there are choices"), open, methods);
    }

    /// Adds the sectors that the parity of each target needs to the wanted sectors.
    pub(super) fn want_old(&mut self, range: &Range<u64>, methods: &[Method]) {
        for (target, method) in Target::all(&self.layout, range).zip(methods) {
            let layout = self.layout;
            self.want_target(&target, method.reads_parity(), |column| target.read(&layout, *method, column));
        }
    }

    /// Adds these rows of the columns of a target, and its parity if `parity`, of devices with correct data
    /// to the wanted sectors.
    pub(super) fn want_target(&mut self, target: &Target, parity: bool, rows: impl Fn(u64) -> Range<u64>) {
        let (layout, stripe) = (self.layout, target.stripe);
        let holder = layout.parity(stripe);
        let columns = (0..layout.columns()).map(|column| (layout.behind(holder, column), rows(column)));
        for (device, rows) in columns.chain(parity.then(|| (holder, target.rows.clone()))) {
            if self.usable(device, stripe) {
                self.wanted.want(device, layout.below(stripe, &rows));
            }
        }
    }
}

fn take_up(choice: &[Method; 2], open: [Option<usize>; 2], methods: &mut [Method]) {
    for (at, method) in open.into_iter().zip(choice) {
        at.into_iter().for_each(|at| methods[at] = *method);
    }
}
