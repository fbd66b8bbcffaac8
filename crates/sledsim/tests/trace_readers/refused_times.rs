//! Times that cannot be, in every format whose lines give the time of completion and the latency.

use std::io::Cursor;
use std::ops::ControlFlow;

use proptest::prelude::*;
use sledsim::trace::{Input, ReadOptions, TraceReader};

use crate::support::{read_bytes, read_mapped};

const CENTURY_NS: i64 = 3_155_760_000_000_000_000;

/// The header and the line of a request in each format, given the time of completion and the latency in ns.
type Line = fn(i64, i64) -> String;

fn decimal(ns: i64, places: usize) -> String {
    let unit = 10_i64.pow(places as u32);
    format!("{}.{:0places$}", ns / unit, ns % unit)
}

const FORMATS: [(&str, &str, Line); 9] = [
    ("biosnoop", "TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n", |time_ns, latency_ns| {
        format!("{} dd 7 sda R 8 4096 {}\n", decimal(time_ns, 9), decimal(latency_ns, 6))
    }),
    ("iosnoop", "ENDs COMM PID TYPE DEV BLOCK BYTES LATms\n", |time_ns, latency_ns| {
        format!("{} dd 7 R 8,0 8 4096 {}\n", decimal(time_ns, 9), decimal(latency_ns, 6))
    }),
    ("xperf", "", |time_ns, latency_ns| {
        let (time_us, latency_us) = (time_ns / 1000, latency_ns / 1000);
        format!("DiskRead, {time_us}, a.exe (1), 99, 1, 0xff10, 0x100000, 0x1000, {latency_us}, 0, 0x060043, 240, 3\n")
    }),
    ("tracerpt", "Event Name, Type, Clock-Time, Kernel(ms), User(ms), User Data\n", |time_ns, latency_ns| {
        format!(
            "DiskIo, Read, {}, 0, 0, 0, 0x0, 4096, 0x0, 8192, 0x0, 0x0, {}\n",
            time_ns / 100,
            latency_ns / 100
        )
    }),
    ("fiolog", "", |time_ns, latency_ns| {
        format!("{}, {latency_ns}, 0, 4096, 1011712, 0\n", time_ns / 1_000_000)
    }),
    ("msr", "", |time_ns, latency_ns| {
        format!("{},hm,1,Read,383496192,32768,{}\n", time_ns / 100, latency_ns / 100)
    }),
    ("csv", "time_ns,op,lbn,bytes,latency_ns\n", |time_ns, latency_ns| {
        format!("{time_ns},R,8,4096,{latency_ns}\n")
    }),
    ("csv", "time,op,lbn,bytes,latency_ns\n", |time_ns, latency_ns| {
        let year = 1700 + time_ns / (i64::MAX / 500);
        format!("{year}-01-01T00:00:00Z,R,8,4096,{latency_ns}\n")
    }),
    ("validate", "", |time_ns, latency_ns| {
        format!("W Hit 4583176 4 {} {}\n", decimal(latency_ns, 3), decimal(time_ns, 3))
    }),
];

/// Reads a text whole and as a stream; no reader may panic, and the times of both are in order.
fn read_in_both_ways(text: &str, format: &str, skip_bad: bool) {
    let whole = read_bytes(text.as_bytes(), Some(format), skip_bad);
    let options = ReadOptions { format: Some(format), skip_bad, ..ReadOptions::default() };
    let input = Input::Reader(Box::new(Cursor::new(text.as_bytes().to_vec())), "FILE".to_owned());
    let Ok(mut reader) = TraceReader::open(input, &options) else { return assert!(whole.is_err()) };
    let batch = reader.next_batch(&mut |_| ControlFlow::Continue(()));
    assert_eq!(whole.is_ok(), matches!(batch, Ok(Some(_))), "{format}: {text}");
    if let (Ok((trace, _)), Ok(Some(rows))) = (whole, batch) {
        assert!(trace.arrival_ns.is_sorted(), "{format}: {text}");
        assert_eq!(trace.arrival_ns, rows.arrival_ns, "{format}: {text}");
    }
}

/// Times of all sizes, and those close to a border.
fn time() -> impl Strategy<Value = i64> {
    let borders = [0, CENTURY_NS, i64::MAX - CENTURY_NS, i64::MAX / 2, i64::MAX];
    let near = (prop::sample::select(borders.to_vec()), -2000i64..2000)
        .prop_map(|(border, by)| border.saturating_add(by).max(0));
    prop_oneof![near, (0u32..63).prop_flat_map(|bits| 0..1i64 << bits)]
}

proptest! {
    #[test]
    fn no_time_and_no_latency_makes_a_reader_panic(
        requests in prop::collection::vec((time(), time()), 1..6),
        skip_bad: bool,
    ) {
        for (format, header, line) in FORMATS {
            let lines: String = requests.iter().map(|(time_ns, latency_ns)| line(*time_ns, *latency_ns)).collect();
            read_in_both_ways(&format!("{header}{lines}"), format, skip_bad);
        }
    }
}

#[test]
fn a_latency_longer_than_a_century_is_a_fault_of_its_line() {
    for (format, header, line) in &FORMATS[..3] {
        let good = line(1_000_000_000, 1_000_000);
        let at = 2 + header.lines().count();
        for latency_ns in [CENTURY_NS + 1_000, 9_223_372_036_854_000_000] {
            let text = format!("{header}{good}{}", line(2_000_000_000, latency_ns));
            let said = read_bytes(text.as_bytes(), Some(format), false).unwrap_err().to_string();
            let is_named = said.starts_with(&format!("FILE:{at}: expected ")) && said.contains("century");
            assert!(is_named, "{format}: {said}");
            let (trace, about) = read_bytes(text.as_bytes(), Some(format), true).unwrap();
            assert_eq!((trace.len(), about.bad.count), (1, 1), "{format}");
        }
        let text = format!("{header}{good}{}", line(2_000_000_000, CENTURY_NS));
        assert_eq!(read_bytes(text.as_bytes(), Some(format), false).unwrap().0.len(), 2, "{format}");
    }
}

#[test]
fn a_clock_that_starts_again_is_doubtful() {
    let row = |time_us: usize, device: &str| format!("{time_us},R,{},4096,{device}\n", time_us * 8);
    let table = |rows: &[(usize, &str)]| {
        let rows: String = rows.iter().map(|(time_us, device)| row(*time_us, device)).collect();
        read_mapped(&format!("time_us,op,lbn,bytes,disk\n{rows}"), None).unwrap().1
    };
    let doubt = |rows: &[(usize, &str)]| {
        let found = table(rows).evidence.into_iter().find(|found| found.text.starts_with("times go back"));
        found.map(|found| (found.is_doubtful, found.text))
    };
    let times = |from: usize, to: usize, device| (from..to).map(move |at| (at * 1000, device));
    let twice: Vec<_> = times(1, 9, "a").chain(times(1, 9, "a")).collect();
    assert_eq!(
        doubt(&twice),
        Some((true, "times go back by 7 ms: perhaps two recordings in one file".to_owned()))
    );
    let thrice: Vec<_> = twice.iter().copied().chain(times(2, 9, "a")).collect();
    let text = "times go back 2 times, at first by 7 ms: perhaps 3 recordings in one file";
    assert_eq!(doubt(&thrice), Some((true, text.to_owned())));
    // Disorder, late requests, the order of disks, and a file from its end on are no second recording.
    let late: Vec<_> =
        times(1, 9, "a").chain([(500, "a"), (9000, "a"), (600, "a")]).chain(times(9, 20, "a")).collect();
    let disks: Vec<_> = times(1, 9, "a").chain(times(1, 9, "b")).collect();
    let back: Vec<_> = (1..20).rev().map(|at| (at * 1000, "a")).collect();
    let start: Vec<_> = [(500, "a"), (501, "a"), (502, "a"), (503, "a")]
        .into_iter()
        .chain(times(0, 1, "a"))
        .chain([(1, "a"), (2, "a")])
        .chain(times(1, 100, "a"))
        .collect();
    for rows in [late, disks, back, start] {
        assert_eq!(doubt(&rows), None, "{rows:?}");
    }
}
