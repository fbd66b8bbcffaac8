//! Merged requests: what is acknowledged is there, whatever went together.

use crate::campaign;
use crate::kinds::{Kept, Kind, Start};

const ONE: Kind = Kind {
    volume: "merge",
    options: "",
    members: &[&[300]],
    start: Start::Home(0),
    largest: 24,
    metadata: 0.1,
    after_power: |_| Kept::All,
    after_failure: |_, _| Kept::Refused,
    failures: false,
    reads: 50_000,
    reached: &["merged_requests"],
};

pub const KINDS: &[Kind] = &[ONE, Kind { options: "depth=3,most_kib=8,hold_ms=0.5", largest: 5, ..ONE }];

#[test]
fn merge() {
    campaign::run(&KINDS[0]);
}

#[test]
fn merge_of_few_after_a_while() {
    campaign::run(&KINDS[1]);
}
