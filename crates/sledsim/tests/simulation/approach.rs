//! Properties on which the search index of a policy relies: seek times in x grow with the distance and lie within their
//! bounds, for every seek model that states so.

use proptest::prelude::*;
use sledsim::device::{build, Device};
use sledsim::faults::{FaultPlan, FaultyDevice};
use sledsim::params::DeviceParams;
use sledsim::request::{Op, Request};
use sledsim::time::Time;

use crate::support::params;

/// Devices with parameters: each seek model, other springs and bit widths, and two kinds of settling. The models of
/// slew-limited seeks and of control loops are slow to compute, so that their medium has fewer cylinders and rows.
const KINDS: [(&str, &str); 10] = [
    ("osdi00", ""),
    ("hong03", ""),
    ("osdi00", "spring_factor = 0.999"),
    ("sigmetrics00", "seek_model = \"first-order\""),
    ("osdi00", "seek_model = \"table\"\nseek_table_steps = 16"),
    ("osdi00", "bit_width_nm = 160\nseek_model = \"slew-limited\"\nactuator_rise_ms = 0.02"),
    ("osdi00", "bit_width_nm = 160\nseek_model = \"linear-system\"\nloop_frequency_hz = 739.0\nloop_damping = 0.3\nloop_tolerance_nm = 4.0\nspare_travel_nm = 40000"),
    ("osdi00", "bit_width_nm = 160\nseek_model = \"linear-system\"\nloop_frequency_hz = 739.0\nloop_damping = 1.0\nloop_tolerance_nm = 4.0"),
    ("osdi00", "seek_model = \"measured\"\nmeasured_x = [[0, 0.1], [3, 0.1], [100, 0.6]]"),
    ("osdi00", "write_settle_ms = 0.05"),
];

fn device(params: &DeviceParams) -> Box<dyn Device> {
    build(params, 1).expect("the device is valid").remove(0)
}

/// Positioning times in x, in ns, from a cylinder to itself and to all cylinders above it (`upwards`) or below it.
fn times(device: &mut dyn Device, cylinder: u32, upwards: bool) -> Vec<u64> {
    let cylinders = device.extent().cylinders;
    let lbn = device.blocks() / u64::from(cylinders) * u64::from(cylinder);
    let now = Time(1);
    let now = now + device.serve(now, &Request::new(0, lbn, 1, Op::Read)).total();
    let approach = device.approach().expect("times in x grow with the distance");
    let here = approach.head_position(now);
    assert_eq!(here.cylinder, cylinder);
    let others: Vec<u32> =
        if upwards { (cylinder..cylinders).collect() } else { (0..=cylinder).rev().collect() };
    let times: Vec<u64> = others.iter().map(|other| approach.x(&here, *other).0).collect();
    // The bounds appear only after requests for them.
    let here = (0..=cylinders).map(|_| approach.head_position(now)).last().expect("it was asked");
    let mut spare_ns = 0;
    for (other, time) in others.iter().zip(&times) {
        let [least, most] = here.x_bounds(*other).expect("bounds exist after repeated requests for them");
        assert!(
            (least.0..=most.0).contains(time),
            "{cylinder} to {other}: {time} ns, bounds {least:?} to {most:?}"
        );
        spare_ns += most.0 - least.0;
    }
    // Bounds are useful where they are close: over long ways, not over the last ones to an edge.
    if 2 * others.len() >= cylinders as usize {
        assert!(
            spare_ns <= times.iter().sum::<u64>() / 5,
            "cylinder {cylinder}: the bounds are {spare_ns} ns apart in sum"
        );
    }
    times
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn times_in_x_grow_outwards_within_their_bounds(place in 0.0..1.0_f64, upwards: bool) {
        for (name, overrides) in KINDS {
            let params = params(name, overrides);
            let mut device = device(&params);
            let cylinder = (place * f64::from(device.extent().cylinders)) as u32;
            let times = times(&mut *device, cylinder, upwards);
            prop_assert!(times.is_sorted(), "{name} {overrides} from cylinder {cylinder}");
            prop_assert_eq!(times[0], 0);
        }
    }
}

/// Devices for which policies build no search index: a seek model whose times need not grow with the distance, tips
/// that move independently, writes cut at dispatch, and more rows than the table of times in y holds.
#[test]
fn what_promises_nothing_has_no_index() {
    for (name, overrides) in [
        ("osdi00", "seek_model = \"piecewise\""),
        ("sigmetrics00-cantilevers", ""),
        ("osdi00", "write_start = \"at-dispatch\""),
        ("osdi00", "bit_width_nm = 2"),
    ] {
        let params = params(name, overrides);
        assert!(device(&params).approach().is_none(), "{name} {overrides}");
    }
}

/// A search index exists under a plan of faults only if no block can move during the run: bad blocks keep their places
/// under this remapping, or no fault occurs after the start.
#[test]
fn blocks_that_may_move_during_a_run_have_no_index() {
    const FROM_THE_START: &str = "bad_blocks = [{ lbn = 600, blocks = 3 }]";
    const LATER: &str = "bad_blocks = [{ lbn = 600, blocks = 3 }, { lbn = 900, blocks = 3, at_s = 0.02 }]";
    const TIPS_FAIL: &str = "spare_tips = 64\nlife = { tip_failures_per_tip_hour = 1e-3 }";
    let params = params("osdi00", "stroke_x_nm = 4000");
    for (remapping, has_index) in [("spare-tip", true), ("none", true), ("slip", false), ("elsewhere", false)]
    {
        for (faults, may_move) in [("", false), (FROM_THE_START, false), (LATER, true), (TIPS_FAIL, true)] {
            let text =
                format!("remapping = \"{remapping}\"\nreserve_blocks = 2000\nspread = false\n{faults}");
            let plan =
                FaultPlan::from_table(text.parse().expect("it is TOML"), "faults").expect("it is a plan");
            let faulty = FaultyDevice::new(device(&params), &params, &plan, 0)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(faulty.approach().is_some(), has_index || !may_move, "{text}");
        }
    }
}
