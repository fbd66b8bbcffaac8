//! How a write within a stripe gets its parity.

use std::ops::Range;

use super::target::Target;
use super::Raid5;
use crate::error::Result;
use crate::options::{OptionRow, Options};

pub(super) const OPTION: OptionRow = OptionRow {
    name: "write",
    unit: "",
    default: "auto",
    description:
        "how a part of a stripe is written: rmw (reads the old data and the old parity), reconstruct (reads \
                  the other data), auto (what a device reads in fewer requests, one after the other; if as many, what \
                  is fewer requests in all; if as many, rmw)",
};

pub(super) const MERGE_GAP: OptionRow = OptionRow {
    name: "merge_gap_kib",
    unit: "KiB",
    default: "16",
    description:
        "what is wanted of a device and lies at most so far apart is one request to it, which goes over what \
                  lies between, such as a strip with parity (DiskSim: 16); 0: only what touches",
};

/// What is to be preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    Auto,
    Rmw,
    Reconstruct,
}

pub(super) fn preference(options: &Options) -> Result<Preference> {
    options.one_of(
        "write",
        &[("auto", Preference::Auto), ("rmw", Preference::Rmw), ("reconstruct", Preference::Reconstruct)],
    )
}

/// How the parity comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Method {
    /// There is nobody to hold it.
    #[default]
    NoParity,
    /// From all the data, which are new.
    Full,
    /// From the old parity and what changes: old data are read where new ones are written.
    Rmw,
    /// From all the data: they are read where no new ones are written.
    Reconstruct,
    /// From all the data, after those of the device that is missing have been found from all others.
    Everything,
}

impl Method {
    /// Whether the old parity is read.
    pub(super) fn reads_parity(self) -> bool {
        matches!(self, Self::Rmw | Self::Everything)
    }
}

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
        let preferred =
            if self.preference == Preference::Reconstruct { Method::Reconstruct } else { Method::Rmw };
        let mut open = [None; 2];
        methods.clear();
        for (at, target) in Target::all(&self.layout, range).enumerate() {
            let only = target.only_method(&self.layout, |device| self.usable(device, target.stripe));
            if only.is_none() {
                open[usize::from(open[0].is_some())] = Some(at);
            }
            methods.push(only.unwrap_or(preferred));
        }
        if self.preference != Preference::Auto || open[0].is_none() {
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
            let parity = self.layout.parity(target.stripe);
            for column in 0..self.layout.columns() {
                let device = self.layout.behind(parity, column);
                if self.usable(device, target.stripe) {
                    let rows = target.read(&self.layout, *method, column);
                    self.wanted.want(device, self.layout.below(target.stripe, &rows));
                }
            }
            if method.reads_parity() {
                self.wanted.want(parity, self.layout.below(target.stripe, &target.rows));
            }
        }
    }
}

fn take_up(choice: &[Method; 2], open: [Option<usize>; 2], methods: &mut [Method]) {
    for (at, method) in open.into_iter().zip(choice) {
        at.into_iter().for_each(|at| methods[at] = *method);
    }
}
