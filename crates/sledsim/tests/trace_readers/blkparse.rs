//! Unusual but valid output of `blkparse`.

use sledsim::error::Result;
use sledsim::trace::{Op, Trace, TraceInfo, TraceRow};

use crate::support::{read_bytes, rows};

fn read(lines: &[&str]) -> Result<(Trace, TraceInfo)> {
    read_bytes((lines.join("\n") + "\n").as_bytes(), None, false)
}

/// The arrival in microseconds, the sector and the measured response time in microseconds of each request.
fn seen(lines: &[&str]) -> Vec<(i64, i64, i64)> {
    let of = |row: &TraceRow| (row.arrival_ns / 1000, row.lbn, row.response_ns / 1000);
    rows(&read(lines).expect("it can be read").0).iter().map(of).collect()
}

const READ: &str = "8,0 1 1 0.000001000 697 D R 8 + 8 [x]";
const DONE: &str = "8,0 1 2 0.000005000 0 C R 8 + 8 [0]";

#[test]
fn packet_commands_are_passed_over_when_they_complete_too() {
    let packet = [
        "8,0 3 1 0.000002000 697 D R 36 (12 00 00 00 24 00) [x]",
        "8,0 3 2 0.000003000 697 C R (12 00 00 00 24 00) [0]",
    ];
    let lines = [READ, packet[0], packet[1], DONE];
    assert_eq!(seen(&lines), [(1, 8, 4)]);
    assert_eq!(read(&lines).unwrap().1.skipped.commands, 1);
}

#[test]
fn another_text_may_follow_the_summary() {
    let summary =
        ["CPU0 (sda):", " Reads Queued:           1,        4KiB", "Total (sda):", "Skips: 0 forward"];
    let again = "8,0 1 1 0.000002000 697 D W 64 + 8 [x]";
    let lines =
        [&[READ, DONE], &summary[..], &["Input file sda.blktrace.0 added", again], &summary[..]].concat();
    assert_eq!(seen(&lines), [(1, 8, 4), (2, 64, 0)]);
}

#[test]
fn a_request_that_is_given_back_counts_when_it_is_dispatched_again() {
    let back = "8,0 1 2 0.000002000 0 R R 8 + 8 [0]";
    let again = "8,0 1 3 0.000003000 697 D R 8 + 8 [x]";
    assert_eq!(seen(&[READ, back, again, DONE]), [(3, 8, 2)]);
    assert!(read(&[READ, back]).is_err(), "no request is left");
}

#[test]
fn equal_requests_that_are_out_together_both_complete() {
    let second = "8,0 1 3 0.000002000 697 D R 8 + 8 [x]";
    let later = "8,0 1 4 0.000009000 0 C R 8 + 8 [0]";
    let seen = seen(&[READ, second, DONE, later]);
    assert_eq!(seen.iter().map(|row| row.0).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(seen.iter().map(|row| row.2).sum::<i64>(), (5 - 1) + (9 - 2));
}

#[test]
fn times_may_stand_behind_sectors() {
    let lines =
        ["8,0 1 1 0.000001000 697 D R 8 + 8 (    1234) [x]", "8,0 1 2 0.000005000 0 C R 8 + 8 (  12) [0]"];
    assert_eq!(seen(&lines), [(1, 8, 4)]);
    let cut = read(&["8,0 1 1 0.000001000 697 D R 8 + 8 (    12"]).unwrap_err().to_string();
    assert!(cut.ends_with("expected a time in parentheses, found \"(\""), "{cut}");
}

#[test]
fn a_device_that_dispatches_nothing_is_named() {
    let queued = "253,0 1 1 0.000001000 697 Q R 8 + 8 [x]";
    let said = read(&[queued, queued]).unwrap_err().to_string();
    assert!(said.contains("2 requests were queued (Q) and no request was dispatched (D)"), "{said}");
}

#[test]
fn a_flush_differs_from_a_command() {
    let lines = ["8,0 1 1 0.000001000 697 D FN [x]", "8,0 1 2 0.000004000 0 C FN 0 [0]"];
    let trace = read(&lines).unwrap().0;
    assert_eq!((trace.op[0], trace.response_ns[0]), (Op::Flush, 3000));
}

/// The completion of a command without data does not complete an outstanding flush; only a completion with the flag F
/// does.
#[test]
fn a_command_that_completes_ends_no_flush() {
    let lines = [
        "8,0 1 1 0.000001000 697 D FN [x]",
        "8,0 3 1 0.000002000 697 D R 36 (12 00 00 00 24 00) [x]",
        "8,0 3 2 0.000003000 697 C R (12 00 00 00 24 00) [0]",
        "8,0 1 2 0.000005000 0 C FN 0 [0]",
    ];
    let trace = read(&lines).unwrap().0;
    assert_eq!((trace.op.as_slice(), trace.response_ns.as_slice()), (&[Op::Flush][..], &[4000][..]));
}

/// A completion belongs to the outstanding request with the same place: all requests here have the same size and are
/// outstanding together.
#[test]
fn a_completion_is_that_of_the_request_at_its_place() {
    for blocks in [1, 2, 8] {
        let line = |number: u32, us: u32, what: char, sector: u32| {
            format!("8,0 1 {number} 0.{us:06}000 697 {what} R {sector} + {blocks} [x]")
        };
        let lines = [line(1, 1, 'D', 8), line(2, 2, 'D', 64), line(3, 5, 'C', 8), line(4, 9, 'C', 64)];
        let trace = read(&lines.each_ref().map(String::as_str)).unwrap().0;
        assert_eq!((trace.lbn, trace.response_ns), (vec![8, 64], vec![4000, 7000]), "{blocks} sectors");
    }
}

#[test]
fn skipped_events_are_missed() {
    for (summary, count) in [
        ("Skips: 3 forward (897 -  99.6%)", 1),
        ("Skips: 0 forward (0 -   0.0%)", 0),
        ("Throughput (R/W): 16KiB/s / 0KiB/s", 0),
    ] {
        let (_, about) = read(&[READ, DONE, "CPU0 (sda):", summary]).unwrap();
        assert_eq!(about.notes().len(), count, "{:?}", about.notes());
        assert!(about.notes().iter().all(|note| note.contains("3 forward (897 -  99.6%)")));
    }
}

#[test]
fn insertions_count_where_there_is_no_dispatch() {
    let inserted = "8,0 1 1 0.000001000 697 I R 8 + 8 [x]";
    let (trace, about) = read(&[inserted, DONE]).unwrap();
    assert_eq!((trace.lbn, trace.response_ns), (vec![8], vec![4_000]));
    assert!(about.notes()[0].starts_with("no dispatch (D) at the start"), "{:?}", about.notes());
    let (trace, about) = read(&[inserted, READ, DONE]).unwrap();
    assert_eq!((trace.len(), about.notes()), (1, vec![]));
}

#[test]
fn completions_alone_are_refused_with_their_number() {
    let said = read(&[DONE, DONE, DONE]).unwrap_err().to_string();
    assert!(
        said.ends_with(
            "; 3 completions (C) without the dispatch (D) of their request: record dispatches, too"
        ),
        "{said}"
    );
}

/// Checks that requests in flight when the recording begins or ends raise no doubt.
#[test]
fn events_in_the_midst_of_a_trace_must_have_counterparts() {
    let dispatch = |us: u32| format!("8,0 1 1 0.{us:06} 1 D R {} + 8 [x]", us * 8);
    let complete = |us: u32, of: u32| format!("8,0 1 1 0.{us:06} 1 C R {} + 8 [0]", of * 8);
    let told = |events: &[String]| {
        let lines: Vec<&str> = events.iter().map(String::as_str).collect();
        read(&lines).unwrap().1.notes()
    };
    let whole =
        [dispatch(10), complete(12, 999), dispatch(20), complete(60, 10), complete(70, 20), dispatch(80)];
    assert_eq!(told(&whole), Vec::<String>::new());
    let mut lacking = whole.to_vec();
    lacking.extend([complete(90, 80), complete(200, 998)]);
    let missing =
        "completions without a dispatch: 1 of 5; events are missing, perhaps the file of another CPU";
    assert_eq!(told(&lacking), [missing]);
    // Another device that only passes requests on, such as dm, has no dispatches at all.
    let mut stacked = whole.to_vec();
    stacked.push("254,0 1 1 0.900000 1 C R 8 + 8 [0]".to_owned());
    assert_eq!(told(&stacked).len(), 1, "the last dispatch is long over: {:?}", told(&stacked));
}
