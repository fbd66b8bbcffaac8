//! Formats of public collections and of tools of Linux that are met less often, and the logs of fio.

use std::io::Cursor;
use std::ops::ControlFlow;

use sledsim::trace::{flags, Input, Op, ReadOptions, Trace, TraceInfo, TraceReader, TraceRow};

use crate::support::{read_bytes, rows};

fn request(arrival_ns: i64, device: i32, lbn: i64, blocks: i32, op: Op) -> TraceRow {
    TraceRow { arrival_ns, device, lbn, blocks, op, ..TraceRow::default() }
}

fn measured(request: TraceRow, response_ns: i64, service_ns: i64) -> TraceRow {
    TraceRow { response_ns, service_ns, ..request }
}

/// Reads a text with each kind of line ends, and checks that its format is recognised.
fn read(format: &str, text: &str) -> (Vec<TraceRow>, TraceInfo) {
    let (trace, about) = read_bytes(text.as_bytes(), None, false).unwrap();
    assert_eq!(about.format, format);
    let (other, _) = read_bytes(text.replace('\n', "\r\n").as_bytes(), None, false).unwrap();
    assert_eq!(other, trace);
    (rows(&trace), about)
}

fn fault(format: Option<&str>, text: &str) -> String {
    read_bytes(text.as_bytes(), format, false).unwrap_err().to_string()
}

/// The doubts on a trace.
fn doubts(about: &TraceInfo) -> Vec<&str> {
    about.evidence.iter().filter(|found| found.is_doubtful).map(|found| found.text.as_str()).collect()
}

#[test]
fn k5cloud_counts_seconds_from_the_first_request_of_all() {
    let text = "1008,40000.25,R,94702133248,8192\n7,40000.5,W,513,1\n7,40001,W,0,0\n";
    let (found, about) = read("k5cloud", text);
    let expected = [
        request(40_000_250_000_000, 1008, 184_965_104, 16, Op::Read),
        request(40_000_500_000_000, 7, 1, 1, Op::Write),
    ];
    assert_eq!(found, expected);
    assert_eq!((about.skipped.empty, about.origin_unix_ns), (1, None));
    assert_eq!(read("k5cloud", &format!("ID,Timestamp,Type,Offset,Length\n{text}")).0, expected);
    let said = fault(Some("k5cloud"), "7,1,R,0,512\n7,1,X,0,512\n");
    assert_eq!(said, "FILE:2: expected R (read) or W (write), found \"X\"");
}

const THESIOS: &str = "filename,file_offset,application,c_time,io_zone,redundancy_type,op_type,service_class,from_flash_cache,cache_hit,request_io_size_bytes,disk_io_size_bytes,response_io_size_bytes,start_time,disk_time,simulated_disk_start_time,simulated_latency\n";
const EXTENT: i64 = (16 << 20) / 512;

fn thesios(file: &str, offset: u64, op: &str, hit: i32, size: u64, start: &str) -> String {
    format!("{file},{offset},app,1,COLD,ERASURE_CODED,{op},OTHER,0,{hit},{size},0,0,{start},0.01,0,0.02\n")
}

#[test]
fn thesios_lays_files_out_and_leaves_hits_out() {
    let lines = [
        thesios("b", 1024, "READ", 0, 512, "1705305600.5"),
        thesios("a", 0, "WRITE", -1, 4096, "1705305601"),
        thesios("b", 4096, "READ", 1, 512, "1705305602"),
        thesios("b", 4096, "READ", 0, 0, "1705305603"),
        thesios("b", (16 << 20) + 512, "READ", 0, 513, "1705305604.25"),
    ];
    let text = format!("{THESIOS}{}{THESIOS}{}", lines[..2].concat(), lines[2..].concat());
    let (found, about) = read("thesios", &text);
    let places = [(0, 2, 1), (500_000_000, EXTENT, 8), (3_750_000_000, 2 * EXTENT + 1, 2)];
    let expected = places.map(|(arrival_ns, lbn, blocks)| {
        let op = if blocks == 8 { Op::Write } else { Op::Read };
        measured(request(arrival_ns, 0, lbn, blocks, op), 20_000_000, 10_000_000)
    });
    assert_eq!(found, expected);
    assert_eq!((about.skipped.empty, about.skipped.other), (1, 1));
    assert_eq!(about.origin_unix_ns, Some(1_705_305_600_500_000_000));
    assert!(about.notes()[0].ends_with("(cache_hit = 1) did not come to the disk and are left out: 1"));
    assert!(doubts(&about)[0].starts_with("places are made up: "), "{:?}", about.notes());
    // A part of a file has no header.
    assert_eq!(read("thesios", &lines.concat()).0, expected);
}

#[test]
fn a_request_of_thesios_that_crosses_extents_stays_in_one_piece() {
    let end = (16 << 20) - 512;
    let text = [
        thesios("a", end, "READ", 0, 1024, "1705305600"),
        thesios("b", 0, "READ", 0, 512, "1705305601"),
        thesios("b", end, "READ", 0, 1024, "1705305602"),
        thesios("a", 2 * (16 << 20) - 512, "READ", 0, 1024, "1705305603"),
    ];
    let (found, _) = read("thesios", &(THESIOS.to_owned() + &text.concat()));
    let places: Vec<(i64, i32)> = found.iter().map(|request| (request.lbn, request.blocks)).collect();
    assert_eq!(places, [(EXTENT - 1, 2), (2 * EXTENT, 1), (3 * EXTENT - 1, 2), (2 * EXTENT - 2, 2)]);
}

#[test]
fn faults_of_thesios_are_named() {
    let good = THESIOS.to_owned() + &thesios("a", 0, "READ", 0, 512, "1705305600");
    for (line, said) in [
        (thesios("a", 0, "ERASE", 0, 512, "1"), "expected R (read) or W (write), found \"ERASE\""),
        (thesios("a", 0, "READ", 3, 512, "1"), "expected 1 (hit in the cache), 0 or -1, found \"3\""),
        (
            thesios("a", 0, "READ", 0, 512, "x"),
            "expected a time in s since 1970 (a decimal number from 0), found \"x\"",
        ),
        (
            "a,0,app,1,COLD,ERASURE_CODED,READ,OTHER,0,0,512,0,0,1,0.1,0.1\n".to_owned(),
            "expected a latency in s (a decimal number from 0), found the end of the line",
        ),
        (
            thesios("a", 0, "READ", 0, 512, "1").replace('\n', ",9\n"),
            "expected the end of the line, found \"9\"",
        ),
    ] {
        assert_eq!(fault(None, &(good.clone() + &line)), format!("FILE:3: {said}"));
    }
}

const IOSNOOP: &str = "Tracing block I/O. Ctrl-C to end.\nSTARTs ENDs COMM PID TYPE DEV BLOCK BYTES LATms\n";

#[test]
fn iosnoop_measures_from_its_two_times() {
    let text = format!(
        "{IOSNOOP}11165.028200 11165.028241 my prog 4711 WS 253,1 4534 130560 0.04\n\
         11165.028153 11165.028300 dd 7 R 8,0 8 512 0.15\n\
         11165.03 11165.04 <idle> 0 FF 8,0 18446744073709551615 0 10.00\n\
         11165.05 11165.06 dd 7 R 8,0 8 0 10.00\n11165.05 11165.06 udev 7 N 8,0 0 0 10.00\nEnding tracing...\n"
    );
    let (found, about) = read("iosnoop", &text);
    let sync = TraceRow { flags: flags::SYNC, ..request(47_000, 0, 4534, 255, Op::Write) };
    let expected = [
        measured(request(0, 1, 8, 1, Op::Read), 147_000, 147_000),
        measured(sync, 41_000, 41_000),
        measured(request(1_847_000, 1, 0, 0, Op::Flush), 10_000_000, 10_000_000),
    ];
    assert_eq!(found, expected);
    assert_eq!(about.device_names.values().collect::<Vec<_>>(), ["253,1", "8,0"]);
    assert_eq!((about.skipped.empty, about.skipped.commands, doubts(&about).len()), (1, 1, 0));
}

#[test]
fn iosnoop_without_times_is_refused() {
    let text = IOSNOOP.replace("STARTs ENDs ", "") + "dd 7 R 8,0 8 512 0.15\n";
    let said = "FILE:2: expected a column of times, STARTs or ENDs: run iosnoop with -ts, found \"COMM\"";
    assert_eq!(fault(None, &text), said);
    let ends = IOSNOOP.replace("STARTs ", "") + "2.5 dd 7 R 8,0 8 512 0.15\n";
    let (found, about) = read("iosnoop", &ends);
    assert_eq!(found, [measured(request(0, 0, 8, 1, Op::Read), 150_000, 150_000)]);
    assert_eq!(
        doubts(&about),
        ["measured times count in steps of 10 us: iosnoop -ts gives both times in us"]
    );
}

fn nvme(time: &str, event: &str, command: u32, rest: &str) -> String {
    format!("  dd-7 [001] ..... {time}: {event}: nvme0: disk=nvme0n1, qid=1, cmdid={command}, {rest}\n")
}

fn setup(time: &str, id: u32, command: &str) -> String {
    nvme(
        time,
        "nvme_setup_cmd",
        id,
        &format!("nsid=1, flags=0x0, meta=0x0, cmd=({command}, dsmgmt=0, reftag=0)"),
    )
}

fn complete(time: &str, id: u32, status: &str) -> String {
    nvme(time, "nvme_complete_rq", id, &format!("res=0x0, retries=0, flags=0x0, status={status}"))
}

#[test]
fn nvme_pairs_commands_by_queue_and_number() {
    let text = setup("5.000001", 7, "nvme_cmd_read slba=8, len=7, ctrl=0x0")
        + &setup("5.000002", 8, "nvme_cmd_write slba=16, len=15, ctrl=0x4000")
        + &setup("5.000003", 9, "nvme_cmd_flush 00 00")
        + &setup("5.000004", 10, "nvme_cmd_dsm nr=0, attributes=4")
        + "  dd-7 [001] ..... 5.000005: nvme_setup_cmd: nvme0: qid=0, cmdid=4, nsid=0, flags=0x0, meta=0x0, cmd=(nvme_admin_identify cns=1, ctrlid=0)\n"
        + &complete("5.000010", 8, "0x0")
        + &complete("5.000020", 7, "0x4002")
        + &complete("5.000030", 10, "0x0")
        + &complete("5.000033", 9, "0x0");
    let (found, about) = read("nvme", &text);
    let expected = [
        request(0, 0, 8, 8, Op::Read),
        TraceRow { flags: flags::FUA, ..measured(request(1000, 0, 16, 16, Op::Write), 8000, 8000) },
        measured(request(2000, 0, 0, 0, Op::Flush), 30_000, 30_000),
    ];
    assert_eq!(found, expected);
    assert_eq!(about.skipped.commands, 2);
    assert_eq!(about.device_names[&0], "nvme0n1");
    let said = doubts(&about).join("; ");
    assert!(said.starts_with("1 of 3 requests ended with an error") && said.contains("4,096"), "{said}");
    let perf = setup("5.000001", 7, "nvme_cmd_read slba=8, len=7, ctrl=0x0")
        .replace("nvme_setup_cmd", "nvme:nvme_setup_cmd");
    assert_eq!(read("nvme", &perf).0, [request(0, 0, 8, 8, Op::Read)]);
}

#[test]
fn nvme_does_not_pair_across_lost_events() {
    let text = setup("5.000001", 7, "nvme_cmd_read slba=8, len=7, ctrl=0x0")
        + "CPU:1 [LOST 4000 EVENTS]\n"
        + &complete("95.000001", 7, "0x0");
    let (found, about) = read("nvme", &text);
    assert_eq!(found, [request(0, 0, 8, 8, Op::Read)]);
    let said = doubts(&about);
    assert_eq!(said[0], "requests are missing: the tracer lost events (number of its reports: 1)");
    assert!(
        said[1].starts_with("completions without a start: 1") && said[2].starts_with("1 of 1"),
        "{said:?}"
    );
    let bad = setup("5.0", 7, "nvme_cmd_read slba=x, len=7, ctrl=0x0");
    let expected = "expected slba= and a block from 0 to 9223372034707292160, found \"x\"";
    assert_eq!(fault(None, &bad), format!("FILE:1: {expected}"));
}

fn scsi(time: &str, event: &str, command: &str, end: &str) -> String {
    format!(
        "<idle>-0 [007] d.h3. {time}: scsi_dispatch_cmd_{event}: host_no=2 channel=0 id=1 lun=0 data_sgl=1 prot_sgl=0 \
         prot_op=SCSI_PROT_NORMAL driver_tag=9 scheduler_tag=4 cmnd=({command}){end}\n"
    )
}

#[test]
fn scsi_pairs_commands_and_starts_refused_ones_again() {
    let (read_10, write_16) =
        ("READ_10 lba=505083904 txlen=2560 protect=0 raw=28 00", "WRITE_16 lba=8 txlen=8 protect=0 raw=8a");
    let good = " result=(driver=DRIVER_OK host=DID_OK message=COMMAND_COMPLETE status=SAM_STAT_GOOD)";
    let flush = "SYNCHRONIZE_CACHE - raw=35 00 00 00 00 00 00 00 00 00";
    let text = scsi("9.5", "start", read_10, "")
        + &scsi("9.500001", "error", read_10, " rtn=0x1055")
        + &scsi("9.6", "start", read_10, "")
        + &scsi("9.7", "done", read_10, good)
        + &scsi("9.8", "start", write_16, "")
        + &scsi("9.9", "done", write_16, &good.replace("GOOD", "CHECK_CONDITION"))
        + &scsi("9.91", "start", flush, "")
        + &scsi("9.92", "done", flush, good)
        + &scsi("9.93", "start", "INQUIRY - raw=12 00", "")
        + &scsi("9.94", "done", "INQUIRY - raw=12 00", good);
    let (found, about) = read("scsi", &text);
    let expected = [
        measured(request(0, 0, 505_083_904, 2560, Op::Read), 100_000_000, 100_000_000),
        request(200_000_000, 0, 8, 8, Op::Write),
        measured(request(310_000_000, 0, 0, 0, Op::Flush), 10_000_000, 10_000_000),
    ];
    assert_eq!(found, expected);
    assert_eq!((about.device_names[&0].as_str(), about.skipped.commands), ("2:0:1:0", 1));
}

/// Reads a log of fio from a file of this name.
fn fio_log(name: &str, text: &str) -> Result<(Trace, TraceInfo), String> {
    let input = Input::Reader(Box::new(Cursor::new(text.as_bytes().to_vec())), name.to_owned());
    let mut reader = TraceReader::open(input, &ReadOptions::default()).map_err(|error| error.to_string())?;
    let trace = reader.rest(&mut |_| ControlFlow::Continue(())).map_err(|error| error.to_string())?;
    Ok((trace, reader.about().clone()))
}

const FIO_LOG: &str =
    "5, 268338, 0, 4096, 1011712, 0\n7, 2000000, 1, 512, 14143488, 0\n9, 70000, 2, 0, 8, 0\n9, 1, 2, 1024, 512, 0\n";

#[test]
fn latency_logs_of_fio_arrive_before_they_complete() {
    let (trace, about) = fio_log("a/job_lat.1.log", FIO_LOG).unwrap();
    assert_eq!(about.format, "fiolog");
    let expected = [
        measured(request(0, 0, 1976, 8, Op::Read), 268_338, 0),
        measured(request(268_338, 0, 27_624, 1, Op::Write), 2_000_000, 0),
        measured(request(4_268_337, 0, 1, 2, Op::Discard), 1, 0),
    ];
    assert_eq!(rows(&trace), expected);
    assert_eq!((about.skipped.empty, about.origin_unix_ns), (1, None));
    let said = doubts(&about);
    assert!(said.len() == 1 && said[0].contains("as those of a job with iodepth=1"), "{said:?}");
    let (_, about) = fio_log("FILE", FIO_LOG).unwrap();
    assert!(doubts(&about)[1].contains("nothing but the name of its file"), "{:?}", about.notes());
    let unix = FIO_LOG
        .replace("5, 2", "1705305600005, 2")
        .replace("7, 2", "1705305600007, 2")
        .replace("9, ", "1705305600009, ");
    assert_eq!(fio_log("x_lat.log", &unix).unwrap().1.origin_unix_ns, Some(1_705_305_600_004_731_662));
}

#[test]
fn times_of_issue_of_fio_are_exact() {
    let text = "5, 268338, 0, 4096, 1011712, 0, 5100123\n7, 20000, 1, 512, 14143488, 0x2004, 7090456\n";
    let (trace, about) = fio_log("job_clat.log", text).unwrap();
    assert_eq!(trace.arrival_ns, [0, 1_990_333]);
    assert!(doubts(&about).is_empty() && about.notes().len() == 1, "{:?}", about.notes());
}

#[test]
fn other_logs_of_fio_are_refused_with_what_they_are() {
    let without = "5, 268338, 0, 4096, 0\n7, 2000000, 1, 512, 1\n";
    let averages = "100, 807919, 1, 0, 0\n200, 815838, 1, 0, 0\n";
    let both = "100, 807919, 900000, 1, 0, 0, 0\n200, 815838, 815900, 1, 0, 0, 0\n";
    let dense = averages.replace(", ", ",");
    let plain = "0, 15314, 0, 4096\n2, 24139, 1, 4096\n";
    let issued = "0, 15314, 0, 4096, 0, 100123\n2, 24139, 1, 4096, 0, 2100123\n";
    for (name, text, said) in [
        ("job_bw.1.log", FIO_LOG, "a bandwidth log of fio (ms, KiB/s), which has no response times; "),
        ("job_iops.log.gz", FIO_LOG, "an IOPS log of fio "),
        ("job_slat.2.log", FIO_LOG, "a log of submission latencies of fio"),
        (
            "job_lat.log",
            plain,
            "a latency log of fio (ms of completion, latencies in ns) without places (log_offset=0); ",
        ),
        ("job_lat.log", issued, "a latency log of fio (ms of completion, latencies in ns) without places"),
        (
            "fio_lat_log.txt",
            averages,
            "a latency log of fio (ms of completion, latencies in ns) of averages over windows",
        ),
        ("x", &dense, "a log of fio (ms, values that may be latencies, bandwidths or IOPS) of averages"),
        ("x", both, "a log of fio (ms, values that may be latencies, bandwidths or IOPS) of averages"),
        ("x_clat.log", without, "without places"),
    ] {
        let error = fio_log(name, text).unwrap_err();
        assert!(error.starts_with(&format!("{name}: expected a trace, found ")), "{error}");
        assert!(error.contains(said) && error.contains("--log_offset=1"), "{name}: {error}");
    }
    // A table of Tencent's has the same columns.
    let tencent = fio_log("x", "1538323199,2048,1,0,0\n1538323200,2048,1,1,0\n").unwrap().1;
    assert_eq!(tencent.format, "tencent");
}

#[test]
fn faults_in_logs_of_fio_are_named() {
    let said =
        fio_log("x_lat.log", &("0, 268338, 0, 4096, 1011712, 0\n".repeat(5000) + "5, 7, 3, 512, 0, 0\n"))
            .unwrap_err();
    assert_eq!(said, "x_lat.log:5001: expected 0 (read), 1 (write) or 2 (trim), found \"3\"");
}

#[test]
fn requests_of_a_ms_follow_one_another_if_they_fit() {
    let text = |latency_us: u64| {
        let line = |at: u64| format!("{}, {}, 0, 512, {}, 0\n", 5 + at / 4, latency_us * 1000, at * 512);
        (0..8).map(line).collect::<String>()
    };
    let read = |latency_us| {
        let (trace, about) = fio_log("x_lat.log", &text(latency_us)).unwrap();
        let arrivals_us: Vec<i64> = trace.arrival_ns.iter().map(|ns| ns / 1000).collect();
        (arrivals_us, trace.lbn, doubts(&about)[0].contains("iodepth=1"))
    };
    let order: Vec<i64> = (0..8).collect();
    assert_eq!(read(200), (vec![0, 200, 400, 600, 1000, 1200, 1400, 1600], order.clone(), true));
    assert_eq!(read(400), (vec![0, 250, 500, 750, 1000, 1250, 1500, 1750], order, false));
}
