//! Sleds one behind the other: what is acknowledged is there, and each is needed.

use crate::campaign;
use crate::kinds::{Kept, Kind, Start};

pub const KINDS: &[Kind] = &[Kind {
    volume: "sleds",
    options: "devices=3",
    members: &[&[100, 3, 140]],
    start: Start::Zeros,
    largest: 30,
    metadata: 0.1,
    after_power: |_| Kept::All,
    after_failure: |_, _| Kept::Refused,
    failures: false,
    reads: 60_000,
    reached: &[],
}];

#[test]
fn sleds() {
    campaign::run(&KINDS[0]);
}
