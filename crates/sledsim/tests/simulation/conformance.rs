//! Properties that every built-in policy has, on several devices under random workloads.

use proptest::prelude::*;
use sledsim::conformance::CHECKS;
use sledsim::device::BUILTIN_DEVICES;
use sledsim::sched::{SCHEDULERS, WRAPPERS};
use sledsim::trace::Op;

use crate::own_scheduler;
use crate::support::{mean_ms, params, responses, run, workload};

/// Every policy, including a custom one, and C-LOOK_LBN inside every wrapper: C-LOOK_LBN depends on the request that it
/// served last.
pub fn policies() -> Vec<String> {
    own_scheduler::register().expect("the name is free");
    let wrapped = WRAPPERS.rows().into_iter().map(|row| format!("clook_lbn+{}", row.name));
    SCHEDULERS.rows().iter().map(|row| row.name.to_owned()).chain(wrapped).collect()
}

/// Every policy in every wrapper. A wrapper may serve another request than the one that the policy would choose; the
/// deadline is short, so that it often does.
fn wrapped() -> Vec<String> {
    let wrappers = WRAPPERS.rows().into_iter().map(|row| match row.name {
        "deadline" => "deadline:after_ms=2".to_owned(),
        name => name.to_owned(),
    });
    let alone = SCHEDULERS.rows();
    wrappers
        .flat_map(|wrapper| {
            alone.iter().map(move |row| format!("{}+{wrapper}", row.name)).collect::<Vec<_>>()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Checks that each request is served exactly once and not before its arrival, and that the medium serves one
    /// request at a time.
    #[test]
    fn every_request_is_served_once(seed in any::<u64>(), device in 0..BUILTIN_DEVICES.len(), rate in 50.0..5000.0_f64) {
        let params = params(BUILTIN_DEVICES[device].0, "");
        let trace = workload(&params, rate, 300, seed);
        for policy in policies().into_iter().chain(wrapped()) {
            let record = run(&params, &trace, &policy).record;
            prop_assert_eq!(&record.arrival_ns, &trace.arrival_ns);
            let mut services: Vec<(i64, i64)> = Vec::new();
            for at in 0..record.start_ns.len() {
                prop_assert!(record.start_ns[at] >= record.arrival_ns[at] + record.overhead_ns[at]);
                // Requests served from the cache of a disk do not move the medium.
                let is_moved = record.transfer_ns[at] > 0 || params.kind() == "disk";
                prop_assert!(is_moved && record.completion_ns[at] > record.start_ns[at]);
                services.push((record.start_ns[at], record.completion_ns[at] - record.bus_ns[at]));
            }
            services.sort_unstable();
            for pair in services.windows(2) {
                prop_assert!(pair[0].1 <= pair[1].0, "{}: the medium serves one at a time", &policy);
            }
        }
    }

    /// Checks that the phases of each service add up to the time from its start to the completion.
    #[test]
    fn the_phases_add_up(seed in any::<u64>(), device in 0..BUILTIN_DEVICES.len()) {
        let params = params(BUILTIN_DEVICES[device].0, "");
        let record = run(&params, &workload(&params, 800.0, 300, seed), "sptf").record;
        for at in 0..record.start_ns.len() {
            let positioning = record.positioning_ns[at];
            let before = record.command_ns[at] + record.wait_ns[at] + positioning;
            let served = before + record.hold_ns[at] + record.switch_ns[at] + record.transfer_ns[at];
            prop_assert_eq!(record.completion_ns[at] - record.start_ns[at], served + record.bus_ns[at]);
            let x = record.seek_x_ns[at] + record.settle_ns[at];
            let y = record.seek_y_ns[at] + record.turnaround_ns[at];
            prop_assert!(record.positioning_ns[at] >= i64::from(x.max(y)).max(record.rotation_ns[at]));
        }
    }
}

/// The built-in devices pass the checks that custom devices have to pass.
#[test]
fn every_device_passes_the_checks() {
    for (name, _) in BUILTIN_DEVICES {
        let device = sledsim::device::build(&params(name, ""), 1).unwrap().remove(0);
        for check in CHECKS {
            assert_eq!(check.failure(&*device), None, "{name}: {}", check.name);
        }
    }
}

/// Policies have no choice with at most one request in the system: each policy gives the record of FCFS.
#[test]
fn at_queue_length_one_all_equal_fcfs() {
    for (device, _) in BUILTIN_DEVICES {
        let params = params(device, "");
        let mut trace = workload(&params, 1.0, 400, 7);
        // A second between arrivals is more than ten times any service.
        for (at, arrival_ns) in trace.arrival_ns.iter_mut().enumerate() {
            *arrival_ns = at as i64 * 1_000_000_000;
        }
        let expected = run(&params, &trace, "fcfs").record;
        assert_eq!(expected.queue_length, vec![0; 400]);
        for policy in policies() {
            assert_eq!(run(&params, &trace, &policy).record, expected, "{} on {device}", &policy);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let params = params("osdi00", "");
    for policy in policies() {
        let twice = [(); 2].map(|()| run(&params, &workload(&params, 1200.0, 2000, 11), &policy).record);
        assert_eq!(twice[0], twice[1], "{}", &policy);
    }
}

/// Equal requests are served in the order of arrival, which breaks all ties of a policy.
#[test]
fn equal_requests_keep_their_order() {
    let params = params("osdi00", "");
    let mut trace = workload(&params, 1.0, 50, 3);
    trace.arrival_ns.fill(0);
    trace.lbn.fill(123_456);
    trace.blocks.fill(8);
    trace.op.fill(Op::Read);
    for policy in policies() {
        let record = run(&params, &trace, &policy).record;
        assert!(record.start_ns.windows(2).all(|pair| pair[0] < pair[1]), "{}", &policy);
    }
}

/// Checks claim 001-C20 in short: at 1,600 requests/s SPTF has the lowest mean response, then SSTF_LBN, C-LOOK_LBN and
/// FCFS.
#[test]
fn policies_are_in_the_order_of_the_papers() {
    let params = params("osdi00", "overhead_ms = 0.0\nbus_mb_per_s = 0.0");
    let trace = workload(&params, 1600.0, 20_000, 1);
    let [fcfs, sstf, clook, sptf] =
        ["fcfs", "sstf_lbn", "clook_lbn", "sptf"].map(|name| mean_ms(&run(&params, &trace, name).record));
    assert!(
        sptf < sstf && sstf < clook && clook < fcfs,
        "mean response in ms: SPTF {sptf}, SSTF_LBN {sstf}, C-LOOK_LBN {clook}, FCFS {fcfs}"
    );
}

/// The default zones have the size of paper 000 (000-F15), 120 cylinders x 1200 bits; along an axis on which the medium
/// is smaller, they are as large as the medium.
#[test]
fn zones_are_those_of_the_paper_where_they_fit() {
    for (medium, zone) in
        [("", "120x1200"), ("stroke_x_nm = 4000", "100x1200"), ("stroke_y_nm = 20000", "120x500")]
    {
        let params = params("osdi00", medium);
        let trace = workload(&params, 3000.0, 500, 1);
        for policy in ["zfcfs", "zsptf", "ztsptf"] {
            let given = run(&params, &trace, &format!("{policy}:zone={zone}")).record;
            assert!(run(&params, &trace, policy).record == given, "{policy} on {medium:?}");
        }
    }
}

#[test]
fn a_request_finds_those_before_it() {
    let params = params("osdi00", "");
    let mut trace = workload(&params, 1.0, 5, 3);
    trace.arrival_ns.fill(1000);
    let outcome = run(&params, &trace, "fcfs");
    assert_eq!(outcome.record.queue_length, [0, 1, 2, 3, 4]);
    assert!(responses(&outcome.record).windows(2).all(|pair| pair[0] < pair[1]));
}

/// ASPTF with the largest weight of ages serves almost first come, first served, and still distinguishes ages after
/// years of simulated time.
#[test]
fn a_great_weight_is_first_come_first_served_at_any_time() {
    let params = params("osdi00", "");
    let mut trace = workload(&params, 3000.0, 2000, 5);
    let orders = [0, 100_000_000_000_000_000].map(|later_ns| {
        trace.arrival_ns.iter_mut().for_each(|arrival_ns| *arrival_ns += later_ns);
        let [aged, fcfs] = ["asptf:weight=100000", "fcfs"].map(|policy| run(&params, &trace, policy).record);
        assert!((mean_ms(&aged) / mean_ms(&fcfs) - 1.0).abs() < 0.01, "arrivals {later_ns} ns later");
        aged.start_ns.iter().map(|start_ns| start_ns - later_ns).collect::<Vec<_>>()
    });
    assert_eq!(orders[0], orders[1]);
}
