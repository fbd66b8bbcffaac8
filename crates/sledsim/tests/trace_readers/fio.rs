//! The iologs of fio: the fields of their lines, the error for every fault, and files that are written and read again.

use proptest::prelude::*;
use sledsim::trace::{Op, Trace, TraceInfo, TraceRow, TraceWriter};

use crate::samples::{FIO_2, FIO_3};
use crate::support::{read_bytes, rows};

fn error(content: &str) -> String {
    read_bytes(content.as_bytes(), None, false).unwrap_err().to_string()
}

#[test]
fn waits_of_version_2_add_up() {
    let (trace, about) = read_bytes(FIO_2.as_bytes(), None, false).unwrap();
    let first = TraceRow { lbn: 2, blocks: 2, ..TraceRow::default() };
    assert_eq!(
        rows(&trace),
        [
            first,
            TraceRow { arrival_ns: 166_000, lbn: 0, blocks: 3, op: Op::Write, device: 1, ..first },
            TraceRow { arrival_ns: 4_231_000, lbn: 1056, blocks: 256, op: Op::Discard, ..first },
            TraceRow { arrival_ns: 4_231_000, lbn: 0, blocks: 0, op: Op::Flush, ..first },
        ]
    );
    assert_eq!(about.device_names.values().collect::<Vec<_>>(), ["/dev/sda", "/dev/sdb"]);
    assert_eq!(about.skipped.empty, 1);
}

#[test]
fn lines_of_version_3_begin_with_their_time() {
    let (trace, _) = read_bytes(FIO_3.as_bytes(), None, false).unwrap();
    let first = TraceRow { arrival_ns: 130_000, lbn: 3952, blocks: 32, ..TraceRow::default() };
    assert_eq!(
        rows(&trace),
        [
            first,
            TraceRow { arrival_ns: 1_115_000, lbn: 48_515, blocks: 26, op: Op::Write, ..first },
            TraceRow { arrival_ns: 4_666_058_000, op: Op::Flush, ..TraceRow::default() },
        ]
    );
}

#[test]
fn each_wrong_field_is_named() {
    let third = [
        ("x f read 0 1", "a time in us from 0", "\"x\""),
        ("9223372036854776 f read 0 1", "a time in us from 0", "\"9223372036854776\""),
        ("1", "a file name", "the end of the line"),
        ("1 f", "an action (add, open, close, read, write, trim, sync or datasync)", "the end of the line"),
        ("1 f wait 1 0", "an action (add, open, close, read, write, trim, sync or datasync)", "\"wait\""),
        ("1 f add 1", "the end of the line", "\"1\""),
        ("1 f read", "an offset in bytes from 0 to 9223372036854775807", "the end of the line"),
        ("1 f read -1 2", "an offset in bytes from 0 to 9223372036854775807", "\"-1\""),
        ("1 f read 0", "a size in bytes from 0 to 1099511626752", "the end of the line"),
        ("1 f read 0 1099511626753", "a size in bytes from 0 to 1099511626752", "\"1099511626753\""),
        ("1 f read 0 1 2", "the end of the line", "\"2\""),
    ];
    let second = [
        ("f go 1 0", "an action (add, open, close, read, write, trim, sync, datasync or wait)", "\"go\""),
        ("f wait x 0", "a wait in us from 0", "\"x\""),
        ("f wait 9223372036854775 0\nf wait 1 0", "a wait in us from 0", "\"1\""),
        ("f wait 1", "0 after a wait", "the end of the line"),
    ];
    for (version, faults) in [(3, &third[..]), (2, &second[..])] {
        for (line, expected, found) in faults {
            let at = 1 + line.lines().count();
            assert_eq!(
                error(&format!("fio version {version} iolog\n{line}\n")),
                format!("FILE:{at}: expected {expected}, found {found}"),
                "{line}"
            );
        }
    }
}

#[test]
fn other_versions_are_refused() {
    assert_eq!(
        error("fio version 4 iolog\n"),
        "FILE:1: expected \"fio version 2 iolog\" or \"fio version 3 iolog\" in the first line, found \"fio\""
    );
}

#[test]
fn a_device_is_opened_once_under_its_name() {
    let mut trace = Trace::default();
    let first = TraceRow { arrival_ns: 1_499, lbn: 3, blocks: 2, device: 7, ..TraceRow::default() };
    trace.push(first);
    trace.push(TraceRow { arrival_ns: 2_500, op: Op::Discard, device: 9, ..first });
    trace.push(TraceRow { arrival_ns: 2_500, lbn: 0, blocks: 0, op: Op::Flush, ..first });
    let mut about = TraceInfo::default();
    about.device_names.insert(7, "disc unit 7".to_owned());
    let mut writer = TraceWriter::new("fio").unwrap();
    let text = String::from_utf8(writer.rows(&trace, &about).unwrap()).unwrap();
    assert_eq!(
        text,
        "fio version 3 iolog\n1 disc_unit_7 add\n1 disc_unit_7 open\n1 disc_unit_7 read 1536 1024\n\
         3 device9 add\n3 device9 open\n3 device9 trim 1536 1024\n3 disc_unit_7 sync 0 0\n"
    );
    trace.lbn[0] = i64::MAX / 512 + 1;
    assert_eq!(
        TraceWriter::new("fio").unwrap().rows(&trace, &about).unwrap_err().to_string(),
        "fio: expected a sector from 0 to 18014398509481983, found 18014398509481984"
    );
}

/// Random traces that an iolog can hold: times are whole microseconds, and devices are numbered in the order of their
/// first requests.
fn holdable() -> impl Strategy<Value = Trace> {
    let request = (0..1u64 << 40, 0..i64::MAX / 512 - (1 << 31), 1..i32::MAX, 0usize..4, 0i32..3);
    prop::collection::vec(request, 1..50).prop_map(|requests| {
        let (mut trace, mut time_us, mut devices) = (Trace::default(), 0, Vec::new());
        for (gap_us, lbn, blocks, op, device) in requests {
            time_us += gap_us as i64;
            let number = devices.iter().position(|its| *its == device).unwrap_or(devices.len());
            if number == devices.len() {
                devices.push(device);
            }
            let (op, flush) = (Op::ALL[op], Op::ALL[op] == Op::Flush);
            let (lbn, blocks) = if flush { (0, 0) } else { (lbn, blocks) };
            let (arrival_ns, device) = (time_us * 1_000, number as i32);
            trace.push(TraceRow { arrival_ns, lbn, blocks, op, device, ..TraceRow::default() });
        }
        trace
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(trace in holdable(), pieces in 1usize..4) {
        let mut writer = TraceWriter::new("fio").unwrap();
        let mut content = Vec::new();
        for first in (0..trace.len()).step_by(trace.len().div_ceil(pieces)) {
            let mut part = Trace::default();
            part.extend_from(&trace, first..(first + trace.len().div_ceil(pieces)).min(trace.len()));
            content.extend(writer.rows(&part, &TraceInfo::default()).unwrap());
        }
        prop_assert_eq!(writer.left_out, 0);
        let (read, about) = read_bytes(&content, None, false).unwrap();
        prop_assert_eq!(&read, &trace);
        let mut again = TraceWriter::new("fio").unwrap();
        prop_assert_eq!(read_bytes(&again.rows(&read, &about).unwrap(), None, false).unwrap(), (read, about));
    }
}
