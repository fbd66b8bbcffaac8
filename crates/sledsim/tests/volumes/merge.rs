//! Requests that a volume merges: acknowledged data are not lost, whatever requests are merged.

use std::sync::LazyLock;

use crate::campaign;
use crate::kinds::Kind;

fn one() -> Kind {
    Kind { reads: 50_000, reached: &["merged_requests"], ..Kind::of("merge") }
}

pub static KINDS: LazyLock<Vec<Kind>> =
    LazyLock::new(|| vec![one(), Kind { options: "depth=3,most_kib=8,hold_ms=0.5", largest: 5, ..one() }]);

#[test]
fn merge() {
    campaign::run(&KINDS[0]);
}

#[test]
fn merge_of_few_after_a_while() {
    campaign::run(&KINDS[1]);
}
