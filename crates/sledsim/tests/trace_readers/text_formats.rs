//! Hand-made lines of the text formats, with every field, and the error for every fault.

use std::collections::BTreeMap;

use sledsim::trace::{Op, TraceInfo, TraceRow};

use crate::support::{read_bytes, rows};

fn read(format: &str, text: &str) -> (Vec<TraceRow>, TraceInfo) {
    let (trace, about) = read_bytes(text.as_bytes(), Some(format), false).unwrap();
    assert_eq!(about.format, format);
    (rows(&trace), about)
}

fn request(arrival_ns: i64, device: i32, lbn: i64, blocks: i32, op: Op) -> TraceRow {
    TraceRow { arrival_ns, device, lbn, blocks, op, ..TraceRow::default() }
}

/// The text unchanged, with Windows line ends, and with a comment, a blank line and no final line end.
fn variants(text: &str) -> [String; 3] {
    [text.to_owned(), text.replace('\n', "\r\n"), format!("# a comment\n\n{}", text.trim_end())]
}

fn assert_reads(format: &str, text: &str, expected: &[TraceRow]) {
    for text in variants(text) {
        assert_eq!(read(format, &text).0, expected, "{text}");
    }
}

#[test]
fn validate_is_a_closed_loop_with_measured_times() {
    let text =
        "R Miss  564347     2     14095.370     13876.270\nW Doub 1194877 15 17221 21894.38\nr Hit 0 1 0.5 0";
    let measured = |request, service_ns| TraceRow { service_ns, response_ns: service_ns, ..request };
    let expected = [
        measured(request(0, 0, 564_347, 2, Op::Read), 14_095_370),
        measured(request(27_971_640, 0, 1_194_877, 15, Op::Write), 17_221_000),
        measured(request(67_087_020, 0, 0, 1, Op::Read), 500),
    ];
    assert_reads("validate", text, &expected);
}

#[test]
fn spc_has_bytes_seconds_and_fields_to_ignore() {
    let text = "0,20941264,8192,W,0.551706,Alpha/NT\n1, 3436288, 15873, r, 1.5,0x123,5.99,test\n\
                0,7,0,R,2.0\n1,0,1,w,2e0\n";
    let expected = [
        request(551_706_000, 0, 20_941_264, 16, Op::Write),
        request(1_500_000_000, 1, 3_436_288, 32, Op::Read),
        request(2_000_000_000, 1, 0, 1, Op::Write),
    ];
    assert_reads("spc", text, &expected);
    assert_eq!(read("spc", text).1.skipped.empty, 1);
}

const MSR: &str = "128166372003061629,usr,0,Read,10995532800,16384,30123\n\
                   128166372003061630,src1,2,Write,1,512,0\n128166372013061629,usr,0,write,512,0,5\n\
                   128166372013061639,usr,0,Write,0,513\n";

fn msr_rows() -> [TraceRow; 3] {
    [
        TraceRow { response_ns: 3_012_300, ..request(0, 0, 21_475_650, 32, Op::Read) },
        request(100, 1, 0, 2, Op::Write),
        request(1_000_001_000, 0, 0, 2, Op::Write),
    ]
}

#[test]
fn msr_counts_from_its_first_request_and_names_disks() {
    assert_reads("msr", MSR, &msr_rows());
    let with_header = format!("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n{MSR}");
    assert_reads("msr", &with_header, &msr_rows());
    let about = read("msr", MSR).1;
    assert_eq!(about.origin_unix_ns, Some(1_172_163_600_306_162_900));
    assert_eq!(about.device_names, BTreeMap::from([(0, "usr.0".to_owned()), (1, "src1.2".to_owned())]));
    assert_eq!(about.skipped.empty, 1);
    assert!(about.notes().is_empty(), "{:?}", about.notes());
}

#[test]
fn times_of_msr_that_go_back_to_1601_are_suspected() {
    let (requests, about) = read("msr", "1000,usr,0,Read,0,512,0\n900,usr,0,Read,0,512,0\n");
    assert_eq!(requests.iter().map(|request| request.arrival_ns).collect::<Vec<_>>(), [0, 10_000]);
    assert_eq!(about.origin_unix_ns, None);
    let said =
        "times look wrong: if they are Windows file times (100 ns since 1601), the trace begins in the year 1601; \
                check the unit";
    assert_eq!(about.notes(), [said]);
}

#[test]
fn systor17_is_sorted_and_may_lack_the_answer() {
    let text = "Timestamp,Response,IOType,LUN,Offset,Size\n1456135200.013118000,0.000806,R,0,899056122368,131072\n\
                1456135200.012,0.5,W,4,513,511\n1456135201.0,,W,6,0,1024\n1456135202.5,,,0,,\n1456135203.5,0.1,R,0,0,0\n";
    let expected = [
        TraceRow { response_ns: 500_000_000, ..request(0, 4, 1, 1, Op::Write) },
        TraceRow { response_ns: 806_000, ..request(1_118_000, 0, 1_755_968_989, 256, Op::Read) },
        request(988_000_000, 6, 0, 2, Op::Write),
    ];
    assert_reads("systor17", text, &expected);
    let about = read("systor17", text).1;
    assert_eq!((about.late, about.skipped.unknown, about.skipped.empty), (1, 1, 1));
    assert_eq!(about.origin_unix_ns, Some(1_456_135_200_012_000_000));
    let headerless = text.split_once('\n').unwrap().1;
    assert_reads("systor17", headerless, &expected);
    let twice = format!("{text}{text}");
    assert_eq!(read("systor17", &twice).0.len(), 6, "files one behind the other have a header each");
}

#[test]
fn alibaba_has_microseconds_and_bytes() {
    let text =
        "419,W,8792731648,16384,1577808144360767\n420,R,512,1,1577808144360768\n420,R,0,0,1577808144360769\n";
    let expected = [request(0, 419, 17_173_304, 32, Op::Write), request(1000, 420, 1, 1, Op::Read)];
    assert_reads("alibaba", text, &expected);
    assert_reads("alibaba", &format!("device_id,opcode,offset,length,timestamp\n{text}"), &expected);
    let about = read("alibaba", text).1;
    assert_eq!((about.origin_unix_ns, about.skipped.empty), (Some(1_577_808_144_360_767_000), 1));
}

#[test]
fn tencent_has_seconds_sectors_and_1_for_a_write() {
    let text = "1538323201,12910952128,128,0,1283\n1538323200,6265848,8,1,1360\n1538323202,0,0,1,1360\n";
    let expected = [
        request(0, 1360, 6_265_848, 8, Op::Write),
        request(1_000_000_000, 1283, 12_910_952_128, 128, Op::Read),
    ];
    assert_reads("tencent", text, &expected);
    let about = read("tencent", text).1;
    assert_eq!((about.late, about.skipped.empty), (1, 1));
    assert_eq!(about.origin_unix_ns, Some(1_538_323_200_000_000_000));
}

#[test]
fn fiu_has_nanoseconds_and_digests() {
    let text = "0 4892 syslogd 904265560 8 W 6 0 531e779e\n\
                89968195792462 20782 gzip 283193184 16 R 8 1 56f11b71 56f11b72\n89968195792463 1 x 1 0 R 8 1\n";
    let expected =
        [request(0, 0, 904_265_560, 8, Op::Write), request(89_968_195_792_462, 1, 283_193_184, 16, Op::Read)];
    assert_reads("fiu", text, &expected);
    let about = read("fiu", text).1;
    assert_eq!(about.device_names, BTreeMap::from([(0, "6,0".to_owned()), (1, "8,1".to_owned())]));
    assert_eq!((about.origin_unix_ns, about.skipped.empty), (None, 1));
}

#[test]
fn names_of_processes_in_fiu_may_have_blanks() {
    let text = "0 4892 syslogd 8 8 W 6 0 531e779e\n5 7 Web Content 1 64 16 R 6 0 56f11b71\n";
    let expected = [request(0, 0, 8, 8, Op::Write), request(5, 0, 64, 16, Op::Read)];
    assert_reads("fiu", text, &expected);
    let fault = read_bytes(b"0 4892 syslogd 8 8 W 6 0\n5 7 Web x 16 R 6 0\n", None, false).unwrap_err();
    assert!(
        fault
            .to_string()
            .ends_with("FILE:2: expected a block number from 0 to 9223372034707292160, found \"x\""),
        "{fault}"
    );
}

#[test]
fn mobilect_has_seconds_first() {
    let text = "0.000012 W 2097152 8 1234 app_process d41d8cd9\n1.5 R 64 1 7 kworker\n";
    let expected = [request(12_000, 0, 2_097_152, 8, Op::Write), request(1_500_000_000, 0, 64, 1, Op::Read)];
    assert_reads("mobilect", text, &expected);
}

#[test]
fn mqsim_has_nanoseconds_and_1_for_a_read() {
    let text = "938513000 4 264719034 16 0\n938828000 3 197570570 8 1\n938828001 3 1 0 1\n";
    let expected = [
        request(938_513_000, 4, 264_719_034, 16, Op::Write),
        request(938_828_000, 3, 197_570_570, 8, Op::Read),
    ];
    assert_reads("mqsim", text, &expected);
    let said = |format| read_bytes(text.as_bytes(), format, false).unwrap().1.notes().join(" ");
    assert!(said(None).contains("read the trace with --format disksim") && said(Some("mqsim")).is_empty());
    assert_eq!(read("mqsim", text).1.skipped.empty, 1);
}

/// Checks the error messages for faults in the second line of a file, whose first line is `good`.
fn assert_faults(format: &str, good: &str, faults: &[(&str, &str, &str)]) {
    for (line, expected, found) in faults {
        let said =
            read_bytes(format!("{good}\n{line}\n").as_bytes(), Some(format), false).unwrap_err().to_string();
        assert_eq!(said, format!("FILE:2: expected {expected}, found {found}"), "{line}");
    }
}

const END: &str = "the end of the line";
const LBN: &str = "a block number from 0 to 9223372034707292160";
const BLOCKS: &str = "a number of blocks from 0 to 2147483647";
const DEVICE: &str = "a device number from 0 to 2147483647";
const OFFSET: &str = "an offset in bytes from 0 to 9223372036854775807";
const SIZE: &str = "a size in bytes from 0 to 1099511626752";
const OP: &str = "R (read) or W (write)";

#[test]
fn each_wrong_field_of_validate_is_named() {
    let service = "a measured service time in us (a decimal number from 0)";
    let gap = "the time in us until the next request";
    assert_faults(
        "validate",
        "R Hit 0 8 1.5 2.5",
        &[
            ("X Hit 0 8 1.5 2.5", OP, "\"X\""),
            ("R", "the outcome in the drive's buffer, such as Hit or Miss", END),
            ("R Hit x 8 1.5 2.5", LBN, "\"x\""),
            ("R Hit 0 -8 1.5 2.5", BLOCKS, "\"-8\""),
            ("R Hit 0 8 -1.5 2.5", service, "\"-1.5\""),
            ("R Hit 0 8 1.5", gap, END),
            ("R Hit 0 8 1.5 2.5 6", END, "\"6\""),
            (
                "R Hit 0 8 9000000000000000 9000000000000000",
                "times that add up to less than 292 years since the start",
                "\"9000000000000000\"",
            ),
        ],
    );
}

#[test]
fn each_wrong_field_of_spc_is_named() {
    let time = "an arrival time in s (a decimal number from 0)";
    assert_faults(
        "spc",
        "0,0,512,R,0.5",
        &[
            ("-1,0,512,R,0.5", DEVICE, "\"-1\""),
            ("0,x,512,R,0.5", LBN, "\"x\""),
            ("0,0,1099511626753,R,0.5", SIZE, "\"1099511626753\""),
            ("0,0,,R,0.5", SIZE, "nothing"),
            ("0,0,512,X,0.5", OP, "\"X\""),
            ("0,0,512,,0.5", OP, "nothing"),
            ("0,0,512,R", time, END),
            ("0,0,512,R,0.5.5,x", time, "\"0.5.5\""),
            ("0 0 512 R 0.5", DEVICE, "\"0\""),
        ],
    );
}

#[test]
fn each_wrong_field_of_msr_is_named() {
    let time =
        "a Windows file time (100 ns since 1601), less than 146 years from 1970 or from the first file time";
    assert_faults(
        "msr",
        "128166372003061629,usr,0,Read,10995532800,16384,30123",
        &[
            ("x,usr,0,Read,0,512,0", time, "\"x\""),
            ("1456135200013118000,usr,0,Read,0,512,0", time, "\"1456135200013118000\""),
            ("128166372003061629,usr,x,Read,0,512,0", DEVICE, "\"x\""),
            ("128166372003061629,usr,0,Reed,0,512,0", OP, "\"Reed\""),
            ("128166372003061629,usr,0,Read,-1,512,0", OFFSET, "\"-1\""),
            ("128166372003061629,usr,0,Read,0,5 12,0", SIZE, "\"5\""),
            ("128166372003061629,usr,0,Read,0,512,x", "a response time in units of 100 ns", "\"x\""),
            ("128166372003061629,usr,0,Read,0,512,0,9", END, "\"9\""),
            ("128166372003061629,usr,0,Read,0", SIZE, END),
        ],
    );
}

#[test]
fn each_wrong_field_of_the_clouds_is_named() {
    let seconds = "a time in s since 1970 (a decimal number from 0)";
    assert_faults(
        "systor17",
        "1456135200.013118000,0.000806,R,0,0,512",
        &[
            ("x,0.1,R,0,0,512", seconds, "\"x\""),
            ("1456135200,x,R,0,0,512", "a response time in s (a decimal number from 0)", "\"x\""),
            ("1456135200,0.1,X,0,0,512", OP, "\"X\""),
            ("1456135200,0.1,R,x,0,512", DEVICE, "\"x\""),
            ("1456135200,0.1,R,0,x,512", OFFSET, "\"x\""),
            ("1456135200,0.1,R,0,0,", SIZE, END),
            ("1456135200,0.1,R,0,0,512,1", END, "\"1\""),
        ],
    );
    assert_faults(
        "alibaba",
        "419,W,8792731648,16384,1577808144360767",
        &[
            ("x,W,0,512,1", DEVICE, "\"x\""),
            ("1,Q,0,512,1", OP, "\"Q\""),
            ("1,W,x,512,1", OFFSET, "\"x\""),
            ("1,W,0,x,1", SIZE, "\"x\""),
            ("1,W,0,512,x", "a time in us since 1970 (a decimal number from 0)", "\"x\""),
            ("1,W,0,512,1,1", END, "\"1\""),
        ],
    );
    assert_faults(
        "tencent",
        "1538323200,6265848,8,1,1360",
        &[
            ("x,0,8,1,0", seconds, "\"x\""),
            ("1,x,8,1,0", LBN, "\"x\""),
            ("1,0,x,1,0", BLOCKS, "\"x\""),
            ("1,0,8,2,0", "0 (read) or 1 (write)", "\"2\""),
            ("1,0,8,1,x", DEVICE, "\"x\""),
            ("1,0,8,1,0,0", END, "\"0\""),
        ],
    );
}

#[test]
fn each_wrong_field_of_the_others_is_named() {
    assert_faults(
        "fiu",
        "0 4892 syslogd 904265560 8 W 6 0 531e779e",
        &[
            ("x 1 p 0 8 W 6 0", "a time in ns (a whole number from 0)", "\"x\""),
            ("0 x p 0 8 W 6 0", "a process number", "\"x\""),
            ("0 1 p x 8 W 6 0", LBN, "\"x\""),
            ("0 1 p 0 x W 6 0", BLOCKS, "\"x\""),
            ("0 1 p 0 8 x 6 0", OP, "\"x\""),
            ("0 1 p 0 8 W x 0", "a major device number", "\"x\""),
            ("0 1 p 0 8 W 6", "a minor device number", END),
        ],
    );
    assert_faults(
        "mobilect",
        "0.5 W 0 8 1 p d",
        &[
            ("x W 0 8 1 p d", "a time in s (a decimal number from 0)", "\"x\""),
            ("0 X 0 8 1 p d", OP, "\"X\""),
            ("0 W x 8 1 p d", LBN, "\"x\""),
            ("0 W 0 x 1 p d", BLOCKS, "\"x\""),
            ("0 W 0 8 x p d", "a process number", "\"x\""),
        ],
    );
    assert_faults(
        "mqsim",
        "938513000 4 264719034 16 0",
        &[
            ("0.5 0 0 8 1", "an arrival time in ns (a whole number from 0)", "\"0.5\""),
            ("0 x 0 8 1", DEVICE, "\"x\""),
            ("0 0 x 8 1", LBN, "\"x\""),
            ("0 0 0 x 1", BLOCKS, "\"x\""),
            ("0 0 0 8 2", "0 (write) or 1 (read)", "\"2\""),
            ("0 0 0 8 1 1", END, "\"1\""),
        ],
    );
}

#[test]
fn sectors_where_bytes_belong_are_suspected_aloud() {
    let in_sectors: String =
        (0..20).map(|at| format!("1,W,{},8,15778081443607{at:02}\n", at * 8 + 3)).collect();
    let notes = read("alibaba", &in_sectors).1.notes();
    assert_eq!(
        notes,
        [
            "sizes look like 512-byte sectors, but are read as bytes: of 20 sizes, 0 are multiples of 512 and 20 are below 2048",
            "positions look like 512-byte sectors, but are read as bytes: of 20 positions above 0, 0 are multiples of 512",
        ]
    );
    let in_bytes: String =
        (0..20).map(|at| format!("{},{},4096,1,0\n", 1_538_323_200 + at, at * 4096)).collect();
    let notes = read("tencent", &in_bytes).1.notes();
    assert!(notes.len() == 2 && notes.iter().all(|note| note.contains("look like bytes")), "{notes:?}");
    let in_seconds: String = (0..20).map(|at| format!("1,W,{},4096,{at}\n", at * 4096)).collect();
    let notes = read("alibaba", &in_seconds).1.notes();
    assert_eq!(
        notes,
        ["times look wrong: the first request came in the year 1970; check the unit of the times"]
    );
}
