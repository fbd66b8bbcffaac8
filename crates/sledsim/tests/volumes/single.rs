//! One device: what is acknowledged is there.

use crate::campaign;
use crate::kinds::{Kept, Kind, Start};

pub const KINDS: &[Kind] = &[Kind {
    volume: "single",
    options: "",
    members: &[&[300]],
    start: Start::Home(0),
    largest: 24,
    metadata: 0.1,
    after_power: |_| Kept::All,
    after_failure: |_, _| Kept::Refused,
    failures: false,
    reads: 50_000,
    reached: &[],
}];

#[test]
fn single() {
    campaign::run(&KINDS[0]);
}
