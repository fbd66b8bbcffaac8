//! Disk events of Windows' event tracing, as printed by `xperf -a dumper`, `tracerpt -of CSV` and the Windows
//! Performance Analyzer. The layouts are those of Microsoft's production server traces (SNIA IOTTA 158), of the classes
//! DiskIo_TypeGroup1, DiskIo_TypeGroup3 and EventTrace_Header, and of the analyzer's table of disk usage.

use sledsim::trace::{Op, TraceRow};

use crate::support::{read_bytes, rows};

const XPERF: &str = "\
BeginHeader
          DiskRead,  TimeStamp,     Process Name ( PID),   ThreadID, CPU,             IrpPtr,   ByteOffset,     IOSize, ElapsedTime,  DiskNum, IrpFlags, DiskSvcTime, I/O Pri,  VolSnap,         FileObject, FileName
      DiskReadInit,  TimeStamp,     Process Name ( PID),   ThreadID, CPU,             IrpPtr
         DiskFlush,  TimeStamp,     Process Name ( PID),   ThreadID, CPU,             IrpPtr,                           ElapsedTime,  DiskNum, IrpFlags, DiskSvcTime, I/O Pri
EndHeader
OS Version: 10.0.19045, Trace Start: 132000000000000000
      DiskReadInit,       7750,        app, v2 (1234),         99,   1, 0xffffe28800000010
          DiskRead,       8000,        app, v2 (1234),         99,   1, 0xffffe28800000010, 0x0000100000, 0x00001000,         250,        0, 0x060043,         240,       3, Original, 0xffffe28800000020, \"C:\\a, b.dat\"
         DiskWrite,       9000,         System (   4),          8,   0, 0xffffe28800000030, 0x0000000200, 0x00000201,         500,        1, 0x060a00,         100,       3, Original, 0xffffe28800000040, \"C:\\$Mft\"
         DiskFlush,      10000,         System (   4),          8,   0, 0xffffe28800000050,                                    750,        1, 0x060a00,         700,       3
";

fn expected() -> Vec<TraceRow> {
    let of = |arrival_us: i64, device, op, elapsed_us: i64, service_us: i64| TraceRow {
        arrival_ns: arrival_us * 1000,
        device,
        op,
        response_ns: elapsed_us * 1000,
        service_ns: service_us * 1000,
        ..TraceRow::default()
    };
    vec![
        TraceRow { lbn: 2048, blocks: 8, ..of(0, 0, Op::Read, 250, 240) },
        TraceRow { lbn: 1, blocks: 2, ..of(750, 1, Op::Write, 500, 100) },
        of(1500, 1, Op::Flush, 750, 700),
    ]
}

#[test]
fn events_that_xperf_dumps_become_requests() {
    let without_header = XPERF.lines().skip(6).collect::<Vec<_>>().join("\n");
    let without_cpu = XPERF.replace(", CPU", "").replace(",   1, 0x", ", 0x").replace(",   0, 0x", ", 0x");
    for text in [XPERF, &without_header, &without_cpu] {
        let format = if text.starts_with("Begin") { None } else { Some("xperf") };
        let (trace, about) = read_bytes(text.as_bytes(), format, false).unwrap();
        assert_eq!((about.format, rows(&trace)), ("xperf", expected()), "{text}");
        assert_eq!(about.skipped.other, 1);
    }
}

const TRACERPT: &str = "\
Event Name, Type, Event ID, Version, Channel, Level, Opcode, Task, Keyword, PID, TID, Processor Number, Instance ID, Parent Instance ID, Activity ID, Related Activity ID, Clock-Time, Kernel(ms), User(ms), User Data
EventTrace, Header, 0, 2, 0, 0, 0, 0, 0x0, 0x4D2, 0x63, 0, , , {0}, , 132000000000000000, 0, 0, 65536, 1, 2, 4, 132000000100000000, 156250, 0, 0x1, 12, 1, 8, 0, 2400, \"NT Kernel Logger\", \"C:\\x.etl\", 60, 131990000000000000, 2000000, 132000000000000000, 1, 0
DiskIo, Read, 0, 3, 0, 0, 10, 0, 0x0, 0x4D2, 0x63, 1, , , {0}, , 132000000000080000, 0, 0, 0, 0x60043, 0x1000, 0, 0x100000, 0xFFFF0, 0xFFFF8, 500, 0x63
DiskIo, ReadInit, 0, 3, 0, 0, 12, 0, 0x0, 0x4D2, 0x63, 1, , , {0}, , 132000000000085000, 0, 0, 0xFFFF8, 0x63
DiskIo, Write, 0, 3, 0, 0, 11, 0, 0x0, 0x4D2, 0x63, 1, , , {0}, , 132000000000090000, 0, 0, 1, 0x60A00, 0x201, 0, 512, 0xFFFF0, 0xFFFF8, 1000, 0x63
DiskIo, Flush, 0, 3, 0, 0, 14, 0, 0x0, 0x4D2, 0x63, 1, , , {0}, , 132000000000100000, 0, 0, 1, 0x60A00, 1500, 0xFFFF8, 0x63
";

#[test]
fn events_that_tracerpt_prints_become_requests() {
    let unserved: Vec<TraceRow> =
        expected().into_iter().map(|row| TraceRow { service_ns: 0, ..row }).collect();
    let (trace, about) = read_bytes(TRACERPT.as_bytes(), None, false).unwrap();
    assert_eq!((about.format, rows(&trace)), ("tracerpt", unserved));
    assert_eq!(about.skipped.other, 1);
    assert_eq!(about.origin_unix_ns, Some(1_555_526_400_007_750_000));
    assert!(about.notes().is_empty(), "{:?}", about.notes());
    let headless = TRACERPT.replace("EventTrace, Header", "EventTrace, Extension");
    let (trace, about) = read_bytes(headless.as_bytes(), None, false).unwrap();
    assert_eq!(trace.response_ns, [50_000, 100_000, 150_000]);
    assert!(about.notes()[0].contains("assuming response times in units of 100 ns"), "{:?}", about.notes());
}

/// The table of the Windows Performance Analyzer is read by its header, without a map of the user. Its flushes have
/// neither size nor place.
#[test]
fn the_table_of_the_performance_analyzer_needs_no_map() {
    let text = "\
Line #,Process,IO Type,Complete Time (s),Init Time (s),IO Time (\u{b5}s),Disk Service Time (\u{b5}s),Size (B),Min Offset,Disk
1,\"app, v2 (1234)\",Read,0.008000,0.007750,250,240,\"4,096\",0x100000,0
2,System (4),Write,0.009000,0.008500,500,100,513,\"512\",1
3,System (4),Flush,0.010000,0.009250,750,700,,,1
";
    let (trace, about) = read_bytes(text.as_bytes(), None, false).unwrap();
    let from_start = |row: TraceRow| TraceRow { arrival_ns: row.arrival_ns + 7_750_000, ..row };
    let expected: Vec<TraceRow> = expected().into_iter().map(from_start).collect();
    assert_eq!((about.format, rows(&trace)), ("csv", expected));
}

#[test]
fn errors_name_the_fault_of_an_event() {
    let error = |text: &str| read_bytes(text.as_bytes(), None, false).unwrap_err().to_string();
    let cut = format!("{XPERF}DiskRead, 8000, a (1), 9, 0xff, 0x1000\n");
    assert_eq!(
        error(&cut),
        "FILE:11: expected a size in bytes from 0 to 1099511626752, found the end of the line"
    );
    let garbage = format!("{XPERF}???\n");
    assert_eq!(
        error(&garbage),
        "FILE:11: expected an event of xperf: its name and a time in us, found \"???\""
    );
    let local = TRACERPT.replace(" 132000000000080000", " 04/17/2019-18:40:00");
    assert!(error(&local).starts_with("FILE:3: expected a Windows file time"), "{}", error(&local));
    let no_header = TRACERPT.split_once('\n').unwrap().1;
    let said = read_bytes(no_header.as_bytes(), Some("tracerpt"), false).unwrap_err().to_string();
    assert!(said.starts_with("FILE:1: expected the header of tracerpt"), "{said}");
}

/// The column of the time in a header of tracerpt has to be behind the first two columns, the names of an event, and
/// before its data.
#[test]
fn a_header_of_tracerpt_has_the_time_where_it_belongs() {
    let (header, events) = TRACERPT.split_once('\n').unwrap();
    let data_first = header.replace("Clock-Time", "-").replace("User Data", "Clock-Time");
    let data_first = data_first.replace(" -,", " User Data,");
    let text = format!("{data_first}\n{events}");
    let said = read_bytes(text.as_bytes(), None, false).unwrap_err().to_string();
    assert!(said.starts_with("FILE:2: expected the header of tracerpt"), "{said}");
    let third = header.replace("Clock-Time", "Time").replace("Event ID", "Clock-Time");
    let text = format!(
        "{third}\nDiskIo, Read, 132000000000080000, 2,{} 0, 0x60043, 0x1000, 0, 0, 0, 0, 500, 0x63\n",
        " 0,".repeat(15)
    );
    let (trace, _) = read_bytes(text.as_bytes(), Some("tracerpt"), false).unwrap();
    assert_eq!((trace.blocks[0], trace.response_ns[0]), (8, 50_000));
}
