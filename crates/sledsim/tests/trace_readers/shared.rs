//! Real traces in binary formats and an iolog of fio, which are read if available: their figures agree with known ones.

use std::collections::HashMap;
use std::path::Path;

use sledsim::trace::{flags, Op, Trace};

use crate::support::{counts, decompressed, read, read_with, shared_traces};

/// Names of the classes of blocks in decoded files, in the order of the class numbers.
const CLASSES: [&str; 12] = [
    "unknown",
    "user-data",
    "inode",
    "directory",
    "indirect",
    "superblock",
    "cylgroup",
    "swap",
    "raw/phys(v7)",
    "exec-paging",
    "10",
    "vxfs(v7)",
];

fn share(trace: &Trace, which: impl Fn(usize) -> bool) -> f64 {
    let count = (0..trace.len()).filter(|&row| which(row)).count();
    (1000.0 * count as f64 / trace.len() as f64).round() / 10.0
}

fn mean_bytes(trace: &Trace) -> f64 {
    let moved = trace.blocks.iter().zip(&trace.op).filter(|(_, op)| op.moves_data());
    let (bytes, count) =
        moved.fold((0, 0), |(bytes, count), (blocks, _)| (bytes + 512 * i64::from(*blocks), count + 1));
    (bytes as f64 / f64::from(count)).round()
}

fn span_s(trace: &Trace) -> f64 {
    (trace.arrival_ns[trace.len() - 1] - trace.arrival_ns[0]) as f64 * 1e-9
}

/// Checks that every request equals the row of a decoded table, whose columns are
/// `time_us,device,offset_bytes,size_bytes,rw,sync,async,class,flush,start_us,stop_us,qlen`.
fn assert_is_decoded(trace: &Trace, decoded: &Path) {
    let text = String::from_utf8(decompressed(decoded)).unwrap();
    assert_eq!(text.lines().count(), trace.len() + 1);
    for (row, line) in text.lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let whole = |at: usize| -> i64 { fields[at].parse().unwrap() };
        let request = trace.row(row);
        let (offset, size) = (whole(2), whole(3));
        let drive: i32 = fields[1].split(':').next().unwrap().parse().unwrap();
        let flag = |at: usize, flag| if fields[at] == "1" { flag } else { 0 };
        assert_eq!(request.arrival_ns, whole(0) * 1_000, "{line}");
        assert_eq!(request.device, drive, "{line}");
        assert_eq!(request.lbn, offset / 512, "{line}");
        assert_eq!(i64::from(request.blocks), (offset + size + 511) / 512 - offset / 512, "{line}");
        assert_eq!(request.op == Op::Read, fields[4] == "R", "{line}");
        assert_eq!(
            request.flags,
            flag(5, flags::SYNC) | flag(6, flags::ASYNC) | flag(8, flags::DAEMON),
            "{line}"
        );
        assert_eq!(CLASSES[usize::from(request.class)], fields[7], "{line}");
        assert_eq!(request.metadata, (2..=6).contains(&request.class), "{line}");
        assert_eq!(request.service_ns, (whole(10) - whole(9)).max(0) * 1_000, "{line}");
        assert_eq!(request.response_ns, whole(10) * 1_000, "{line}");
    }
}

#[test]
fn the_week_of_hplajw_is_read() {
    let Some(folder) = shared_traces() else { return };
    let (trace, about) =
        read_with(&folder.join("hp-srt/hplajw-1week-1992.srt.zst"), sledsim::trace::ReadOptions::default())
            .unwrap();
    assert_is_decoded(&trace, &folder.join("hp-srt/hplajw-decoded.csv.zst"));
    assert_eq!(counts(&trace), (44_519, 13_040, 0));
    assert_eq!(share(&trace, |row| trace.op[row] == Op::Read), 29.3);
    assert_eq!(share(&trace, |row| trace.metadata[row]), 57.2);
    let writes = (0..trace.len()).filter(|&row| trace.op[row] == Op::Write);
    let of_metadata = writes.clone().filter(|&row| trace.metadata[row]).count();
    assert_eq!((1000.0 * of_metadata as f64 / writes.count() as f64).round(), 741.0);
    assert_eq!((span_s(&trace).round(), mean_bytes(&trace)), (603_065.0, 5_914.0));
    let names: Vec<&String> = about.device_names.values().collect();
    assert_eq!(names, ["disc unit 0 sections 8, 14, 15", "disc unit 1 section 7"]);
    assert!(
        about.notes().is_empty() && about.late == 0 && about.skipped == sledsim::trace::Skipped::default()
    );
}

/// Figures of hplajw by class of blocks: class number; numbers of requests, of reads, of synchronous and asynchronous
/// requests and of requests by the update daemon; mean size in bytes.
const HPLAJW: [(u8, [usize; 5], f64); 8] = [
    (2, [17_180, 1_128, 7_811, 8_241, 9_640], 8_192.0),
    (1, [11_923, 4_100, 1_838, 7_414, 1_692], 6_557.0),
    (3, [4_477, 614, 3_863, 0, 0], 1_420.0),
    (7, [4_224, 3_884, 0, 0, 0], 3_730.0),
    (9, [2_915, 2_915, 0, 0, 0], 4_107.0),
    (6, [2_640, 201, 753, 1_685, 2_427], 2_053.0),
    (5, [753, 0, 753, 0, 751], 2_048.0),
    (4, [407, 198, 120, 89, 138], 8_192.0),
];

#[test]
fn the_classes_of_hplajw_are_those_known() {
    let Some(folder) = shared_traces() else { return };
    let trace = read(&folder.join("hp-srt/hplajw-1week-1992.srt.zst"));
    for (class, expected, bytes) in HPLAJW {
        let rows: Vec<usize> = (0..trace.len()).filter(|&row| trace.class[row] == class).collect();
        let flagged = |flag| rows.iter().filter(|&&row| trace.flags[row] & flag != 0).count();
        let reads = rows.iter().filter(|&&row| trace.op[row] == Op::Read).count();
        let counted =
            [rows.len(), reads, flagged(flags::SYNC), flagged(flags::ASYNC), flagged(flags::DAEMON)];
        assert_eq!(counted, expected, "class {class}");
        let sectors: i64 = rows.iter().map(|&row| i64::from(trace.blocks[row])).sum();
        assert_eq!((512.0 * sectors as f64 / rows.len() as f64).round(), bytes, "class {class}");
    }
}

#[test]
fn the_hour_of_cello_is_read() {
    let Some(folder) = shared_traces() else { return };
    let path = folder.join("hp-srt/cello-hourly-2003.srt.zst");
    let (trace, about) = read_with(&path, sledsim::trace::ReadOptions::default()).unwrap();
    assert_is_decoded(&trace, &folder.join("hp-srt/cello-2003-decoded.csv.zst"));
    assert_eq!((trace.len(), about.device_names.len()), (43_000, 77));
    assert_eq!(share(&trace, |row| trace.op[row] == Op::Read), 24.6);
    assert_eq!(span_s(&trace).round(), 3_699.0);
    let by_class =
        [(1, 7_842), (2, 7_279), (3, 705), (4, 267), (5, 829), (6, 4_554), (8, 4_931), (11, 16_593)];
    for (class, requests) in by_class {
        assert_eq!(trace.class.iter().filter(|its| **its == class).count(), requests, "class {class}");
    }
    // Sunday, 18 May 2003, 11:04:05 at HP, which is seven hours behind; the header leaves out the fraction.
    assert_eq!(about.origin_unix_ns, Some(1_053_281_044_630_058_000));
}

#[test]
fn vscsi_and_oracle_general_of_a_disk_are_the_same_but_for_what_the_latter_lacks() {
    let Some(folder) = shared_traces() else { return };
    let first = read(&folder.join("cloudphysics/cloudPhysicsIO.vscsi.zst"));
    let other = read(&folder.join("cloudphysics/cloudPhysicsIO.oracleGeneral.bin.zst"));
    assert_eq!((first.len(), mean_bytes(&first)), (113_872, 36_936.0));
    assert_eq!(share(&first, |row| first.op[row] == Op::Read), 41.3);
    assert_eq!(span_s(&first).round(), 7_200.0);
    assert!(first.lbn == other.lbn);
    // An object has one size, that of its first access.
    let mut sizes = HashMap::new();
    for (lbn, blocks) in first.lbn.iter().zip(&first.blocks) {
        sizes.entry(lbn).or_insert(blocks);
    }
    assert!(other.lbn.iter().zip(&other.blocks).all(|(lbn, blocks)| sizes[lbn] == blocks));
    assert!(other.op.iter().all(|op| *op == Op::Read));
    // Whole seconds of the same clock, rounded to either side.
    assert!(first
        .arrival_ns
        .iter()
        .zip(&other.arrival_ns)
        .all(|(ns, whole)| (ns - whole).abs() < 1_000_000_000));
}

#[test]
fn an_iolog_that_fio_wrote_is_read() {
    let Some(folder) = shared_traces() else { return };
    let trace = read(&folder.join("fio-iolog/randrw-v3.iolog.gz"));
    let (moved, reads, flushes) = counts(&trace);
    assert_eq!((moved, flushes, mean_bytes(&trace), span_s(&trace).round()), (1_500, 43, 7_688.0, 75.0));
    assert_eq!((1000.0 * reads as f64 / moved as f64).round(), 675.0);
}

#[test]
fn an_iolog_made_of_a_capture_has_its_requests() {
    let Some(folder) = shared_traces() else { return };
    let trace = read(&folder.join("fio-iolog/ext3-4k-v2.iolog.gz"));
    let capture = read(&folder.join("fs-captures/ext3-4k/ext3-4k.blkparse.txt.gz"));
    let moved: Vec<usize> = (0..capture.len()).filter(|&row| capture.op[row].moves_data()).collect();
    assert_eq!((trace.len(), moved.len(), mean_bytes(&trace)), (7_642, 7_642, 38_056.0));
    assert_eq!((share(&trace, |row| trace.op[row] == Op::Read), span_s(&trace).round()), (46.0, 232.0));
    for (row, &of_capture) in moved.iter().enumerate() {
        let (request, original) = (trace.row(row), capture.row(of_capture));
        assert_eq!(
            (request.lbn, request.blocks, request.op),
            (original.lbn, original.blocks, original.op),
            "{row}"
        );
        // Waits below 100 us and fractions are left out of the file, so that requests come increasingly
        // early.
        let early_ns = original.arrival_ns - request.arrival_ns;
        assert!((0..2_000_000).contains(&early_ns), "request {row}: {early_ns} ns early");
    }
}
