//! Detection of the format of a trace file from its content.

use sledsim::trace::ReadOptions;

use crate::support::{read_bytes, read_with};

/// Beginnings of files, as found in practice, by their format; the table of formats has one more sample of each.
pub const SAMPLES: &[(&str, &str)] = &[
    ("disksim", "0.000000 0 1234 8 1\n"),
    ("disksim", "1.5 0 17 8 80000001\n2.5 0 17 8 3\n"),
    ("disksim", "13.191135 30 0 5 1 7\n"),
    ("disksim", "  0.5   0\t17   8 0x81\r\n"),
    ("blkparse", "Input file x.blktrace.0 added\n259,0 1 1 0.0 1 D WS 64 + 8 [fio]\n"),
    (
        "ftrace",
        "cpus=2\n   kworker/1:1H-88  [001]    70.250101: block_rq_issue:       259,0 WS 8192 () 640 + 16 [kworker/1:1H]\n\
         \u{20}        <idle>-0     [001]    70.250420: block_rq_complete:    259,0 WS () 640 + 16 [0]\n",
    ),
    ("ftrace", "my prog  4711 [002]  1811.000250:     block:block_rq_issue: 8,16 WSM 4096 () 24 + 8 [my prog]\n"),
    ("ftrace", " dd-4711 [000] .....  12.500000:   8,0    D   R 2048 + 8 [dd]\n"),
    (
        "biosnoop",
        "Tracing block device I/O... Hit Ctrl-C to end.\nTIMESTAMP    COMM           PID     DISK    T    SECTOR     BYTES   QUE(ms) LAT(ms)\n\
         12:00:01.250 my prog        4711    nvme0n1 WS   640        8192      0.010   0.311\n",
    ),
    ("xperf", "DiskWrite, 9000, app.exe (1234), 99, 0xffffe28800000010, 0x0000200000, 0x00002000, 250, 1, 0x060043, 240, 3, Original\n"),
    ("csv", "version,time,op,size,lbn\n1,33898,2a,512,42932745\n1,33899,28,4096,6160447\n"),
    ("csv", "timestamp,rw_flag,sector,bytes\n0.5,1,8,4096\n"),
    (
        "csv",
        "Line #,Process,IO Type,Init Time (s),IO Time (\u{b5}s),Size (B),Min Offset,Disk\n\
         1,app.exe (1234),Write,0.007750,250,\"4,096\",0x100000,0\n",
    ),
    ("validate", "R Hit 547163 12 18228.000000 20935.440364\n"),
    ("validate", "R Miss  564347     2     14095.370     13876.270\n"),
    ("spc", "0,657728,8192,R,0.011413\n"),
    ("spc", "8,21888,32768,r,2077.065185\n"),
    ("spc", "1, 3436288, 15872, W, 1.250720, 0x123, 5.99, test\n"),
    ("spc", "0,303567,3584,w,0.000000\n"),
    ("msr", "128166372010810581,mds,0,Write,2654453760,4096,54086\r\n"),
    ("msr", "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n128166372003061629,hm,1,Read,0,512,1\n"),
    ("msr", "128166372003061629,src1,1,Write,383496192,32768\n"),
    ("systor17", "1456135200.013118000,0.000806000,R,0,899056122368,131072\n"),
    ("systor17", "1456135200.013118000,,W,3,4096,4096\n"),
    ("alibaba", "device_id,opcode,offset,length,timestamp\n419,W,8792731648,16384,1577808144360767\n"),
    ("fiu", "89968195792462 20782 gzip 283193184 8 R 6 0 56f11b711d91a065a2b6458eca924523\n"),
    ("fiu", "89968195792462 20782 gzip 283193184 16 R 6 0 56f11b71 56f11b72\n"),
    ("mobilect", "12.5 R 2097152 8 1234 kworker/0:1\n"),
    ("mqsim", "0 0 657728 16 1\n11413000 1 31244784 64 1\n"),
    ("mqsim", "48513000 0 5 1 1\n"),
    ("mqsim", "0 0 1 8 1\n20000 0 2 8 0\n20000 0 3 8 0\n45000 0 4 8 0\n"),
    ("csv", "time_us,op,sector,nsect\n0.000,R,2,2\n16.4,W,64,8\n"),
    ("csv", "timestamp;lba;size;type\n0.5;8;4096;read\n"),
    ("csv", "# time_s sector sectors rw\n0.5 8 8 R\n"),
    ("csv", "\"ts_ns\",\"offset\",\"length\",\"op\",\"volume\"\n500,8,4096,\"W\",\"a\"\n"),
    ("csv", "time_s\tlbn\tblocks\top\n0.5\t8\t8\tR\n"),
    ("csv", "arrival_ms,device,offset_bytes,size_bytes,read_write,latency_us\n0.5,0,4096,4096,Write,80\n"),
];

/// Distinction of the formats of MQSim and DiskSim, which have the same columns.
#[test]
fn mqsim_and_disksim_are_distinguished() {
    let lines = |count: u64, gap: u64, start: u64| -> String {
        (0..count).map(|at| format!("{} 0 {at} 8 {}\n", start + at * gap, at % 2)).collect()
    };
    let with = |line: &str| format!("{}{line}\n{}", lines(5, 20_000, 0), lines(5, 20_000, 100_000));
    for (format, text) in [
        // Whole milliseconds close together.
        ("disksim", "1 0 0 8 1\n".to_owned()),
        ("disksim", "0 0 0 8 1\n0 0 8 8 0\n".to_owned()),
        ("disksim", lines(100, 1, 0)),
        ("disksim", lines(100, 10, 0)),
        ("disksim", lines(100, 999, 0)),
        ("disksim", lines(100, 10, 86_400_000)),
        ("disksim", lines(20_000, 50, 0)),
        // A fraction, an exponent, a flag, a batch number or a sign anywhere.
        ("disksim", with("100000.5 0 0 8 1")),
        ("disksim", with("100000. 0 0 8 1")),
        ("disksim", with("1e5 0 0 8 1")),
        ("disksim", with("100000 0 0 8 81")),
        ("disksim", with("100000 0 0 8 0x1")),
        ("disksim", with("100000 0 0 8 3")),
        ("disksim", with("100000 0 0 8 00")),
        ("disksim", with("100000 0 0 8 1 7")),
        ("disksim", "0.000 0 0 8 1\n20000 0 8 8 1\n40000 0 8 8 1\n".to_owned()),
        ("disksim", lines(3, 20_000, 0) + "60000.25 0 8 8 1\n"),
        // Nanoseconds.
        ("mqsim", lines(100, 1000, 0)),
        ("mqsim", lines(100, 19_431, 938_513_000)),
        ("mqsim", lines(20_000, 19_431, 938_513_000)),
        ("mqsim", lines(2, 1_000_000, 0)),
        ("mqsim", lines(1, 0, 1_000_000)),
        ("mqsim", format!("# a comment\n\n{}", lines(5, 20_000, 0))),
        ("mqsim", lines(5, 20_000, 0).replace('\n', "\r\n")),
        ("mqsim", lines(5, 20_000, 0).replace(' ', "\t")),
        ("mqsim", lines(5, 20_000, 0).trim_end().to_owned()),
        // Times not in order, and many requests at one time.
        ("mqsim", "40000 0 0 8 1\n0 0 8 8 0\n20000 0 8 8 0\n".to_owned()),
        ("mqsim", lines(5, 0, 0) + &lines(5, 1, 1_000_000)),
    ] {
        let (_, about) =
            read_bytes(text.as_bytes(), None, false).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(about.format, format, "{}", &text[..text.len().min(300)]);
    }
    // A mismatch beyond the head is an error, which names the line.
    let late = lines(20_000, 19_431, 0) + "1e9 0 0 8 1\n";
    let said = read_bytes(late.as_bytes(), None, false).unwrap_err().to_string();
    assert_eq!(said, "FILE:20001: expected an arrival time in ns (a whole number from 0), found \"1e9\"");
}

#[test]
fn text_that_is_no_trace_is_not_recognised() {
    for text in [
        "0,1,2\n",
        "1 2 3\n",
        "a,b,c\n1,2,3\n",
        "R W X\n",
        "Dear Sir, or Madam, I write, R, 0.5\n",
        "{\"time\": 1, \"lbn\": 2, \"size\": 3, \"op\": 4}\n",
        "<html><body>404, not, found, here, now</body></html>\n",
        "\0\0\0\0,\0\0\0\n",
        ",,,,\n",
        ";;;;\n\n",
        "128166372003061629,hm,1,Maybe,383496192,32768,113736\n",
        "0,20941264,8192,X,0.551706\n",
    ] {
        assert!(read_bytes(text.as_bytes(), None, false).is_err(), "{text}");
    }
}

/// Kernel events of other layers, even if they name a device, and events of the block layer without a device are not
/// recognised as a trace.
#[test]
fn other_events_of_a_kernel_are_no_trace() {
    let line = |event: &str| format!("  dd-4711 [001] .....   812.034512: {event}\n");
    for event in [
        "bcache_read: 8,0 R 8 + 8 hit 1 bypass 0",
        "writeback_start: 8,0 nr_pages=4",
        "block_plug: [dd]",
        "sched_wakeup: comm=dd pid=4711",
    ] {
        let error = read_bytes(line(event).as_bytes(), None, false).unwrap_err().to_string();
        assert!(error.contains("expected a trace in one of the formats"), "{event}: {error}");
    }
    let request = line("block_rq_issue: 8,0 R 4096 () 8 + 8 [dd]");
    let (_, about) = read_bytes(request.as_bytes(), None, false).unwrap();
    assert_eq!(about.format, "ftrace");
}

/// Real files of both formats are distinguished; the test is skipped if they are not beside the checkout.
#[test]
fn real_files_of_two_similar_formats_are_distinguished() {
    let Some(folder) = crate::support::shared_traces() else { return };
    for (format, file) in
        [("mqsim", "mqsim/tpcc-small.trace.zst"), ("disksim", "disksim-valid/ascii.trace.zst")]
    {
        let (_, about) = read_with(&folder.join(file), ReadOptions::default()).unwrap();
        assert_eq!(about.format, format);
    }
}
