//! Captures of real file systems and a trace of DiskSim, which are read if they are available.
use std::io::Read;
use std::path::Path;

use sledsim::trace::{flags, Op, Trace, TraceRow};

use crate::support::{counts, read, shared_traces};

/// The captures, each with its number of reads and writes, of reads, and of flushes, as counted at its recording.
const CAPTURES: [(&str, usize, usize, usize); 5] = [
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
        assert_eq!(counts(&text), (requests, reads, flushes), "{name}");
        assert!(text == requests_csv(&file("requests.csv.gz")), "{name}");
        for cpu in 0..2 {
            assert!(read(&file(&format!("blktrace.{cpu}.gz"))) == text, "{name} by CPU {cpu}");
        }
    }
}

/// Reads the requests of a capture from its table `requests.csv`, with the columns
/// `time_us,op,sector,nsect,sync,meta,ahead,fua,pid,comm,device_us,phase`.
fn requests_csv(path: &Path) -> Trace {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut trace = Trace::default();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let whole = |at: usize| -> i64 { fields[at].replace('.', "").parse().unwrap() };
        let flag = |at: usize, flag| if fields[at] == "1" { flag } else { 0 };
        trace.push(TraceRow {
            arrival_ns: whole(0),
            lbn: whole(2),
            blocks: whole(3) as i32,
            op: match fields[1] {
                "F" => Op::Flush,
                "W" => Op::Write,
                _ => Op::Read,
            },
            metadata: fields[5] == "1",
            flags: flag(4, flags::SYNC) | flag(6, flags::READ_AHEAD) | flag(7, flags::FUA),
            service_ns: whole(10),
            response_ns: whole(10),
            ..TraceRow::default()
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
    assert_eq!((counts(&trace), devices.len()), ((100_000, 79_634, 0), 14));
    assert_eq!((trace.arrival_ns[0], trace.lbn[1], trace.blocks[1]), (13_191_135, 576_560, 6));
}

#[test]
fn the_bundled_trace_is_the_capture_of_ext4() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/sledsim/traces/data");
    let bundled = read(&folder.join("ext4-4k.blkparse.zst"));
    assert_eq!(counts(&bundled), (4833, 3031, 546));
    let Some(folder) = shared_traces() else { return };
    assert!(bundled == read(&folder.join("fs-captures/ext4-4k/ext4-4k.blkparse.txt.gz")));
}
