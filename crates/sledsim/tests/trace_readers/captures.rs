//! Real captures of file systems, and a trace of DiskSim's, where they are at hand.
#![expect(clippy::disallowed_macros, reason = "a skipped test says so")]

use std::io::Read;
use std::path::{Path, PathBuf};

use sledsim::trace::Trace;

use crate::support::read;

/// The folder of shared traces beside the checkout, if there is one.
fn shared_traces() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: the sample traces are not at {}", folder.display());
    None
}

/// Requests, reads and flushes of each capture, as counted when it was taken.
const CAPTURES: [(&str, usize, usize, u64); 5] = [
    ("ext2-1k", 8337, 5072, 373),
    ("ext2-4k", 6181, 3479, 373),
    ("ext3-1k", 9966, 5138, 545),
    ("ext3-4k", 7642, 3519, 535),
    ("ext4-4k", 4833, 3031, 546),
];

#[test]
fn text_and_binary_of_a_capture_are_the_same_and_agree_with_its_requests() {
    let Some(folder) = shared_traces() else { return };
    for (name, requests, reads, flushes) in CAPTURES {
        let file = |ending: &str| folder.join(format!("fs-captures/{name}/{name}.{ending}"));
        let text = read(&file("blkparse.txt.gz"));
        assert_eq!(text.format, "blkparse");
        assert_eq!((text.len(), reads_of(&text), text.skipped.flushes), (requests, reads, flushes), "{name}");
        let expected = requests_csv(&file("requests.csv.gz"));
        assert!(text == Trace { format: "blkparse", skipped: text.skipped, ..expected }, "{name}");
        for cpu in 0..2 {
            let binary = read(&file(&format!("blktrace.{cpu}.gz")));
            assert!(Trace { format: "blkparse", ..binary } == text, "{name} by CPU {cpu}");
        }
    }
}

fn reads_of(trace: &Trace) -> usize {
    trace.write.iter().filter(|&&write| !write).count()
}

/// The columns of `time_us,op,sector,nsect,sync,meta,...`, without the flushes.
fn requests_csv(path: &Path) -> Trace {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut trace = Trace::default();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        if fields[1] == "F" {
            continue;
        }
        trace.push(sledsim::trace::Request {
            arrival_ns: fields[0].replace('.', "").parse().unwrap(),
            lbn: fields[2].parse().unwrap(),
            blocks: fields[3].parse().unwrap(),
            write: fields[1] == "W",
            metadata: fields[5] == "1",
            device: 0,
        });
    }
    trace
}

#[test]
fn a_trace_of_disksim_is_read() {
    let Some(folder) = shared_traces() else { return };
    let trace = read(&folder.join("disksim-valid/ascii.trace.zst"));
    let mut devices = trace.device.clone();
    devices.sort_unstable();
    devices.dedup();
    assert_eq!(
        (trace.format, trace.len(), devices.len(), reads_of(&trace)),
        ("disksim", 100_000, 14, 79_634)
    );
    assert_eq!((trace.arrival_ns[0], trace.lbn[1], trace.blocks[1]), (13_191_135, 576_560, 6));
}

#[test]
fn the_bundled_trace_is_the_capture_of_ext4() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/sledsim/data");
    let bundled = read(&folder.join("ext4-4k.blkparse.zst"));
    assert_eq!((bundled.len(), reads_of(&bundled), bundled.skipped.flushes), (4833, 3031, 546));
    let Some(folder) = shared_traces() else { return };
    assert!(bundled == read(&folder.join("fs-captures/ext4-4k/ext4-4k.blkparse.txt.gz")));
}
