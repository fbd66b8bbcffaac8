//! Mean response times of a queue before a disk, compared with those that DiskSim computes for the same drive and
//! requests.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sledsim::device::load_disk;
use sledsim::params::{DeviceParams, DiskParams, Queue, ReadAhead};
use sledsim::sched::Policy;
use sledsim::simulation::simulate;
use sledsim::trace::{Op, Trace, TraceRow};
use sledsim::workload::{Columns, PastEnd, Replay};

fn golden() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden/disksim");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: DiskSim's results are not at {}", folder.display());
    None
}

/// The random requests of DiskSim's run, with their times between arrivals scaled to an arrival rate.
fn arrivals(folder: &Path, rate_per_s: f64) -> Trace {
    let file = File::open(folder.join("traces/atlas10k_random_base.csv.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let columns: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let at = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let [time, lbn, blocks, read] = ["cum_unit_arrival", "lbn", "blocks", "read"].map(at);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        TraceRow {
            arrival_ns: (fields[time].parse::<f64>().unwrap() / rate_per_s * 1e9) as i64,
            lbn: fields[lbn].parse().unwrap(),
            blocks: fields[blocks].parse().unwrap(),
            op: if fields[read] == "1" { Op::Read } else { Op::Write },
            ..TraceRow::default()
        }
    };
    let mut trace = Trace::default();
    text.lines().skip(1).for_each(|line| trace.push(row(line)));
    trace
}

/// The mean response time in ms that DiskSim's summary file has for an arrival rate, a policy and a variant of the
/// drive.
fn printed_ms(folder: &Path, rate: u32, policy: &str, variant: &str) -> f64 {
    let text = std::fs::read_to_string(folder.join("atlas10k_random/summary.csv")).unwrap();
    let start = format!("atlas10k,{rate},{policy},{variant},");
    let line = text.lines().find(|line| line.starts_with(&start)).unwrap();
    line.split(',').nth(6).unwrap().parse().unwrap()
}

/// Mean response time in ms of requests to a drive, whose parameters say if the queue is in the host or in the drive.
fn mean_ms(params: &DiskParams, policy: &str, arrivals: &Trace) -> f64 {
    let params = DeviceParams::Disk(Box::new(params.clone()));
    let replay = Replay::new(Columns::of(arrivals), 1.0, u64::MAX, PastEnd::Error);
    let policy = Policy::parse(policy).unwrap();
    let go_on = &mut |_| ControlFlow::Continue(());
    let record = simulate(&params, 1, &policy, &mut replay.unwrap(), go_on).unwrap().record;
    let responses = record.completion_ns.iter().zip(&record.arrival_ns).map(|(end, start)| end - start);
    responses.sum::<i64>() as f64 * 1e-6 / arrivals.len() as f64
}

/// Mean responses on the Atlas 10K agree with DiskSim's. One case is compared by order only: the queue in the driver at
/// 100 requests/s. There DiskSim's SPTF neglects the drive's overheads and uses an outdated angle of the platters,
/// which costs more the longer the queue is.
#[test]
fn policies_on_the_atlas_10k_do_as_with_disksim() {
    let Some(folder) = golden() else { return };
    let with_cache = load_disk("atlas10k");
    let without = DiskParams {
        cache_segments: 0,
        write_back: false,
        read_ahead: ReadAhead::None,
        whole_track_reads: false,
        ..with_cache.clone()
    };
    let queueing = DiskParams { queue: Some(Queue::Drive), queue_depth: Some(100_000), ..with_cache.clone() };
    let variants = [
        ("nocache", &without, "sptf_driver"),
        ("default", &with_cache, "sptf_driver"),
        ("diskq_default", &queueing, "sptf"),
    ];
    for (variant, params, sptf) in variants {
        for rate in [20, 60, 100] {
            let arrivals = arrivals(&folder, f64::from(rate));
            let mut before_ms = f64::INFINITY;
            for policy in ["fcfs", "clook_lbn", "sstf_lbn", sptf] {
                let ms = mean_ms(params, policy, &arrivals);
                let printed = printed_ms(&folder, rate, policy.trim_end_matches("_driver"), variant);
                let error = ms / printed - 1.0;
                println!(
                    "{variant} {rate:3}/s {policy:11} {ms:7.3} ms, DiskSim {printed:7.3} ({:+.2} %)",
                    1e2 * error
                );
                assert!(ms < before_ms, "{variant} {rate}/s: {policy} is no faster than the previous policy");
                let is_known = rate == 100 && policy == "sptf_driver";
                assert!(
                    is_known || error.abs() < if rate == 100 { 0.05 } else { 0.03 },
                    "{variant} {rate}/s {policy}"
                );
                before_ms = ms;
            }
        }
    }
}
