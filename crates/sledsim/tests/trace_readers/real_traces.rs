//! Real traces in text formats, which are read if available: their figures agree with published ones.

use std::collections::BTreeSet;

use sledsim::trace::{Op, ReadOptions, Trace, TraceInfo};

use crate::support::read_with;
use crate::support::shared_traces;

struct Numbers {
    requests: usize,
    reads: usize,
    mean_bytes: f64,
    span_s: f64,
    devices: usize,
    mean_service_ms: f64,
}

fn numbers(trace: &Trace) -> Numbers {
    let requests = trace.len();
    let blocks: i64 = trace.blocks.iter().map(|blocks| i64::from(*blocks)).sum();
    let service_ns: i64 = trace.service_ns.iter().sum();
    Numbers {
        requests,
        reads: trace.op.iter().filter(|op| **op == Op::Read).count(),
        mean_bytes: blocks as f64 * 512.0 / requests as f64,
        span_s: (trace.arrival_ns[requests - 1] - trace.arrival_ns[0]) as f64 * 1e-9,
        devices: trace.device.iter().collect::<BTreeSet<_>>().len(),
        mean_service_ms: service_ns as f64 * 1e-6 / requests as f64,
    }
}

fn read(file: &str, format: &str) -> Option<(Trace, TraceInfo)> {
    let path = shared_traces()?.join(file);
    let (trace, about) = read_with(&path, ReadOptions::default()).unwrap();
    assert_eq!(about.format, format, "{file}");
    // Notes on MQSim's traces report their similarity to DiskSim's.
    let is_expected = |note: &String| format == "mqsim" && note.starts_with("the times look like MQSim's");
    assert!(about.notes().iter().all(is_expected), "{file}: {:?}", about.notes());
    Some((trace, about))
}

fn assert_close(found: f64, expected: f64, half_unit: f64, what: &str) {
    assert!((found - expected).abs() <= half_unit, "{what}: {found}, expected {expected}");
}

#[test]
fn spc_of_a_search_engine() {
    let Some((trace, _)) = read("spc/websearch-first60s.spc.zst", "spc") else { return };
    let found = numbers(&trace);
    assert_eq!((found.requests, found.reads, found.devices), (24_783, 24_779, 6));
    assert_close(found.span_s, 60.06, 0.005, "span");

    assert_close(found.mean_bytes, 15_419.0, 0.5, "mean size");
}

#[test]
fn spc_of_the_specification() {
    let Some((trace, _)) = read("spc/spec-example.spc", "spc") else { return };
    let found = numbers(&trace);
    assert_eq!((found.requests, found.reads, found.devices), (11, 2, 3));
    assert_close(found.span_s, 1.9, 0.05, "span");
    assert_eq!((trace.lbn[3], trace.blocks[3], trace.arrival_ns[3]), (3_436_288, 31, 1_250_720_000));
}

#[test]
fn mqsim_of_tpc_c() {
    let Some((trace, _)) = read("mqsim/tpcc-small.trace.zst", "mqsim") else { return };
    let found = numbers(&trace);
    assert_eq!((found.requests, found.devices), (6_999, 16));
    assert_close(found.reads as f64 / 69.99, 62.6, 0.05, "% reads");
    assert_close(found.mean_bytes, 8_532.0, 0.5, "mean size");
    assert_close(found.span_s, 0.136, 0.0005, "span");
}

/// Mean measured service time in ms, number of reads and number of writes in the trace of each drive.
const DRIVES: [(&str, f64, usize, usize); 8] = [
    ("atlas10k", 3.89, 6569, 3431),
    ("cheetah4LP", 5.33, 6639, 3361),
    ("atlas_III", 6.26, 6498, 3502),
    ("barracuda", 6.63, 6511, 3489),
    ("hp_c2490a", 12.55, 6817, 3167),
    ("st41601n", 14.62, 6677, 3322),
    ("hp_c2247a", 15.30, 5115, 4884),
    ("dec_rz26", 15.81, 5424, 2556),
];

#[test]
fn validation_traces_of_drives() {
    for (drive, mean_ms, reads, writes) in DRIVES {
        let Some((trace, _)) = read(&format!("disksim-valid/{drive}.trace.zst"), "validate") else { return };
        let found = numbers(&trace);
        assert_close(found.mean_service_ms, mean_ms, 0.005, drive);
        assert_eq!((found.reads, found.requests - found.reads), (reads, writes), "{drive}");
        assert_eq!(trace.service_ns, trace.response_ns, "{drive}");
        // Closed loop: no request arrives before the earlier ones are complete.
        let ends = trace.arrival_ns.iter().zip(&trace.service_ns).map(|(arrival, service)| arrival + service);
        assert!(ends.zip(&trace.arrival_ns[1..]).all(|(end, next)| end <= *next), "{drive}");
    }
}
