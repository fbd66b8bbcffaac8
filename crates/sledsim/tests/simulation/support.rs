//! Helpers that build parameters and workloads, and run them.

use std::ops::ControlFlow;

use proptest::prelude::ProptestConfig;
use sledsim::device::build;
use sledsim::device::load;
use sledsim::params::DeviceParams;
use sledsim::record::Record;
use sledsim::sched::Policy;
use sledsim::simulation::{simulate, Outcome};
use sledsim::trace::Trace;
use sledsim::workload::{random, Columns, PastEnd, Replay};

/// Number of repetitions in a test that does not use proptest: `usual`, and more in proportion if `PROPTEST_CASES`
/// exceeds 256.
pub fn turns(usual: u32) -> u32 {
    (u64::from(usual) * u64::from(ProptestConfig::default().cases) / 256).max(1) as u32
}

/// Parameters of a device, with those changed that `overrides` lists as `key = value` lines.
pub fn params(device: &str, overrides: &str) -> DeviceParams {
    load(device, overrides.parse().expect("the overrides are TOML"))
        .expect("the device is valid")
        .into_parameters()
}

/// The Random workload for a device.
pub fn workload(params: &DeviceParams, rate_per_s: f64, count: usize, seed: u64) -> Trace {
    random(sectors(params), rate_per_s, count, seed).expect("the workload is valid")
}

/// Number of whole 512-byte sectors of a device.
pub fn sectors(params: &DeviceParams) -> u64 {
    build(params, 1).expect("the device is valid")[0].sectors()
}

/// Replays a trace on one device.
pub fn run(params: &DeviceParams, trace: &Trace, scheduler: &str) -> Outcome {
    let columns = Columns::of(trace);
    columns.check().expect("the trace is valid");
    let devices = columns.devices();
    let mut replay = Replay::new(columns, 1.0, sectors(params), PastEnd::Error).expect("the trace fits");
    let policy = Policy::parse(scheduler).expect("the scheduler is known");
    simulate(params, devices, &policy, &mut replay, &mut |_| ControlFlow::Continue(()))
        .expect("nothing stops it")
}

/// Response times in nanoseconds.
pub fn responses(record: &Record) -> Vec<i64> {
    record.completion_ns.iter().zip(&record.arrival_ns).map(|(end, start)| end - start).collect()
}

/// Mean response time in milliseconds.
pub fn mean_ms(record: &Record) -> f64 {
    let all = responses(record);
    all.iter().sum::<i64>() as f64 / all.len() as f64 * 1e-6
}
