//! Striping: what is acknowledged is there, and each device is needed.

use crate::campaign;
use crate::kinds::{Kept, Kind, Start};

const FOUR: Kind = Kind {
    volume: "stripe",
    options: "devices=4,stripe_unit_kib=4",
    members: &[&[84, 84, 84, 84]],
    start: Start::Zeros,
    // More than two rounds over all devices.
    largest: 80,
    metadata: 0.1,
    after_power: |_| Kept::All,
    after_failure: |_, _| Kept::Refused,
    failures: false,
    reads: 100_000,
    reached: &[],
};

pub const KINDS: &[Kind] =
    &[FOUR, Kind { options: "devices=3,stripe_unit_kib=1", members: &[&[61, 61, 61]], largest: 24, ..FOUR }];

#[test]
fn stripe() {
    campaign::run(&KINDS[0]);
}

#[test]
fn stripe_of_small_units() {
    campaign::run(&KINDS[1]);
}
