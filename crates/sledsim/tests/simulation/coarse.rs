//! Workloads in which events coincide, because all times are whole milliseconds: one block of the drum passes per
//! millisecond, and requests arrive when others complete, often several at the same time.

use std::iter;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::device::load;
use sledsim::sched::Policy;
use sledsim::system::System;
use sledsim::trace::{Op, Trace, TraceRow};
use sledsim::volume::VOLUMES;

use crate::own_device::register;
use crate::systems::system;

pub const MS: u64 = 1_000_000;

/// Parameters of a drum of 400 MB: the eight blocks of a track pass in 8 ms.
const DRUM: &str = "turn_ms = 8.0, track_blocks = 8, tracks = 100000";
/// Rate of a shared bus on which a block crosses in one millisecond.
pub const BUS: &str = "bus_mb_per_s = 0.512";

/// Kinds of volumes whose members share a bus, each with options that are whole milliseconds.
pub const ON_A_BUS: &[(&str, &str)] = &[
    ("sleds", "devices = 2"),
    ("stripe", "devices = 3\nstripe_unit_kib = 1"),
    ("mirror", "intent_s = 0.01\nfailed_device = 1\nreplaced = \"yes\""),
    ("raid5", "stripe_unit_kib = 1\nintent_s = 0.01"),
    ("write-buffer", "buffer_mb = 0.04\nclean_after_ms = 2"),
    ("metadata", "metadata_mb = 20\nflush_every_s = 0.05"),
    ("metadata+write-buffer", "metadata_mb = 20\nflush_every_s = 0.05\nbuffer_mb = 0.04\nclean_after_ms = 1"),
    ("virtual-disk", "segment_kib = 64\ncache_mb = 3\ndirty_low = 0"),
];

/// The drum as a single device under a policy.
pub fn drum(policy: &str) -> System {
    register().expect("the name is free");
    let table = DRUM.replace(", ", "\n").parse().expect("it is TOML");
    let policy = Policy::parse(policy).expect("the policy is known");
    System::device(load("drum", table).expect("it can be made"), &policy, None)
}

/// A drum as a member of a volume, in TOML.
pub fn member() -> String {
    format!("{{ device = \"drum\", {DRUM} }}")
}

/// A volume of this kind with equal members, which `member` gives in TOML.
pub fn volume(kind: &str, options: &str, member: &str) -> System {
    register().expect("the name is free");
    let roles = VOLUMES.find(kind).expect("it is known").make.roles;
    let members: String = roles.iter().map(|role| format!("{} = {member}\n", role.name)).collect();
    system(kind, &format!("{options}\n{members}"), "sptf")
}

/// Random requests of one to six blocks near one another; each arrives 0 to `most_ms` whole milliseconds after the
/// previous one.
pub fn requests(sectors: u64, most_ms: u64, count: usize, seed: u64) -> Trace {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut now_ns = 0;
    let one = || {
        now_ns += (rng.random_range(0..=most_ms) * MS) as i64;
        let blocks = rng.random_range(1..=6);
        let lbn = rng.random_range(0..sectors.min(200) - blocks);
        let op = if rng.random_bool(0.5) { Op::Write } else { Op::Read };
        let metadata = rng.random_bool(0.3);
        let (lbn, blocks) = (lbn as i64, blocks as i32);
        TraceRow { arrival_ns: now_ns, lbn, blocks, op, metadata, ..TraceRow::default() }
    };
    let mut trace = Trace::default();
    iter::repeat_with(one).take(count).for_each(|row| trace.push(row));
    trace
}
