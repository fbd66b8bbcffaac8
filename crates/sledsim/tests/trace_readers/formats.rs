//! Small files of every format, each plain and in every accepted compression.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use sledsim::error::Error;
use sledsim::trace::{
    flags, size_bytes, Input, Op, ReadOptions, Skipped, Trace, TraceReader, TraceRow, FORMATS,
};

use crate::support::{
    gzip, read, read_with, rows, write, xz, zstd, Record, CGROUP, COMPLETION, DISCARD, DISPATCH, FLUSH,
    METADATA, NOTE_MESSAGE, NOTE_PROCESS, PASSED_THROUGH, SYNC, WRITE,
};

const DISKSIM: &str = "13.191135\t30\t0\t5\t1\n17.8292850 20 576560 6 0\n1.8e1 2 7 8 0x81 3\n";

fn disksim_rows() -> Vec<TraceRow> {
    let sync_read = TraceRow { flags: flags::SYNC, ..TraceRow::default() };
    vec![
        TraceRow { arrival_ns: 13_191_135, blocks: 5, device: 30, ..TraceRow::default() },
        TraceRow {
            arrival_ns: 17_829_285,
            lbn: 576_560,
            blocks: 6,
            op: Op::Write,
            device: 20,
            ..TraceRow::default()
        },
        TraceRow { arrival_ns: 18_000_000, lbn: 7, blocks: 8, device: 2, ..sync_read },
    ]
}

#[test]
fn every_format_is_a_row_with_a_name_of_its_own() {
    let names: Vec<&str> = FORMATS.rows().into_iter().map(|format| format.name).collect();
    let different: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), different.len(), "{names:?}");
}

#[test]
fn disksim_lines_become_columns() {
    assert_eq!(rows(&read(&write("plain.trace", DISKSIM))), disksim_rows());
}

#[test]
fn comments_blank_lines_windows_line_ends_and_a_missing_last_one_are_accepted() {
    let text = format!("# a comment\n\n  \t\n{}", DISKSIM.trim_end()).replace('\n', "\r\n");
    assert_eq!(rows(&read(&write("windows.trace", text))), disksim_rows());
}

#[test]
fn compression_is_detected_by_the_first_bytes() {
    let (first, second) = DISKSIM.as_bytes().split_at(40);
    let gzip_members = [gzip(first), gzip(second)].concat();
    let zstd_frames = [zstd(first), zstd(second)].concat();
    let xz_streams = [xz(first), xz(second)].concat();
    for (name, content) in [("gz", gzip_members), ("zst", zstd_frames), ("xz", xz_streams)] {
        assert_eq!(rows(&read(&write(&format!("compressed.{name}.txt"), content))), disksim_rows(), "{name}");
    }
}

#[test]
fn lines_are_whole_across_the_border_of_the_buffer() {
    let lines: String = (0..100_000).map(|i| format!("{i}.5 0 {i} 8 1\n")).collect();
    let trace = read(&write("long.trace", lines));
    assert_eq!(trace.len(), 100_000);
    assert!((0..100_000i64).all(|i| trace.lbn[i as usize] == i));
    assert!((0..100_000i64).all(|i| trace.arrival_ns[i as usize] == i * 1_000_000 + 500_000));
}

const BLKPARSE: &str = "\
Input file x.blktrace.0 added
  8,16   1        1     0.000000000 18286  Q  RM 2 + 2 [mount]
  8,16   1        2     0.000016400 18286  D  RM 2 + 2 [my program]
  8,16   1        3     0.000020000 18286  m   N cfq schedule dispatch
  8,0    0        4     0.100000000    44  D  FN [kworker/1:1H]
  8,0    0        5     0.200000000    44  D  DS 64 + 128 [fstrim]
  8,0    0        6     0.300000000    44  D   R 36 (12 00 00 00 24 00 ..) [udev]
  8,0    0        7     1.500000001    44  D WSM 2097152 + 8 [umount]
  8,16   1        4     1.600000000 18286  C  RM 2 + 2 [0]
CPU0 (8,16):
 Reads Queued:           1,        1KiB
Total (8,16):
";

/// The requests in `BLKPARSE`. The device `8,16` is number 0, because it receives the first request.
fn blkparse_rows() -> Vec<TraceRow> {
    let (flush, discard) = (Op::Flush, Op::Discard);
    let first = TraceRow { arrival_ns: 16_400, lbn: 2, blocks: 2, metadata: true, ..TraceRow::default() };
    let second = TraceRow { device: 1, ..TraceRow::default() };
    vec![
        TraceRow { service_ns: 1_599_983_600, response_ns: 1_599_983_600, ..first },
        TraceRow { arrival_ns: 100_000_000, op: flush, ..second },
        TraceRow { arrival_ns: 200_000_000, lbn: 64, blocks: 128, op: discard, flags: flags::SYNC, ..second },
        TraceRow {
            arrival_ns: 1_500_000_001,
            lbn: 2_097_152,
            blocks: 8,
            op: Op::Write,
            metadata: true,
            flags: flags::SYNC,
            ..second
        },
    ]
}

fn assert_blkparse(path: &Path, format: &str) {
    let (trace, about) = read_with(path, ReadOptions::default()).unwrap();
    assert_eq!(rows(&trace), blkparse_rows(), "{}", path.display());
    assert_eq!(about.format, format);
    assert_eq!(about.skipped, Skipped { commands: 1, ..Skipped::default() });
    assert_eq!(about.device_names, BTreeMap::from([(0, "8,16".to_owned()), (1, "8,0".to_owned())]));
}

#[test]
fn dispatches_of_blkparse_become_rows() {
    assert_blkparse(&write("x.blkparse", BLKPARSE), "blkparse");
}

#[test]
fn only_the_dispatches_of_blkparse_are_enough() {
    let lines: Vec<&str> = BLKPARSE.lines().filter(|line| line.contains(" D ")).collect();
    let unmeasured = |row| TraceRow { service_ns: 0, response_ns: 0, ..row };
    let expected: Vec<TraceRow> = blkparse_rows().into_iter().map(unmeasured).collect();
    assert_eq!(rows(&read(&write("d.blkparse", lines.join("\n")))), expected);
}

/// The capture of `BLKPARSE` as blktrace records, one file for each of two CPUs; its clock starts at another time.
fn blktrace_records() -> [Vec<Record>; 2] {
    let at = |ns: u64, action, sector, bytes| Record::new(5_000_000_000 + ns, action, sector, bytes);
    let on_16 = |record| Record { device: 8 << 20 | 16, ..record };
    let mut note = Record::new(1, NOTE_PROCESS, 0, 0);
    note.payload = b"mount\0\0\0".to_vec();
    let mut with_cgroup = on_16(at(16_400, DISPATCH | CGROUP | METADATA, 2, 1024));
    with_cgroup.payload = vec![0; 8];
    let cpu_0 = vec![
        note.clone(),
        at(100_000_000, DISPATCH | FLUSH, 0, 0),
        at(200_000_000, DISPATCH | SYNC | WRITE | DISCARD, 64, 65_536),
        at(300_000_000, DISPATCH | PASSED_THROUGH, 0, 36),
        at(1_500_000_001, DISPATCH | SYNC | WRITE | METADATA, 2_097_152, 4096),
    ];
    let cpu_1 = vec![
        note,
        on_16(at(0, NOTE_MESSAGE, 0, 0)),
        with_cgroup,
        on_16(at(1_600_000_000, COMPLETION, 2, 1024)),
    ];
    [cpu_0, cpu_1]
}

#[test]
fn all_cpu_files_of_a_blktrace_are_merged_whichever_is_named() {
    for (order, encode) in
        [("little", Record::little_endian as fn(&Record) -> _), ("big", Record::big_endian)]
    {
        let paths = blktrace_records()
            .iter()
            .enumerate()
            .map(|(cpu, records)| {
                let content: Vec<u8> = records.iter().flat_map(encode).collect();
                write(&format!("{order}/disk.blktrace.{cpu}.gz"), gzip(&content))
            })
            .collect::<Vec<_>>();
        let idle = write(&format!("{order}/disk.blktrace.2.gz"), gzip(b""));
        write(&format!("{order}/other.blktrace.0.gz"), "not of this capture");
        for path in paths.iter().chain([&idle]) {
            assert_blkparse(path, "blktrace");
        }
    }
}

#[test]
fn a_blktrace_under_another_name_stands_alone() {
    let record = Record::new(99, DISPATCH, 5, 512).little_endian();
    let trace = read(&write("renamed.bin", record));
    assert_eq!((trace.arrival_ns, trace.lbn, trace.blocks), (vec![0], vec![5], vec![1]));
}

#[test]
fn sorting_moves_all_columns_keeps_the_order_of_equals_and_is_counted() {
    let path = write("unsorted.trace", "2 0 10 1 1\n1 1 20 2 0\n2 2 30 3 0\n1 3 40 4 1\n");
    let (trace, about) = read_with(&path, ReadOptions::default()).unwrap();
    assert_eq!(trace.arrival_ns, [1_000_000, 1_000_000, 2_000_000, 2_000_000]);
    assert_eq!(trace.lbn, [20, 40, 10, 30]);
    assert_eq!(trace.blocks, [2, 4, 1, 3]);
    assert_eq!(trace.op, [Op::Write, Op::Read, Op::Read, Op::Write]);
    assert_eq!(trace.device, [1, 3, 0, 2]);
    assert_eq!(about.late, 2);
}

#[test]
fn batches_are_the_whole_in_order() {
    // Every thousandth request is ten lines late.
    let time = |i: i64| if i % 1000 == 999 { i - 10 } else { i };
    let lines: String = (0..300_000).map(|i| format!("{} 0 {i} 8 1\n", time(i))).collect();
    let path = write("batches.trace", lines);
    let (whole, about) = read_with(&path, ReadOptions::default()).unwrap();
    let mut reader = TraceReader::open(Input::File(path), &ReadOptions::default()).unwrap();
    let mut batches = Vec::new();
    while let Some(batch) = reader.next_batch(&mut |_| ControlFlow::Continue(())).unwrap() {
        batches.push(batch);
    }
    assert!(batches.len() > 3);
    assert_eq!(reader.about(), &about);
    assert_eq!(about.late, 300);
    let mut joined = Trace::default();
    batches.into_iter().for_each(|batch| joined.append(batch));
    assert_eq!(joined, whole);
}

#[test]
fn progress_runs_up_to_the_size_of_all_files() {
    let content: Vec<u8> =
        (0..50_000).flat_map(|i| Record::new(i, DISPATCH, i, 512).little_endian()).collect();
    let path = write("progress/x.blktrace.0", &content);
    write("progress/x.blktrace.1", &content);
    let mut counts = Vec::new();
    let mut reader = TraceReader::open(Input::File(path.clone()), &ReadOptions::default()).unwrap();
    reader
        .rest(&mut |bytes| {
            counts.push(bytes);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(counts.last(), Some(&(2 * content.len() as u64)));
    assert_eq!(counts.last(), Some(&size_bytes(&path).unwrap()));
    assert!(counts.len() > 1, "{counts:?}");
}

#[test]
fn an_observer_can_stop_the_reading() {
    let path = write("stopped.trace", DISKSIM);
    let mut reader = TraceReader::open(Input::File(path), &ReadOptions::default()).unwrap();
    let error = reader.rest(&mut |_| ControlFlow::Break(())).unwrap_err();
    assert!(matches!(error, Error::Interrupted));
}
