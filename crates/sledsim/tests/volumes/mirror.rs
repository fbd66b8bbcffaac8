//! Mirrors: all data survive any power failure, and failures of devices as long as one device is in step.

use std::sync::LazyLock;

use sledsim::volume::Kept;

use crate::campaign;
use crate::kinds::Kind;

fn two() -> Kind {
    Kind {
        reads: 200_000,
        reached: &["degraded_reads", "writes_waited", "notes_written", "passed_sectors"],
        ..Kind::of("mirror")
    }
}

pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    vec![
        two(),
        Kind { options: "intent_s=0.002,read=round-robin", ..two() },
        Kind {
            options: "devices=3,read=nearest,intent_s=1,rebuild_mb_s=50",
            members: &[&[301, 301, 301]],
            after_failure: |_, down| if down.len() < 2 { Kept::All } else { Kept::Refused },
            ..two()
        },
        Kind {
            options: "failed_device=0,read=split",
            after_failure: |member, _| if member == 0 { Kept::All } else { Kept::Refused },
            failures: false,
            reads: 50_000,
            reached: &["degraded_reads"],
            ..two()
        },
        Kind { options: "failed_device=0,replaced=yes,read=first", reads: 50_000, ..two() },
    ]
});

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
