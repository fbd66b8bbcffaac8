//! How a write within a stripe gets its parity.

use std::ops::Range;

use super::method::Method;
use super::target::Target;
use super::Raid5;

/// How the targets at both ends of a write can be written; if there is one target only, the first two.
const CHOICES: [[Method; 2]; 4] = [
    [Method::Rmw, Method::Rmw],
    [Method::Reconstruct, Method::Rmw],
    [Method::Rmw, Method::Reconstruct],
    [Method::Reconstruct, Method::Reconstruct],
];

impl Raid5 {
    /// How each target of a write is written. Whole stripes go one way, so that only the first target and the last one
    /// may leave a choice.
    ///
    /// Devices read side by side: two requests to one of them take longer than one to each of several.
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

    /// Wants what the parity needs of each target of a write.
    pub(super) fn want_old(&mut self, range: &Range<u64>, methods: &[Method]) {
        for (target, method) in Target::all(&self.layout, range).zip(methods) {
            let layout = self.layout;
            self.want_target(&target, method.reads_parity(), |column| target.read(&layout, *method, column));
        }
    }

    /// Wants these rows of the columns of a target, and perhaps its parity, of the devices that hold what they should.
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
