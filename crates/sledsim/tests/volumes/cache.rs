//! A cache in memory before a device. A cache that writes through loses no data; one that writes back loses the data
//! that the device has not yet received.

use std::sync::LazyLock;

use sledsim::volume::Kept;

use crate::campaign;
use crate::kinds::Kind;

/// A cache of twelve lines of eight sectors, which writes through.
fn through() -> Kind {
    Kind {
        reads: 60_000,
        reached: &[
            "read_hits",
            "read_misses",
            "read_waits",
            "write_hits",
            "write_misses",
            "write_waits",
            "evicted_lines",
            "read_ahead_sectors",
            "read_ahead_used_lines",
            "read_ahead_unused_lines",
        ],
        ..Kind::of("cache")
    }
}

pub fn back() -> Kind {
    Kind {
        options: "cache_mb=0.05,read_ahead_kib=8,writes=back,dirty_ms=5",
        after_power: |_| Kept::PerhapsOlder,
        reached: &["read_hits", "read_waits", "write_hits", "evicted_lines", "written_back_sectors"],
        ..through()
    }
}

pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    vec![
        through(),
        // A cache of two lines, in which hardly anything has room.
        Kind {
            options: "cache_mb=0.0021,line_kib=1,policy=2q",
            reached: &["read_hits", "evicted_lines"],
            ..through()
        },
        back(),
        Kind {
            options: "cache_mb=0.02,writes=back,line_kib=2,policy=arc,dirty_max=100,dirty_ms=1000",
            ..back()
        },
        Kind { options: "cache_mb=0.1,writes=back,line_kib=32,policy=clock,dirty_max=10", ..back() },
        Kind { options: "cache_mb=0.0021,writes=back,line_kib=1,dirty_max=0,policy=fifo", ..back() },
    ]
});

#[test]
fn written_through() {
    KINDS[..2].iter().for_each(campaign::run);
}

#[test]
fn written_back() {
    KINDS[2..].iter().for_each(campaign::run);
}
