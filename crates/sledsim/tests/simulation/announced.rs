//! The service time that a device predicts for policies and explanations equals the time that the service takes, also
//! on devices with rarely used parameters and on devices wrapped in faults or slow-downs.

use proptest::prelude::*;
use sledsim::device::{build, Device};
use sledsim::episodes::{parse, EpisodicDevice};
use sledsim::faults::{FaultPlan, FaultyDevice};
use sledsim::request::{Op, Partial, Request};
use sledsim::time::{Span, Time};

use crate::support::params;

/// Largest rounding error in nanoseconds that each part of a service adds between its predicted and its actual time.
const ROUNDED_NS: u64 = 8;
/// Parameter of a small device of a hundred cylinders, so that requests fill its whole log and often meet blocks with
/// faults.
const SMALL: &str = "stroke_x_nm = 4000\n";
const ERASING: &str =
    "erase_block_kib = 1024\nerase_ms = 500.0\nerase_slice_ms = 5.0\nerase_reserve_blocks = 4\n";
const IN_PLACE: &str = "erase_management = \"in-place\"\n";

/// Names of devices, each with the parameters that are changed.
const KEYS: [(&str, &[&str]); 12] = [
    ("osdi00", &[]),
    ("osdi00", &["access_mode = \"parity\"\n"]),
    ("osdi00", &["access_mode = \"serpentine\"\nwrite_start = \"at-dispatch\"\n"]),
    ("osdi00", &["write_settle_ms = 0.5\nlayout = \"subregioned\"\n"]),
    ("osdi00-erase", &[ERASING]),
    ("osdi00-erase", &[ERASING, IN_PLACE]),
    ("osdi00-erase", &[ERASING, "access_mode = \"serpentine\"\n"]),
    ("osdi00-erase", &[ERASING, IN_PLACE, "access_mode = \"parity\"\n"]),
    ("mascots03", &["power_policy = \"immediate\"\n"]),
    ("disksim-g2", &[]),
    ("hong03", &[]),
    ("emsoft08", &[]),
];

/// Plans of faults; the empty text means no faults. Bad blocks lie in the area to which half of the requests go: single
/// blocks and neighbouring ones, bad from the start or from a time during the run.
const PLANS: [&str; 5] = [
    "",
    "remapping = \"elsewhere\"\nreserve_blocks = 2000\n",
    "remapping = \"slip\"\nreserve_blocks = 2000\n",
    "remapping = \"none\"\n",
    "remapping = \"elsewhere\"\nreserve_blocks = 2000\nbad_blocks = [{ lbn = 600, blocks = 300, at_s = 0.02 }]\n",
];
const NEAR: u64 = 4000;

/// The bad blocks to add to a plan of faults that lists none: they are bad from the start of the run.
fn bad_blocks(plan: &str) -> String {
    if plan.contains("bad_blocks =") {
        return String::new();
    }
    let rows = (0..NEAR / 50).map(|at| format!("{{ lbn = {}, blocks = {} }}", 50 * at + at % 7, 1 + at % 4));
    format!("bad_blocks = [{}]\n", rows.collect::<Vec<_>>().join(", "))
}

fn device(key: usize, plan: usize) -> Box<dyn Device> {
    let (name, lines) = KEYS[key];
    // The others have few cylinders already.
    let small = if name.starts_with("osdi00") { SMALL } else { "" };
    let params = params(name, &format!("{small}{}", lines.concat()));
    let device = build(&params, 1).expect("the device is valid").remove(0);
    // A plan of faults is rejected where blocks move.
    if plan == 0 || lines.contains(&ERASING) {
        return device;
    }
    let text = format!("{}{}", PLANS[plan], bad_blocks(PLANS[plan]));
    let plan = FaultPlan::from_table(text.parse().expect("it is TOML"), "faults").expect("the plan is valid");
    Box::new(FaultyDevice::new(device, &params, &plan, 0).expect("they go together"))
}

/// Slow-downs that begin and end while requests are served. The prediction does not include them, so that a service in
/// a slow-down takes a multiple of the predicted time.
const SLOW: &str = "slow:at=0.01,ms=40,factor=3,every=0.08";
const FACTOR: u64 = 3;

/// Wraps a device so that it has the slow-downs of `SLOW`.
fn slow_at_times(device: Box<dyn Device>) -> Box<dyn Device> {
    Box::new(EpisodicDevice::new(device, &[parse(SLOW).expect("it is one")]))
}

/// A drawn request: its place (a random number), true if it continues at the end of the previous request, its number of
/// blocks, true for a write, true for a partial first and a partial last block, and the milliseconds after the previous
/// completion.
type Asked = (u64, bool, u32, bool, (bool, bool), u64);

fn asked() -> impl Strategy<Value = Asked> {
    let ends = prop_oneof![4 => Just((false, false)), 1 => any::<(bool, bool)>()];
    // Times on a grid, so that services and cleaning also end exactly at an arrival.
    let idle_ms = prop_oneof![4 => Just(0_u64), 2 => 0..20_u64, 1 => (0..4_u64).prop_map(|at| 500 * at)];
    (any::<u64>(), any::<bool>(), 1..300_u32, any::<bool>(), ends, idle_ms)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn an_access_takes_what_was_announced(
        key in 0..KEYS.len(), plan in 0..PLANS.len(), is_slow in any::<bool>(), requests in prop::collection::vec(asked(), 1..60)
    ) {
        let mut device = device(key, plan);
        if is_slow {
            device = slow_at_times(device);
        }
        device.begin(Time::ZERO);
        let (mut now, mut end, blocks) = (Time::ZERO, 0, device.blocks());
        for (row, (place, follows, count, writes, (first, last), idle_ms)) in requests.into_iter().enumerate() {
            now = now + Span(1_000_000 * idle_ms);
            let anywhere = place % (blocks - u64::from(count));
            let drawn = if place % 2 == 0 { anywhere } else { anywhere % NEAR };
            let lbn = if follows && end + u64::from(count) <= blocks { end } else { drawn };
            end = lbn + u64::from(count);
            let op = if writes { Op::Write } else { Op::Read };
            let partial = if writes { Partial { first, last } } else { Partial::default() };
            let mut request = Request { arrival: now, partial, ..Request::new(row as u32, lbn, count, op) }.with_data();
            now = device.accept(now, &request).max(now);
            device.admit(now, &mut request);
            let announced = device.access(now, &request);
            prop_assert!(device.access(now, &request) == announced, "a second prediction equals the first");
            let service = device.serve(now, &request);
            let parts = 8 + service.remapped_blocks;
            let near = |took: u64| service.total().0.abs_diff(took) <= FACTOR * ROUNDED_NS * u64::from(parts);
            prop_assert!(
                near(announced.0) || is_slow && near(FACTOR * announced.0),
                "{:?}, faults {:?}: predicted {} ns, taken {} ns by {:?}",
                KEYS[key], PLANS[plan], announced.0, service.total().0, request
            );
            now = now + service.total();
        }
    }
}
