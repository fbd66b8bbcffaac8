//! The client of this crate, which measures the latencies that any client of the server sees.

mod floor;
mod link;
mod probe;

pub use floor::{floor, FLOOR_REQUESTS};
pub use link::{Closer, Link};
pub use probe::{Probe, PROBE_BYTES};

/// Mix the bits of a number, so that similar numbers give different results (Steele et al., Fast splittable
/// pseudorandom number generators, 2014).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
