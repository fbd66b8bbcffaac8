//! Choice of the methods by which a write computes the parity of its targets.

use std::ops::Range;

use super::method::Method;
use super::target::Target;
use super::Raid5;

/// Pairs of methods to compare, if the first and the last target of a write can each use two methods. If only one
/// target can, the first two pairs are compared.
const CHOICES: [[Method; 2]; 4] = [
    [Method::Rmw, Method::Rmw],
    [Method::Reconstruct, Method::Rmw],
    [Method::Rmw, Method::Reconstruct],
    [Method::Reconstruct, Method::Reconstruct],
];

impl Raid5 {
    /// Chooses the method for each target of a write to the sectors `range`. Only the first and the last target can
    /// have two possible methods, because all others cover a whole stripe.
    ///
    /// The pair of methods with the fewest parts on one device wins, because devices read in parallel; then the pair
    /// with the fewest parts in total.
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

    /// Adds the sectors that must be read to compute the new parity, for every target of a write, to `wanted`.
    pub(super) fn want_old(&mut self, range: &Range<u64>, methods: &[Method]) {
        for (target, method) in Target::all(&self.layout, range).zip(methods) {
            let layout = self.layout;
            self.want_target(&target, method.reads_parity(), |column| target.read(&layout, *method, column));
        }
    }

    /// Adds sectors of `target` to `wanted`: in each column those that `rows` returns and, if `parity` is true, also
    /// the parity. Devices without correct data are left out.
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
