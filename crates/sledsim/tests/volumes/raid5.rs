//! RAID-5: all is kept when one device fails, or when the power is lost while all are there. Power lost while one is
//! missing or being filled costs nothing only if no write is in flight.

use crate::campaign;
use crate::kinds::{Kept, Kind, Start};

const FIVE: Kind = Kind {
    volume: "raid5",
    options: "stripe_unit_kib=4",
    members: &[&[83, 83, 83, 83, 83]],
    start: Start::Zeros,
    // More than two stripes.
    largest: 80,
    metadata: 0.1,
    after_power: |down| if down.is_empty() { Kept::All } else { Kept::AllIfQuiet },
    after_failure: |_, down| if down.is_empty() { Kept::All } else { Kept::Refused },
    failures: true,
    reads: 200_000,
    reached: &[
        "rmw_writes",
        "reconstruct_writes",
        "full_writes",
        "everything_writes",
        "no_parity_writes",
        "degraded_reads",
        "accesses_waited",
        "notes_written",
        "passed_sectors",
    ],
};

const THREE: &[&[u64]] = &[&[103, 103, 103]];

pub const KINDS: &[Kind] = &[
    FIVE,
    Kind { options: "devices=3,stripe_unit_kib=2,intent_s=0.002", members: THREE, largest: 24, ..FIVE },
    Kind { options: "stripe_unit_kib=8,write=rmw,intent_s=1,rebuild_mb_s=50", ..FIVE },
    Kind { options: "stripe_unit_kib=4,write=reconstruct", ..FIVE },
    Kind {
        options: "stripe_unit_kib=4,failed_device=1",
        after_power: |_| Kept::AllIfQuiet,
        after_failure: |member, _| if member == 1 { Kept::All } else { Kept::Refused },
        failures: false,
        reads: 50_000,
        reached: &["everything_writes", "no_parity_writes", "degraded_reads"],
        ..FIVE
    },
    Kind { options: "stripe_unit_kib=4,failed_device=4,replaced=yes", reads: 50_000, ..FIVE },
];

#[test]
fn raid5() {
    campaign::run(&KINDS[0]);
}

#[test]
fn raid5_of_three_that_notes_its_intent() {
    campaign::run(&KINDS[1]);
}

#[test]
fn raid5_that_reads_old_data() {
    campaign::run(&KINDS[2]);
}

#[test]
fn raid5_that_reads_other_data() {
    campaign::run(&KINDS[3]);
}

#[test]
fn raid5_without_a_device() {
    campaign::run(&KINDS[4]);
}

#[test]
fn raid5_that_is_filled_from_the_start() {
    campaign::run(&KINDS[5]);
}
