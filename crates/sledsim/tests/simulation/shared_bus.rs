//! A bus that all members of a volume share, tested for every kind of volume that can have such a bus.

use std::ops::ControlFlow;

use proptest::prelude::*;
use sledsim::options::OptionRow;
use sledsim::record::Record;
use sledsim::simulation::{Outcome, Simulation};
use sledsim::system::System;
use sledsim::time::Span;
use sledsim::trace::{Op, Trace};
use sledsim::volume::{RoleRow, VolumeRow, VOLUMES};
use sledsim::workload::{Columns, PastEnd, Replay, Workload};

use crate::coarse::{self, ON_A_BUS};
use crate::systems::{mixed, run_system, system, KINDS};

const BUS: &str = "bus_mb_per_s";

fn shares(row: &VolumeRow) -> bool {
    row.options.concat().iter().any(|option: &OptionRow| option.name == BUS)
}

/// Kinds of volumes whose members can share a bus: kind, options, and true if a member is a disk.
fn kinds() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    let rows = KINDS.iter().map(|(kind, options)| (VOLUMES.find(kind).expect("it is known"), *options));
    let sharing = rows.filter(|(row, options)| shares(row) && !options.contains(BUS));
    sharing.map(|(row, options)| (row.name, options, row.make.roles.iter().any(|role| role.name == "disk")))
}

/// A volume whose members share a bus of `mb_per_s` MB/s; `wrap` builds each member from the name of its device.
fn sharing(kind: &str, options: &str, mb_per_s: f64, wrap: &dyn Fn(&str) -> String) -> System {
    let member = |role: &RoleRow| {
        let device = if role.name == "disk" { "\"atlas10k\"" } else { "\"osdi00\"" };
        format!("{} = {}\n", role.name, wrap(device))
    };
    let members: String = VOLUMES.find(kind).expect("it is known").make.roles.iter().map(member).collect();
    system(kind, &format!("{options}\n{BUS} = {mb_per_s}\n{members}"), "sptf")
}

fn plain(device: &str) -> String {
    device.to_owned()
}

fn check_rows(record: &Record, what: &str) {
    for at in 0..record.start_ns.len() {
        assert!(record.start_ns[at] >= record.arrival_ns[at], "{what}: row {at}");
        let phases = record.command_ns[at]
            + record.wait_ns[at]
            + record.positioning_ns[at]
            + record.hold_ns[at]
            + record.switch_ns[at]
            + record.transfer_ns[at]
            + record.bus_ns[at];
        // A write that is complete in the cache of a disk has its phases on the medium later.
        let is_whole = record.source[at] != 4;
        let lasts = record.completion_ns[at] - record.start_ns[at];
        assert!(!is_whole || record.parts[at] == 0 || lasts == phases, "{what}: row {at}");
    }
}

#[test]
fn kinds_of_several_members_have_it() {
    for row in VOLUMES.rows() {
        let many = row.make.roles.len() > 1
            || row.options.concat().iter().any(|option: &OptionRow| option.name == "devices");
        assert_eq!(shares(&row), many, "{}", row.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Phases of each response add up with a shared bus, and a run lasts at least as long as all its data take on the
    /// bus.
    #[test]
    fn of_every_kind(seed in any::<u64>(), mb_per_s in 2.0..60.0_f64) {
        for (kind, options, has_disk) in kinds() {
            let what = format!("{kind} {options} at {mb_per_s}");
            let slow = sharing(kind, options, mb_per_s, &plain);
            let sectors = slow.build().expect("it can be made").sectors();
            let trace = mixed(sectors, if has_disk { 60.0 } else { 300.0 }, 300, seed);
            let outcome = run_system(&slow, &trace);
            check_rows(&outcome.record, &what);
            let bytes: u64 = trace.blocks.iter().map(|blocks| *blocks as u64 * 512).sum();
            let busy_ns = bytes as f64 / mb_per_s * 1e3;
            if ["sleds", "stripe"].contains(&kind) {
                let last_ns = outcome.record.completion_ns.iter().max().expect("there are some");
                prop_assert!((last_ns - trace.arrival_ns[0]) as f64 >= busy_ns - 300.0, "{}", what);
            }
        }
    }

    /// Members that are volumes over one device share the bus like devices. Only the overhead of a write differs, and
    /// is not compared.
    #[test]
    fn members_that_are_volumes_use_it_as_devices_do(seed in any::<u64>(), mb_per_s in 2.0..60.0_f64) {
        for (kind, options, has_disk) in kinds() {
            let single = |device: &str| format!("{{ volume = \"single\", device = {device} }}");
            let flat = sharing(kind, options, mb_per_s, &plain);
            let trace = mixed(flat.build().unwrap().sectors(), if has_disk { 60.0 } else { 300.0 }, 300, seed);
            let [expected, found] = [flat, sharing(kind, options, mb_per_s, &single)].map(|system| {
                let mut outcome: Outcome = run_system(&system, &trace);
                outcome.record.overhead_ns.fill(0);
                outcome
            });
            prop_assert!(found.record == expected.record, "{} {}", kind, options);
            prop_assert_eq!(&found.volumes[0], &expected.volumes[0], "{} {}", kind, options);
            let energy = |outcome: &Outcome| outcome.background_energy_j;
            prop_assert!((energy(&found) - energy(&expected)).abs() <= 1e-9 * energy(&expected), "{} {}", kind, options);
        }
    }
}

/// Runs a trace until no request is pending, which must be the case 100 s after the last arrival.
fn serve_all(system: &System, trace: &Trace, what: &str) {
    let columns = Columns::of(trace);
    let sectors = system.build().expect("it can be made").sectors();
    let mut simulation =
        Simulation::new(system, columns.devices(), Record::default()).expect("it can be made");
    let mut replay = Replay::new(columns, 1.0, sectors, PastEnd::Error).expect("the trace fits");
    while let Some(arrival) = replay.next() {
        simulation.submit(&arrival).expect("it is on the device");
    }
    for _ in 0..1000 {
        if simulation.pending() > 0 {
            let until = simulation.now() + Span(100_000_000);
            simulation.advance(until, &mut |_| ControlFlow::Continue(())).expect("nothing stops it");
        }
    }
    assert_eq!(simulation.pending(), 0, "{what}");
    check_rows(&simulation.into_outcome().record, what);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A drive with a limited queue accepts its next request when the data of an earlier read have crossed the shared
    /// bus, so that all requests complete.
    #[test]
    fn drives_with_queues_take_in_all_requests(seed in any::<u64>(), depth in 1..4_u32, mb_per_s in 0.5..5.0_f64) {
        let drive = format!("{{ device = \"atlas10k\", queue = \"drive\", queue_depth = {depth} }}");
        for (kind, options, _) in kinds() {
            let system = sharing(kind, options, mb_per_s, &|_| drive.clone());
            let trace = mixed(system.build().unwrap().sectors(), 200.0, 100, seed);
            serve_all(&system, &trace, &format!("{kind} {options} at {mb_per_s}"));
        }
    }

    /// Requests to merging members all complete, although a transfer on the bus is no request of the member and is
    /// known to it only by its job. This also holds if background work becomes urgent meanwhile, and if many events
    /// coincide.
    #[test]
    fn members_that_merge_take_in_all_requests(seed in any::<u64>(), depth in 1..4_u32, most_ms in 4..40_u64) {
        let member = format!("{{ volume = \"merge\", depth = {depth}, device = {} }}", coarse::member());
        for (kind, options) in ON_A_BUS {
            let system = coarse::volume(kind, &format!("{options}\n{}", coarse::BUS), &member);
            let trace = coarse::requests(system.build().unwrap().sectors(), most_ms, 100, seed);
            serve_all(&system, &trace, &format!("{kind} {options}"));
        }
    }
}

/// Two sleds of a stripe finish reading 16 sectors at the same time; on the bus of 1 MB/s, the data of the second wait
/// for those of the first.
#[test]
fn two_that_are_read_at_once_cross_one_after_the_other() {
    let of = |bus: &str| {
        let set = format!("devices = 2\nstripe_unit_kib = 8\ndevice = \"osdi00\"\n{bus}");
        let stripe = system("stripe", &set, "fcfs");
        let mut trace = mixed(1000, 1.0, 1, 1);
        (trace.lbn[0], trace.blocks[0], trace.op[0]) = (0, 32, Op::Read);
        run_system(&stripe, &trace).record
    };
    let (alone, shared) = (of(""), of("bus_mb_per_s = 1"));
    assert_eq!(shared.start_ns, alone.start_ns);
    assert_eq!(shared.transfer_ns, alone.transfer_ns);
    assert_eq!(shared.completion_ns[0] - alone.completion_ns[0], 2 * 16 * 512 * 1000);
    assert_eq!(shared.bus_ns[0] - alone.bus_ns[0], 2 * 16 * 512 * 1000);
}

#[test]
fn a_rate_that_cannot_be_is_refused() {
    for bad in ["-1", "0.0001", "\"fast\"", "1e7"] {
        let system = system("sleds", &format!("{BUS} = {bad}"), "fcfs");
        let error = Simulation::new(&system, 1, Record::default()).err().expect("it cannot be").to_string();
        assert!(error.starts_with("sleds: bus_mb_per_s = "), "{error}");
        assert!(error.ends_with("expected 0, or a number from 0.001 to 1e6 (MB/s)"), "{error}");
    }
}
