//! Disk models compared with real drives: traces measured on the drives are replayed, each request after the previous
//! one has completed.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sledsim::device::disk::Disk;
use sledsim::device::load_disk;
use sledsim::time::Time;
use sledsim::trace::{Input, Op, ReadOptions, Trace, TraceReader};

/// A drive and its measured trace, with the demerit figure in ms that DiskSim reached (None if unknown), and the
/// largest allowed relative deviation of the mean response from the measured one.
struct Drive {
    name: &'static str,
    trace: &'static str,
    disksim_ms: Option<f64>,
    mean_within: f64,
}

const fn drive(name: &'static str, trace: &'static str, disksim_ms: Option<f64>, mean_within: f64) -> Drive {
    Drive { name, trace, disksim_ms, mean_within }
}

/// The compared drives. On the Barracuda and the Cheetah cache hits take longer than the overheads in their parameter
/// files, and on the Cheetah some seeks take longer than its seek curve. The DEC RZ26 and the HP C2247A lose turns
/// before writes, for which no parameter exists, so that their demerits exceed DiskSim's
/// (docs/background/validation.md).
const DRIVES: [Drive; 8] = [
    drive("atlas10k", "atlas10k", Some(0.2675), 0.013),
    drive("atlas-iii", "atlas_III", Some(0.3781), 0.017),
    drive("barracuda", "barracuda", Some(0.3479), 0.03),
    drive("cheetah4lp", "cheetah4LP", Some(0.3182), 0.045),
    drive("dec-rz26", "dec_rz26", None, 0.013),
    drive("hp-c2247a", "hp_c2247a", None, 0.01),
    drive("hp-c2490a", "hp_c2490a", Some(0.2538), 0.01),
    drive("st41601n", "st41601n", None, 0.01),
];

/// The folder of the measured traces beside the checkout; None if it does not exist.
fn measured() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces/disksim-valid");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: the measured traces are not at {}", folder.display());
    None
}

fn read(path: PathBuf) -> Trace {
    let options = ReadOptions { format: Some("validate"), ..ReadOptions::default() };
    let mut reader = TraceReader::open(Input::File(path), &options).unwrap();
    reader.rest(&mut |_| ControlFlow::Continue(())).unwrap()
}

/// Response times in ms. Each request arrives after the completion of the previous one, by the gap that the trace
/// recorded between them.
fn replay(disk: &mut Disk, trace: &Trace) -> Vec<f64> {
    let mut now = Time::ZERO;
    let mut responses = Vec::new();
    for row in 0..trace.len() {
        let request = trace.row(row);
        let op =
            if request.op == Op::Write { sledsim::request::Op::Write } else { sledsim::request::Op::Read };
        let complete = disk.serve_at(now, op, request.lbn as u64, request.blocks as u32).complete;
        responses.push((complete - now).as_s() * 1e3);
        let next_ns = trace.arrival_ns.get(row + 1).copied().unwrap_or(i64::MAX);
        now = Time(complete.0 + (next_ns - request.arrival_ns - request.service_ns) as u64);
    }
    responses
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The demerit figure of two sets of response times: the root mean square of the differences between equal quantiles.
fn demerit(mut one: Vec<f64>, mut other: Vec<f64>) -> f64 {
    one.sort_unstable_by(f64::total_cmp);
    other.sort_unstable_by(f64::total_cmp);
    let squares: Vec<f64> = one.iter().zip(&other).map(|(a, b)| (a - b) * (a - b)).collect();
    mean(&squares).sqrt()
}

#[test]
fn drives_agree_with_their_measured_traces() {
    let Some(folder) = measured() else { return };
    println!("drive        demerit  DiskSim  ratio    mean  measured");
    for Drive { name, trace, disksim_ms, mean_within } in DRIVES {
        let trace = read(folder.join(format!("{trace}.trace.zst")));
        let simulated = replay(&mut Disk::new(&load_disk(name)).unwrap(), &trace);
        let measured: Vec<f64> = trace.service_ns.iter().map(|ns| *ns as f64 * 1e-6).collect();
        let (mean_ms, measured_ms) = (mean(&simulated), mean(&measured));
        let demerit_ms = demerit(simulated, measured);
        let printed = disksim_ms.unwrap_or(f64::NAN);
        let (ratio, error) = (demerit_ms / printed, mean_ms / measured_ms - 1.0);
        println!(
            "{name:12} {demerit_ms:7.3} {printed:8.3} {ratio:6.2} {mean_ms:7.3} {measured_ms:9.3} {:+.2} %",
            1e2 * error
        );
        assert!(disksim_ms.is_none_or(|ms| demerit_ms <= ms), "{name}: demerit {demerit_ms} ms");
        assert!(error.abs() <= mean_within, "{name}: mean {mean_ms} ms, measured {measured_ms} ms");
    }
}
