//! Evaluation of a design: the results of a device under a workload, in a few figures.

use crate::device;
use crate::error::Result;
use crate::observer::Observer;
use crate::params::DeviceParams;
use crate::record::{select, Phase, Record};
use crate::sched::Policy;
use crate::simulation::{simulate_devices, DeviceOutcome, Outcome};
use crate::workload::{Columns, PastEnd, Replay, ReplayMode};

/// Results of one design: of a device with certain parameters under a workload.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Mean response time of reads and writes in seconds.
    pub mean_response_s: f64,
    /// The 99th percentile of response times of reads and writes, in seconds.
    pub p99_response_s: f64,
    /// Mean time in seconds from the start of a service to the end of the access to the medium, without later
    /// transfer on the bus.
    pub mean_service_s: f64,
    /// Mean positioning time of the services, in seconds.
    pub mean_positioning_s: f64,
    /// Share of the time in which devices served requests, as the mean over all devices.
    pub utilization: f64,
    /// Time from the first arrival to the last completion, in seconds.
    pub span_s: f64,
    /// Number of requests whose address was changed, so that the request lies within the device.
    pub moved: u64,
    /// Energy of the device over the whole run, in joules.
    pub energy_j: f64,
    /// Energy for each use, in joules.
    pub energy_by_use_j: Vec<(&'static str, f64)>,
}

/// Replays a trace on devices with the parameters `params`. `mode` is the rule for arrivals; times between
/// arrivals are divided by `scale`.
///
/// # Errors
/// The errors of [`simulate_devices`], for instance if `observe` stops the work. A request extends beyond the
/// end of the device, and `past_end` rejects such requests.
pub fn evaluate(
    params: &DeviceParams,
    policy: &Policy,
    columns: Columns<'_>,
    mode: &ReplayMode,
    scale: f64,
    past_end: PastEnd,
    observe: &mut Observer<'_>,
) -> Result<Evaluation> {
    let (devices, lbn) = (device::build(params, columns.devices())?, columns.lbn.clone());
    let mut replay = mode.build(Replay::new(columns, scale, devices[0].sectors(), past_end)?)?;
    let record = Record::new(select("times")?, replay.expected());
    let outcome = simulate_devices(devices, policy, &mut *replay, record, observe)?;
    let moved = replay.columns().lbn.iter().zip(lbn.iter()).filter(|(to, from)| to != from).count();
    Ok(Evaluation { moved: moved as u64, ..figures(&outcome) })
}

fn figures(outcome: &Outcome) -> Evaluation {
    let record = &outcome.record;
    let mut response_ns: Vec<u64> = record.responses_ns().collect();
    let end_ns = record.completion_ns.iter().max().copied().unwrap_or(0);
    let span_s = (end_ns - record.arrival_ns.first().copied().unwrap_or(0)) as f64 * 1e-9;
    let busy_s: f64 = outcome.busy_s().iter().sum();
    let energy_by_use_j = by_use(&outcome.devices);
    let at = (response_ns.len() * 99).div_ceil(100).saturating_sub(1);
    let mean_response_s = mean_s(&response_ns);
    let p99_ns = if response_ns.is_empty() { 0 } else { *response_ns.select_nth_unstable(at).1 };
    Evaluation {
        mean_response_s,
        p99_response_s: p99_ns as f64 * 1e-9,
        mean_service_s: outcome.totals.mean_service_s(),
        mean_positioning_s: outcome.totals.mean_s(Phase::Positioning),
        utilization: busy_s / span_s / outcome.devices.len() as f64,
        span_s,
        moved: 0,
        energy_j: energy_by_use_j.iter().map(|(_, joules)| joules).sum(),
        energy_by_use_j,
    }
}

fn by_use(devices: &[DeviceOutcome]) -> Vec<(&'static str, f64)> {
    let mut sums = devices[0].accounts();
    for device in &devices[1..] {
        sums.iter_mut().zip(device.accounts()).for_each(|((_, sum), (_, joules))| *sum += joules);
    }
    sums
}

fn mean_s(times_ns: &[u64]) -> f64 {
    times_ns.iter().sum::<u64>() as f64 * 1e-9 / times_ns.len() as f64
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::device::load;
    use crate::trace::{Trace, TraceRow};

    #[test]
    fn the_figures_are_those_of_the_record() {
        let params = load("emsoft08", toml::Table::new()).unwrap().into_parameters();
        let mut trace = Trace::default();
        for at in 0..200 {
            let lbn = at * 7919 % 10_000 * 8;
            trace.push(TraceRow { arrival_ns: at * 20_000_000, lbn, blocks: 8, ..TraceRow::default() });
        }
        let (policy, open) = (Policy::parse("fcfs").unwrap(), ReplayMode::parse("open").unwrap());
        let found = evaluate(&params, &policy, Columns::of(&trace), &open, 1.0, PastEnd::Error, &mut |_| {
            ControlFlow::Continue(())
        })
        .unwrap();
        // One group of probes reads a sector of 4 KiB: ceil((32768 + 4096) / 4096) + 3 = 12 bits of each
        // probe, at 40 kbit/s.
        let transfer_s = 12.0 / 40e3;
        assert!((found.mean_service_s - found.mean_positioning_s - transfer_s).abs() < 1e-9);
        assert!((found.mean_response_s - found.mean_service_s).abs() < 1e-12, "no request waits");
        assert!(found.p99_response_s >= found.mean_response_s);
        let sum: f64 = found.energy_by_use_j.iter().map(|(_, joules)| joules).sum();
        assert_eq!(sum, found.energy_j);
        let tips_j = found.energy_by_use_j.iter().find(|(name, _)| *name == "tips").unwrap().1;
        assert!((tips_j / (200.0 * transfer_s * 4096.0 * 0.25e-3) - 1.0).abs() < 1e-9, "004-F6");
    }
}
