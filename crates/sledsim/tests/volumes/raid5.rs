//! RAID-5: all data survive the failure of one device, and a power failure while all devices are present. While a
//! device is missing or being rebuilt, a power failure loses no data only if no write is outstanding.

use std::sync::LazyLock;

use sledsim::volume::Kept;

use crate::campaign;
use crate::kinds::Kind;

fn five() -> Kind {
    Kind {
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
        ..Kind::of("raid5")
    }
}

const THREE: &[&[u64]] = &[&[103, 103, 103]];

pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    vec![
        five(),
        Kind { options: "devices=3,stripe_unit_kib=2,intent_s=0.002", members: THREE, largest: 24, ..five() },
        Kind { options: "stripe_unit_kib=8,write=rmw,intent_s=1,rebuild_mb_s=50", ..five() },
        Kind { options: "stripe_unit_kib=4,write=reconstruct", ..five() },
        Kind {
            options: "stripe_unit_kib=4,failed_device=1",
            after_power: |_| Kept::AllIfQuiet,
            after_failure: |member, _| if member == 1 { Kept::All } else { Kept::Refused },
            failures: false,
            reads: 50_000,
            reached: &["everything_writes", "no_parity_writes", "degraded_reads"],
            ..five()
        },
        Kind { options: "stripe_unit_kib=4,failed_device=4,replaced=yes", reads: 50_000, ..five() },
    ]
});

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
