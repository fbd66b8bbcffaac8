//! Events of the Linux block layer in the output of ftrace, trace-cmd and perf, in the layouts of
//! Documentation/trace/ftrace.rst, include/trace/events/block.h, trace-cmd-report(1) and perf-script(1).

use sledsim::error::Result;
use sledsim::trace::{flags, Op, Trace, TraceInfo, TraceRow};

use crate::support::{read_bytes, rows};

fn read(lines: &[&str]) -> Result<(Trace, TraceInfo)> {
    read_bytes(lines.join("\n").as_bytes(), None, false)
}

fn error(lines: &[&str]) -> String {
    read(lines).unwrap_err().to_string()
}

/// The requests in the events: a read of 8 sectors, a synchronous write of 16 sectors that takes 320 us, a flush, and a
/// discard.
fn expected() -> Vec<TraceRow> {
    let second = TraceRow {
        arrival_ns: 250_000,
        lbn: 640,
        blocks: 16,
        op: Op::Write,
        device: 1,
        ..TraceRow::default()
    };
    vec![
        TraceRow { lbn: 1048, blocks: 8, ..TraceRow::default() },
        TraceRow { flags: flags::SYNC, service_ns: 320_000, response_ns: 320_000, ..second },
        TraceRow {
            arrival_ns: 1_000_000,
            op: Op::Flush,
            service_ns: 40_000,
            response_ns: 40_000,
            ..TraceRow::default()
        },
        TraceRow { arrival_ns: 2_000_000, lbn: 64, blocks: 128, op: Op::Discard, ..TraceRow::default() },
    ]
}

/// Checks that an event gives one request, whichever columns the tools print before its time.
#[test]
fn all_that_print_block_events_are_read_alike() {
    let events = [
        (812_034_500, "dd", 4711, "block_rq_issue: 8,0 R 4096 () 1048 + 8 [dd]"),
        (812_034_750, "my: [prog]", 12, "block_rq_issue: 259,0 WS 8192 () 640 + 16 [my: [prog]]"),
        (812_035_070, "<idle>", 0, "block_rq_complete: 259,0 WS () 640 + 16 [0]"),
        (812_035_500, "kworker/7:1H", 250, "block_rq_issue: 8,0 FF 0 () 0 + 0 [kworker/7:1H]"),
        (812_035_540, "<idle>", 0, "block_rq_complete: 8,0 FF () 18446744073709551615 + 0 [0]"),
        (812_036_500, "fstrim", 13, "block_rq_issue: 8,0 D 65536 () 64 + 128 [fstrim]"),
    ];
    type Line = fn(&str, u64, &str, &str) -> String;
    let tools: [(&str, Line); 7] = [
        ("# tracer: nop\n#\n", |comm, pid, time, event| {
            format!("{comm:>16}-{pid:<7} [001] d..2. {time}: {event}")
        }),
        ("# tracer: nop\n", |comm, pid, time, event| {
            format!("{comm:>16}-{pid:<5} ({pid:>5}) [001] .... {time}: {event}")
        }),
        ("# tracer: nop\n", |comm, pid, time, event| {
            format!("{comm:>16}-{pid} [001] .... {time}: {}", event.replace(" [", " none,0,0 ["))
        }),
        ("version = 6\nCPU 0 is empty\ncpus=2\n", |comm, pid, time, event| {
            format!("{comm:>16}-{pid:<5} [001] {time}: {}", event.replace(": ", ":       "))
        }),
        ("cpus=2\n", |comm, pid, time, event| {
            format!("{comm:>16}-{pid:<5} 1d..1. {time}: {}", event.replace(" [", " 0x2,0,4 ["))
        }),
        ("", |comm, pid, time, event| format!("{comm:>16} {pid:>6} [001] {time}:     block:{event}")),
        ("# a header of perf\n", |comm, pid, time, event| {
            format!("{comm} {pid}/{pid} [001] {time}000:   1 block:{event}\n\tffffffff8135f9f9 blk_start+0x9 ([kernel])\n")
        }),
    ];
    for (head, line) in tools {
        let lines: Vec<String> = events
            .iter()
            .map(|(us, comm, pid, event)| {
                line(comm, *pid, &format!("{}.{:06}", us / 1_000_000, us % 1_000_000), event)
            })
            .collect();
        let text = format!("{head}{}\n", lines.join("\n"));
        let (trace, about) =
            read_bytes(text.as_bytes(), None, false).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((about.format, rows(&trace)), ("ftrace", expected()), "{text}");
        assert_eq!(about.device_names.values().collect::<Vec<_>>(), ["8,0", "259,0"]);
        assert!(about.notes().is_empty(), "{:?}", about.notes());
    }
}

#[test]
fn other_events_and_other_lines_are_passed_over() {
    let lines = [
        " sh-9 [000] d... 1.000000: sched_switch: prev_comm=sh prev_pid=9 ==> next_comm=a: 2.5: b",
        " sh-9 [000] .... 1.000001: sys_read(fd: 3, buf: 7ffd, count: 400)",
        " dd-7 [000] .... 1.000002: block_getrq: 8,0 R 8 + 8 [dd]",
        " dd-7 [000] .... 1.000003: block_rq_insert: 8,0 R 4096 () 8 + 8 [dd]",
        " dd-7 [000] .... 1.000004: block_rq_issue: 8,0 R 4096 () 8 + 8 [dd]",
        " dd-7 [000] .... 1.000005: kernel_stack: <stack trace >",
        "=> blk_mq_start_request",
        " => submit_bio",
        "CPU:1 [LOST 47 EVENTS]",
        " dd-7 [000] .... 1.000006: block_rq_merge: 8,0 R 4096 () 16 + 8 [dd]",
    ];
    let (trace, about) = read(&lines).unwrap();
    assert_eq!((trace.len(), trace.lbn[0], trace.arrival_ns[0]), (1, 8, 0));
    assert_eq!(about.notes(), ["requests are missing: the tracer lost events (number of its reports: 1)"]);
    assert!(about.skipped == sledsim::trace::Skipped::default());
}

#[test]
fn commands_are_no_requests_and_what_is_given_back_is_issued_again() {
    let lines = [
        " a-1 [000] .... 1.000000: block_rq_issue: 8,0 R 36 (12 00 00 00 24 00) 0 + 0 [udev]",
        " a-1 [000] .... 1.000100: block_rq_complete: 8,0 R (12 00 00 00 24 00) 0 + 0 [0]",
        " a-1 [000] .... 1.000200: block_rq_issue: 8,0 N 512 () 0 + 0 [nvme]",
        " a-1 [000] .... 1.000300: block_rq_issue: 8,0 ZR 0 () 524288 + 524288 [zbd]",
        " a-1 [000] .... 1.000400: block_rq_issue: 8,0 WFSM 4096 () 8 + 8 [a]",
        " a-1 [000] .... 1.000500: block_rq_requeue: 8,0 WFSM () 8 + 8 [0]",
        " a-1 [000] .... 1.000600: block_rq_issue: 8,0 WFSM 4096 () 8 + 8 [a]",
        " a-1 [000] .... 1.000900: block_rq_complete: 8,0 WFSM () 8 + 8 [0]",
    ];
    let (trace, about) = read(&lines).unwrap();
    assert_eq!((trace.len(), about.skipped.commands), (1, 3));
    assert_eq!(
        (trace.service_ns[0], trace.metadata[0], trace.flags[0]),
        (300_000, true, flags::SYNC | flags::FUA)
    );
}

#[test]
fn requests_come_when_they_are_inserted_where_nothing_says_when_they_are_issued() {
    let lines = [
        " a-1 [000] .... 1.000000: block_rq_insert: 8,0 R 4096 () 8 + 8 [a]",
        " a-1 [000] .... 1.000500: block_rq_complete: 8,0 R () 8 + 8 [0]",
    ];
    let (trace, about) = read(&lines).unwrap();
    assert_eq!((trace.lbn[0], trace.response_ns[0]), (8, 500_000));
    assert!(
        about.notes()[0].starts_with("no block_rq_issue at the start of the trace"),
        "{:?}",
        about.notes()
    );
}

#[test]
fn the_tracer_blk_speaks_as_blkparse_does() {
    let lines = [
        " dd-7 [000] .....  12.500000:   8,0    Q   R 2048 + 8 [dd]",
        " dd-7 [000] .....  12.500010:   8,0    D   R 2048 + 8 [dd]",
        " dd-7 [000] .....  12.500020:   8,0    m   N cfq schedule dispatch",
        " <idle>-0 [000] ..s1.  12.500110:   8,0    C   R 2048 + 8 [0]",
    ];
    let (trace, about) = read(&lines).unwrap();
    assert_eq!((about.format, about.queued), ("ftrace", 1));
    assert_eq!(
        rows(&trace),
        [TraceRow { lbn: 2048, blocks: 8, service_ns: 100_000, response_ns: 100_000, ..TraceRow::default() }]
    );
}

#[test]
fn a_device_that_issues_nothing_is_named() {
    let said = error(&[" a-1 [000] .... 1.000000: block_bio_queue: 253,0 R 8 + 8 [a]"]);
    assert!(said.contains("1 requests were queued (Q) and no request was dispatched (D)"), "{said}");
}

#[test]
fn errors_name_the_fault_of_a_line() {
    let good = " a-1 [000] .... 1.000000: block_rq_issue: 8,0 R 4096 () 8 + 8 [a]";
    for (line, expected, found) in [
        ("nonsense", "an event: a time in s, a colon and the name of the event", "\"nonsense\""),
        (
            " a-1 [000] .... 1.5: block_rq_issue: 8:0 R 4096 () 8 + 8 [a]",
            "a device as major,minor",
            "\"8:0\"",
        ),
        (
            " a-1 [000] .... 1.5: block_rq_issue: [FAILED TO PARSE] dev=8388608",
            "a device as major,minor",
            "\"[FAILED\"",
        ),
        (
            " a-1 [000] .... 1.5: block_rq_issue: 8,0 R 8 + 8 [a]",
            "a command in parentheses, mostly ()",
            "\"+\"",
        ),
        (
            " a-1 [000] .... 1.5: block_rq_issue: 8,0 R 4096 () -8 + 8 [a]",
            "a sector from 0 to 9223372034707292160",
            "\"-8\"",
        ),
        (" a-1 [000] .... 1.5: block_rq_issue: 8,0 R 4096 () 8 8 [a]", "+ and a number of sectors", "\"8\""),
        (
            " a-1 [000] .... 1.5: block_rq_issue: 8,0 X 4096 () 8 + 8 [a]",
            "RWBS flags with R, W, D, F or N",
            "\"X\"",
        ),
        (
            " a-1 [000] .... 1.5: block_rq_issue: 8,0 R 4096 () 8 + 2",
            "a process or an error in square brackets",
            "the end of the line",
        ),
    ] {
        assert_eq!(error(&[good, line]), format!("FILE:2: expected {expected}, found {found}"), "{line}");
    }
}
