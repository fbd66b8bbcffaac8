//! Events of the Linux block layer in the output of ftrace, trace-cmd and perf, in the layouts of
//! Documentation/trace/ftrace.rst, include/trace/events/block.h, trace-cmd-report(1) and perf-script(1).

use sledsim::error::Result;
use sledsim::trace::{flags, Op, Trace, TraceInfo, TraceRow};

use crate::support::{read_bytes, rows};

fn read(lines: &[&str]) -> Result<(Trace, TraceInfo)> {
    read_bytes((lines.join("\n") + "\n").as_bytes(), None, false)
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
        // The first read never completes, and the discard may complete after the end of the trace.
        let missing = "dispatches without a completion: 1 of 3";
        assert!(about.notes().len() == 1 && about.notes()[0].starts_with(missing), "{:?}", about.notes());
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

const ISSUED: &str = " a-1 [000] .... 1.000000: block_rq_issue: 8,0 W 4096 () 8 + 8 [a]";
const NEXT: &str = " a-1 [000] .... 3.000000: block_rq_issue: 8,0 R 4096 () 64 + 8 [a]";
const NEXT_DONE: &str = " a-1 [000] .... 3.000500: block_rq_complete: 8,0 R () 64 + 8 [0]";

fn responses_and_notes(lines: &[&str]) -> (Vec<i64>, Vec<String>) {
    let (trace, about) = read(lines).unwrap();
    (trace.response_ns, about.notes())
}

/// Checks that a completion belongs to a request of the same kind, place and size, or completes it in parts.
#[test]
fn completions_of_other_requests_are_not_taken() {
    for (completions, response_ns) in [
        (&["8,0 W () 8 + 8 [0]"][..], 1_000_000_000),
        (&["8,0 WS () 8 + 8 [0]"], 1_000_000_000),
        (&["8,0 R () 8 + 8 [0]"], 0),
        (&["8,0 D () 8 + 8 [0]"], 0),
        (&["8,0 W () 8 + 16 [0]"], 0),
        (&["8,16 W () 8 + 8 [0]"], 0),
        (&["8,0 W () 8 + 4 [0]"], 0),
        (&["8,0 W () 8 + 4 [0]", "8,0 W () 12 + 4 [0]"], 1_000_000_000),
        (&["8,0 W () 8 + 2 [0]", "8,0 W () 10 + 5 [0]", "8,0 W () 15 + 1 [0]"], 1_000_000_000),
        (&["8,0 W () 8 + 4 [0]", "8,0 W () 14 + 2 [0]"], 0),
    ] {
        let completions: Vec<String> = completions
            .iter()
            .map(|rest| format!(" b-2 [001] .... 2.000000: block_rq_complete: {rest}"))
            .collect();
        let mut lines = vec![ISSUED];
        lines.extend(completions.iter().map(String::as_str));
        lines.extend([NEXT, NEXT_DONE]);
        let (responses, notes) = responses_and_notes(&lines);
        assert_eq!(responses, [response_ns, 500_000], "{completions:?}");
        assert_eq!(
            notes.iter().any(|note| note.contains("without a completion: 1 of 2")),
            response_ns == 0,
            "{notes:?}"
        );
    }
}

#[test]
fn longer_and_shorter_requests_from_one_sector_keep_their_completions() {
    let issue = |us: u32, blocks: u32| {
        format!(" a-1 [000] .... 1.{us:06}: block_rq_issue: 8,0 R 0 () 8 + {blocks} [a]")
    };
    let complete = |us: u32, blocks: u32| {
        format!(" a-1 [000] .... 1.{us:06}: block_rq_complete: 8,0 R () 8 + {blocks} [0]")
    };
    let events =
        [issue(0, 8), issue(1, 16), issue(2, 24), complete(10, 8), complete(20, 24), complete(30, 16)];
    let lines: Vec<&str> = events.iter().map(String::as_str).collect();
    assert_eq!(responses_and_notes(&lines), (vec![10_000, 29_000, 18_000], vec![]));
}

/// Checks that nothing which was outstanding when events were lost is paired with a later event.
#[test]
fn requests_outstanding_at_a_loss_stay_unmeasured() {
    let done = " b-2 [001] .... 2.000000: block_rq_complete: 8,0 W () 8 + 8 [0]";
    for loss in ["CPU:0 [LOST 4000 EVENTS]", "CPU:1 [47 EVENTS DROPPED]"] {
        let (responses, notes) = responses_and_notes(&[ISSUED, loss, done, NEXT, NEXT_DONE]);
        assert_eq!(responses, [0, 500_000]);
        assert_eq!(notes, ["requests are missing: the tracer lost events (number of its reports: 1)"]);
    }
}

#[test]
fn overwritten_entries_of_the_buffer_are_missed() {
    for (header, kept) in [
        ("# entries-in-buffer/entries-written: 4/98233   #P:8", Some("kept 4 of 98233 entries")),
        ("# entries-in-buffer/entries-written: 4/4   #P:8", None),
        ("# entries-in-buffer/entries-written: four/9", None),
    ] {
        let (_, notes) = responses_and_notes(&["# tracer: nop", "#", header, NEXT, NEXT_DONE]);
        assert_eq!(notes.len(), usize::from(kept.is_some()), "{notes:?}");
        assert!(notes.iter().all(|note| note.contains(kept.unwrap())), "{notes:?}");
    }
}

#[test]
fn errors_of_completions_are_counted() {
    for (error, count) in [("0", 0), ("-5", 1), ("65531", 1), ("", 0)] {
        let done = format!(" a-1 [000] .... 3.000500: block_rq_complete: 8,0 R () 64 + 8 [{error}]");
        let (_, notes) = responses_and_notes(&[NEXT, &done]);
        assert_eq!(notes.len(), count, "{error}: {notes:?}");
        assert!(notes.iter().all(|note| note.starts_with("completions with an error: 1;")), "{notes:?}");
    }
}

#[test]
fn frames_of_perf_are_passed_over_whatever_their_addresses() {
    let frames = [
        "\t    db730 __read+0x10 (/usr/lib/libc.so.6)",
        "\t beef0 [unknown] ([unknown])",
        "\t  7f0 main (/a b/c)",
    ];
    let mut lines = vec![NEXT];
    lines.extend(frames);
    lines.push(NEXT_DONE);
    assert_eq!(responses_and_notes(&lines), (vec![500_000], vec![]));
}
