//! Mirrors: all is kept as long as one device is in step, whenever the power is lost.

use crate::campaign;
use crate::kinds::{Kept, Kind, Start};

const TWO: Kind = Kind {
    volume: "mirror",
    options: "",
    members: &[&[301, 301]],
    start: Start::Zeros,
    largest: 24,
    metadata: 0.1,
    after_power: |_| Kept::All,
    after_failure: |_, down| if down.is_empty() { Kept::All } else { Kept::Refused },
    failures: true,
    reads: 200_000,
    reached: &["degraded_reads", "writes_waited", "notes_written", "passed_sectors"],
};

pub const KINDS: &[Kind] = &[
    TWO,
    Kind { options: "intent_s=0.002,read=round-robin", ..TWO },
    Kind {
        options: "devices=3,read=nearest,intent_s=1,rebuild_mb_s=50",
        members: &[&[301, 301, 301]],
        after_failure: |_, down| if down.len() < 2 { Kept::All } else { Kept::Refused },
        ..TWO
    },
    Kind {
        options: "failed_device=0,read=split",
        after_failure: |member, _| if member == 0 { Kept::All } else { Kept::Refused },
        failures: false,
        reads: 50_000,
        reached: &["degraded_reads"],
        ..TWO
    },
    Kind { options: "failed_device=0,replaced=yes,read=first", reads: 50_000, ..TWO },
];

#[test]
fn mirror() {
    campaign::run(&KINDS[0]);
}

#[test]
fn mirror_that_notes_its_intent() {
    campaign::run(&KINDS[1]);
}

#[test]
fn mirror_of_three() {
    campaign::run(&KINDS[2]);
}

#[test]
fn mirror_with_one_copy() {
    campaign::run(&KINDS[3]);
}

#[test]
fn mirror_that_is_filled_from_the_start() {
    campaign::run(&KINDS[4]);
}
