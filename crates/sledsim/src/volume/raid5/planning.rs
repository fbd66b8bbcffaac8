//! The choice of the method by which each write within a stripe gets its parity.

use std::ops::Range;

use super::method::Method;
use super::target::Target;
use super::Raid5;

/// Methods for the two targets that leave a choice, at both ends of a write; if only one target leaves a
/// choice, the first two pairs apply.
const CHOICES: [[Method; 2]; 4] = [
    [Method::Rmw, Method::Rmw],
    [Method::Reconstruct, Method::Rmw],
    [Method::Rmw, Method::Reconstruct],
    [Method::Reconstruct, Method::Reconstruct],
];

impl Raid5 {
    /// Chooses the method of each target of a write. Only the first and the last target may leave a choice,
    /// because all others cover a whole stripe.
    ///
    /// Devices read in parallel, so that two requests to one device take longer than one request to each of
    /// several devices.
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
        take_up(best.expect("at least two pairs of methods are compared"), open, methods);
    }

    /// Adds the sectors from which the new parity of each target is computed to the wanted sectors.
    pub(super) fn want_old(&mut self, range: &Range<u64>, methods: &[Method]) {
        for (target, method) in Target::all(&self.layout, range).zip(methods) {
            let layout = self.layout;
            self.want_target(&target, method.reads_parity(), |column| target.read(&layout, *method, column));
        }
    }

    /// Adds sectors of a target to the wanted sectors: of each column the sectors that `rows` returns, and
    /// the parity if `parity` is true. Devices without correct data are skipped.
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
