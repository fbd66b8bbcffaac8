//! The bus of a MEMS device compared with a simple reference model, which keeps the bus as a list of busy intervals:
//! random reads and writes of 1 to 2,000 blocks, under several policies.
//!
//! The reference model takes only the order of service from a run. For each request it tries all combinations of
//! directions and takes the quickest, and it sorts all demands for the bus to assign their intervals.

pub(crate) mod reference;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sledsim::device::build;
use sledsim::device::mems::Mems;
use sledsim::params::{DeviceParams, MemsParams};
use sledsim::request::{self, Request};
use sledsim::time::{Span, Time};
use sledsim::trace::{Op, Trace, TraceRow};

use self::reference::reference;
use crate::support::{params, run, sectors};

/// Parameters that are changed on the device `osdi00`: rate of the bus, command overhead, access mode, layout, and
/// start of writes.
pub(crate) const VARIANTS: [&str; 10] = [
    "",
    "bus_mb_per_s = 5",
    "bus_mb_per_s = 20\noverhead_ms = 0",
    "bus_mb_per_s = 40\naccess_mode = \"parity\"",
    "bus_mb_per_s = 30\naccess_mode = \"unidirectional\"\nlayout = \"simple\"",
    "bus_mb_per_s = 30\naccess_mode = \"serpentine\"\ncylinder_switch = \"seek\"",
    "bus_mb_per_s = 25\nlayout = \"simple\"\nspring_factor = 0",
    "bus_mb_per_s = 10\nwrite_start = \"at-dispatch\"",
    "bus_mb_per_s = 60\nwrite_start = \"at-dispatch\"\nlayout = \"simple\"",
    "bus_mb_per_s = 0",
];

const MEMS: [&str; 10] = [
    "osdi00",
    "osdi00-erase",
    "hong03",
    "sigmetrics00",
    "sigmetrics00-cantilevers",
    "mascots03",
    "emsoft08",
    "disksim-g1",
    "disksim-g2",
    "disksim-g3",
];

const POLICIES: [&str; 4] = ["fcfs", "sptf", "clook_lbn", "asatf:weight=3"];

/// Random reads and writes of 1 to 2,000 blocks at random places, most of them short, with exponential times between
/// arrivals.
pub(crate) fn mixed(blocks: u64, rate_per_s: f64, count: usize, seed: u64) -> Trace {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut trace = Trace::default();
    let mut now_ns = 0;
    for _ in 0..count {
        now_ns += (-f64::ln(1.0 - rng.random::<f64>()) / rate_per_s * 1e9) as i64;
        let most = [8, 40, 600, 2000][rng.random_range(0..4)];
        let length = rng.random_range(1..=most);
        let lbn = rng.random_range(0..blocks - length);
        let op = if rng.random_range(0..2) == 0 { Op::Write } else { Op::Read };
        trace.push(TraceRow {
            arrival_ns: now_ns,
            lbn: lbn as i64,
            blocks: length as i32,
            op,
            ..TraceRow::default()
        });
    }
    trace
}

pub(crate) fn mems_params(device: &str, overrides: &str) -> MemsParams {
    match params(device, overrides) {
        DeviceParams::Mems(params) => *params,
        _ => unreachable!("{device} is a MEMS device"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Completion times equal those of the reference model within 3 ns, for 10 variants of the device, 4 policies and
    /// 40 seeds.
    #[test]
    fn a_run_is_that_of_the_reference(seed in any::<u64>(), rate in 20.0..600.0_f64) {
        for overrides in VARIANTS {
            let params = mems_params("osdi00", overrides);
            let trace = mixed(Mems::new(&params).unwrap().geometry().blocks(), rate, 60, seed);
            let device = DeviceParams::Mems(Box::new(params.clone()));
            for policy in POLICIES {
                let record = run(&device, &trace, policy).record;
                let (expected, _) = reference(&params, &trace, &record);
                for (at, (found, expected)) in record.completion_ns.iter().zip(&expected).enumerate() {
                    let off = found.abs_diff(*expected);
                    prop_assert!(off <= 3, "{overrides}, {policy}: request {at} at {found}, expected {expected}");
                }
            }
        }
    }

    /// A later request, added to a run under first come, first served, delays each earlier request at most by the time
    /// that the added request takes on the bus.
    #[test]
    fn a_later_request_costs_no_more_than_its_bus_time(
        seed in any::<u64>(), rate in 20.0..600.0_f64, device in 0..MEMS.len(), bus in 0..3_usize, earlier in 1..40_usize,
        blocks in 1..2000_i32, is_write in any::<bool>(), delay_ns in 0..3_000_000_i64,
    ) {
        let bus_mb_per_s = [5, 50, 200][bus];
        let device = params(MEMS[device], &format!("bus_mb_per_s = {bus_mb_per_s}"));
        let mut trace = mixed(sectors(&device) - 2000, rate, earlier, seed);
        let before = run(&device, &trace, "fcfs").record;
        let op = if is_write { Op::Write } else { Op::Read };
        let arrival_ns = trace.arrival_ns[earlier - 1] + delay_ns;
        trace.push(TraceRow { arrival_ns, lbn: 1000, blocks, op, ..TraceRow::default() });
        let after = run(&device, &trace, "fcfs").record;
        // Blocks of 4 KiB cross the bus whole, and each of several spans is rounded.
        let bus_ns = (i64::from(blocks) + 14) * 512 * 1000 / bus_mb_per_s + 10;
        for at in 0..earlier {
            let delay_ns = after.completion_ns[at] - before.completion_ns[at];
            prop_assert!(delay_ns <= bus_ns, "request {at} is delayed by {delay_ns} ns, more than {bus_ns} ns on the bus");
        }
    }

    /// No data of a write are written before they have crossed the bus, and no data of a read cross the bus before they
    /// have been read, on any MEMS device, under any policy and start of writes.
    #[test]
    fn no_byte_crosses_before_it_is_there(
        seed in any::<u64>(), rate in 20.0..600.0_f64, device in 0..MEMS.len(), at_dispatch in any::<bool>(),
        policy in 0..POLICIES.len(),
    ) {
        let cuts = at_dispatch && MEMS[device] != "sigmetrics00-cantilevers";
        let write_start = if cuts { "at-dispatch" } else { "buffered" };
        let device = params(MEMS[device], &format!("bus_mb_per_s = 10\nwrite_start = \"{write_start}\""));
        let trace = mixed(sectors(&device) - 2000, rate, 60, seed);
        let record = run(&device, &trace, POLICIES[policy]).record;
        for at in 0..60 {
            let ready_ns = record.arrival_ns[at] + record.overhead_ns[at];
            let crosses_ns = i64::from(trace.blocks[at]) * 51_200;
            let row_ns = record.transfer_ns[at] / i64::from(record.rows[at]);
            let medium_ns = record.completion_ns[at] - record.bus_ns[at];
            match trace.op[at] {
                Op::Write => prop_assert!(medium_ns >= ready_ns + crosses_ns + row_ns - 3),
                _ => {
                    let first_ns = record.start_ns[at] + record.wait_ns[at] + record.positioning_ns[at] + row_ns;
                    prop_assert!(record.completion_ns[at] >= first_ns + crosses_ns - 3);
                }
            }
        }
    }
}

/// A write on tips on cantilevers begins each row only after the data of the row have crossed the bus, and is held no
/// longer than the row with the longest wait requires.
#[test]
fn tips_on_cantilevers_wait_for_the_data_of_each_row() {
    let (mut of_first, mut of_second) = (0, 0);
    // Numbers of blocks in the first row, of 20 at most, and in the second.
    for (bus, first, second) in [
        (20, 20, 20),
        (46, 20, 20),
        (60, 20, 20),
        (20, 13, 20),
        (20, 20, 1),
        (30, 20, 2),
        (20, 20, 0),
        (0, 20, 20),
    ] {
        let written = |bus: i32| {
            let mut trace = Trace::default();
            let (lbn, blocks) = (25_020 - i64::from(first), first + second);
            trace.push(TraceRow { lbn, blocks, op: Op::Write, ..TraceRow::default() });
            run(&params("sigmetrics00-cantilevers", &format!("bus_mb_per_s = {bus}")), &trace, "fcfs").record
        };
        let (free, held) = (written(0), written(bus));
        let rows = 1 + i64::from(second > 0);
        assert_eq!((i64::from(free.rows[0]), free.hold_ns[0]), (rows, 0));
        let begins_ns = free.positioning_ns[0];
        let crossed_ns = |blocks: i32| {
            if bus == 0 {
                0
            } else {
                (f64::from(blocks) * 512e3 / f64::from(bus)).round() as i64
            }
        };
        let waits_ns = [
            crossed_ns(first) - begins_ns,
            crossed_ns(first + second)
                - begins_ns
                - (rows - 1) * (free.transfer_ns[0] / rows + free.switch_ns[0]),
        ];
        let longest_ns = waits_ns[0].max(waits_ns[1]).max(0);
        assert!(held.hold_ns[0].abs_diff(longest_ns) <= 1, "{bus} MB/s: {} {waits_ns:?}", held.hold_ns[0]);
        let later_ns = held.completion_ns[0] - free.completion_ns[0];
        assert!(later_ns.abs_diff(longest_ns) <= 1, "{bus} MB/s: {later_ns} {waits_ns:?}");
        of_first += u32::from(waits_ns[0] > waits_ns[1].max(0));
        of_second += u32::from(waits_ns[1] > waits_ns[0].max(0));
    }
    assert!(of_first > 0 && of_second > 0, "{of_first}, {of_second}");
}

/// A write that starts at dispatch waits until at least its first block has crossed the bus. Its positioning includes
/// only this wait; the wait for its other blocks comes later.
#[test]
fn a_pass_that_begins_at_once_waits_for_its_first_block() {
    const BLOCK: u64 = 5_120_000;
    let overrides = "bus_mb_per_s = 0.1\nwrite_start = \"at-dispatch\"\naccess_mode = \"unidirectional\"";
    let mut device = build(&params("osdi00", overrides), 1).expect("it can be made").remove(0);
    for blocks in [1, 2, 20, 21, 60, 600] {
        let mut request = Request::new(0, 0, blocks, request::Op::Write);
        let in_place = device.positioning(Time::ZERO, &request);
        device.admit(Time::ZERO, &mut request);
        let announced = device.positioning(request.data_from, &request);
        assert_eq!(announced, Span(BLOCK), "{blocks} blocks");
        assert!(in_place < announced, "{in_place:?}");
    }
}
