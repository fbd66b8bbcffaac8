//! Striping: no acknowledged data are lost in a power failure, and the volume stops if any device fails.

use std::sync::LazyLock;

use crate::campaign;
use crate::kinds::Kind;

fn four() -> Kind {
    Kind { reads: 100_000, reached: &[], ..Kind::of("stripe") }
}

pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    vec![
        four(),
        Kind { options: "devices=3,stripe_unit_kib=1", members: &[&[61, 61, 61]], largest: 24, ..four() },
    ]
});

#[test]
fn stripe() {
    campaign::run(&KINDS[0]);
}

#[test]
fn stripe_of_small_units() {
    campaign::run(&KINDS[1]);
}
