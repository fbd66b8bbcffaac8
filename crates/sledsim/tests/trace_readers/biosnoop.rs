//! Traces printed by biosnoop, in the layouts of tools/biosnoop_example.txt and libbpf-tools/biosnoop.c of bcc, and of
//! tools/biosnoop_example.txt of bpftrace, which prints no sectors.

use sledsim::trace::{flags, Op, TraceRow};

use crate::support::{read_bytes, rows};

fn read(text: &str) -> Vec<TraceRow> {
    let (trace, about) =
        read_bytes(text.as_bytes(), None, false).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(about.format, "biosnoop");
    rows(&trace)
}

fn error(text: &str) -> String {
    read_bytes(text.as_bytes(), None, false).unwrap_err().to_string()
}

fn request(arrival_us: i64, lbn: i64, blocks: i32, op: Op, service_us: i64) -> TraceRow {
    let service_ns = service_us * 1000;
    TraceRow {
        arrival_ns: arrival_us * 1000,
        lbn,
        blocks,
        op,
        service_ns,
        response_ns: service_ns,
        ..TraceRow::default()
    }
}

const BCC: &str = "\
TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  LAT(ms)
0.000000    dd             4711    sda       R 1048       4096      0.42
0.000250    Web Content    12      nvme0n1   W 640        8000      0.60
0.001000    ?              0                 R -1         8         0.25
1.000000    kworker/1:1H   88      sda       R 2048       0         0.10
";

#[test]
fn requests_come_as_long_before_their_completion_as_it_says() {
    // Times count from the first arrival, 420 us before the time that is printed as 0.
    let expected =
        [request(0, 1048, 8, Op::Read, 420), TraceRow { device: 1, ..request(70, 640, 16, Op::Write, 600) }];
    let (trace, about) = read_bytes(BCC.as_bytes(), None, false).unwrap();
    assert_eq!(rows(&trace), expected);
    assert_eq!((about.skipped.commands, about.skipped.empty), (1, 1));
    let names: Vec<&String> = about.device_names.values().collect();
    assert_eq!(names, ["sda", "nvme0n1"]);
}

#[test]
fn options_add_columns_and_letters() {
    let text = "\
TIMESTAMP    COMM           PID     DISK    T    SECTOR     BYTES   QUE(ms) LAT(ms)
23:59:59.500 my prog        4711    sda     WSM  640        8192      0.010   1.000
00:00:00.500 kworker        9       sda     FF   -1         0        -1.000   0.250
00:00:01.500 dd             7       sda     RA   8          512       0.001   2.000
";
    let first = request(0, 640, 16, Op::Write, 1000);
    let expected = [
        TraceRow { metadata: true, flags: flags::SYNC, ..first },
        request(1_000_750, 0, 0, Op::Flush, 250),
        TraceRow { flags: flags::READ_AHEAD, ..request(1_999_000, 8, 1, Op::Read, 2000) },
    ];
    assert_eq!(read(text), expected);
    let pattern =
        "TIME(s) COMM PID DISK T SECTOR BYTES P QUE(ms) LAT(ms)\n1.5 dd 7 sda D 8 4096 S 0.01 0.50\n";
    assert_eq!(read(pattern), [request(0, 8, 8, Op::Discard, 500)]);
}

#[test]
fn a_time_of_day_is_one() {
    let line =
        |time| format!("TIMESTAMP COMM PID DISK T SECTOR BYTES LAT(ms)\n{time} dd 7 sda R 8 512 0.5\n");
    for time in ["00:00:00.500", "23:59:59", "0:59:00.999999999", "23:59:60.999"] {
        assert_eq!(read(&line(time)), [request(0, 8, 1, Op::Read, 500)], "{time}");
    }
    for time in ["24:00:00", "24:59:00", "00:60:00", "23:60:00", "25:61:00", "23:59:61", "12:34", "12:-1:00"]
    {
        let said = format!("FILE:2: expected a time of day such as 12:34:56.789, found \"{time}\"");
        assert_eq!(error(&line(time)), said);
    }
}

/// A request on a disk without a name is no request on a disk that is called like its process is numbered.
#[test]
fn a_disk_needs_a_name() {
    for line in [
        "0.003000    ?              0                 R 0          8         2.00",
        "0.003000    Web Content    12                W 640        8000      0.60",
        "0.003000    kworker/1:1H   88                FF 0         0         0.10",
        "0.003000                   88                R 640        8000      0.10",
    ] {
        let (trace, about) = read_bytes(format!("{BCC}{line}\n").as_bytes(), None, false).unwrap();
        assert_eq!((trace.device, about.skipped.other), (vec![0, 1], 1), "{line}");
        assert_eq!(about.device_names.len(), 2, "{line}");
    }
}

#[test]
fn that_of_bpftrace_has_no_sectors() {
    let text = "Attaching 4 probes...\nTIME(ms)     DISK             COMM             PID    LAT(ms)\n611          sda              dd               4711        10\n";
    assert_eq!(
        error(text),
        "FILE:2: expected the header of biosnoop with TIME(s), COMM, DISK, T, SECTOR, BYTES and LAT(ms), as \
         biosnoop-bpfcc and libbpf-tools print it (biosnoop.bt of bpftrace prints no sectors), found \"TIME(ms)\""
    );
}

#[test]
fn errors_name_the_fault_of_a_line() {
    for (line, expected, found) in [
        ("x dd 7 sda R 8 4096 0.5", "a time in s (a decimal number from 0)", "\"x\""),
        ("1.5 dd 7 sda X 8 4096 0.5", "RWBS flags with R, W, D or F", "\"X\""),
        ("1.5 dd 7 sda R x 4096 0.5", "a sector from 0 to 9223372034707292160", "\"x\""),
        ("1.5 dd 7 sda R 8 x 0.5", "a size in bytes from 0 to 1099511626752", "\"x\""),
        ("1.5 dd 7 sda R 8 4096 x", "a latency in ms (a decimal number from 0)", "\"x\""),
        ("1.5 dd", "a line with the columns that the header names", "the end of the line"),
    ] {
        let said = error(&format!("{BCC}{line}\n"));
        assert_eq!(said, format!("FILE:6: expected {expected}, found {found}"), "{line}");
    }
}
