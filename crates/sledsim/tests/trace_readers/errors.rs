//! The exact error message for each kind of fault in a trace file.

use std::path::Path;

use sledsim::trace::{size_bytes, ReadOptions, FORMATS};

use crate::support::{error, error_with, gzip, read_bytes, read_with, xz, zstd, Record, DISPATCH};

const GOOD: &str = "1 0 0 8 1\n";

fn all_formats() -> String {
    FORMATS.rows().into_iter().map(|format| format.name).collect::<Vec<_>>().join(", ")
}

fn forced(format: &str) -> ReadOptions<'_> {
    ReadOptions { format: Some(format), ..ReadOptions::default() }
}

#[test]
fn a_missing_file_is_named() {
    let path = Path::new("no/such.trace");
    let error = read_with(path, ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(error, "no/such.trace: No such file or directory (os error 2)");
    let error = size_bytes(path).unwrap_err().to_string();
    assert_eq!(error, "no/such.trace: No such file or directory (os error 2)");
}

#[test]
fn a_folder_is_not_a_trace() {
    let error = read_with(Path::new("/"), ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(error, "/: Is a directory (os error 21)");
}

#[test]
fn an_unknown_format_is_answered_with_the_known() {
    let said = error_with("unknown.trace", GOOD, forced("blkparze"));
    let known =
        format!("unknown trace format \"blkparze\": did you mean \"blkparse\"? known: {}", all_formats());
    assert_eq!(said, known);
}

#[test]
fn an_unrecognised_file_is_shown_by_its_first_bytes() {
    let long = "no trace at all, but a letter that goes on until it is longer than sixty bytes\n";
    for (name, content, found) in [
        (
            "letter",
            long.as_bytes(),
            "a file that begins with \"no trace at all, but a letter that goes on until it is longe...\"",
        ),
        ("bin", b"\x00\xff\"\n", "a file that begins with \"\\x00\\xff\\\"\\n\""),
        ("empty", b"", "an empty file"),
    ] {
        let expected = format!(
            "FILE: expected a trace in one of the formats {}, or a table and a map of its columns (such as \
             --map time=1:us,lbn=2,size=3:B,op=4), found {found}",
            all_formats()
        );
        assert_eq!(error(&format!("unrecognised.{name}"), content), expected);
    }
}

#[test]
fn a_trace_without_requests_is_refused() {
    assert_eq!(
        error("commands.blkparse", "  8,0    0        6     0.300000000    44  D   R 36 (12 00) [udev]\n"),
        "FILE: no requests found (format blkparse; skipped 1 passed-through commands, 0 requests without data)"
    );
    let none =
        "FILE: no requests found (format FORMAT; skipped 0 passed-through commands, 0 requests without data)";
    for format in FORMATS.rows().into_iter().map(|format| format.name) {
        assert_eq!(error_with(&format!("none.{format}"), "", forced(format)), none.replace("FORMAT", format));
    }
}

#[test]
fn bad_lines_can_be_skipped_and_are_counted() {
    let lines: String =
        (0..9).map(|at| if at % 2 == 0 { format!("{at} 0 0 8 1\n") } else { format!("{at} x\n") }).collect();
    let (trace, about) = read_bytes(lines.as_bytes(), None, true).unwrap();
    assert_eq!((trace.len(), about.bad.count), (5, 4));
    let said = |line| format!("FILE:{line}: expected a device number from 0 to 2147483647, found \"x\"");
    assert_eq!(about.bad.first, [said(2), said(4), said(6)]);
}

#[test]
fn what_is_no_record_of_a_blktrace_can_be_passed_over() {
    let record = |at| Record::new(at, DISPATCH, at, 512).little_endian();
    let content = [record(1), b"seven bytes".to_vec(), record(2), record(3)[..30].to_vec()].concat();
    let (trace, about) = read_bytes(&content, None, true).unwrap();
    assert_eq!((trace.lbn, about.bad.count), (vec![1, 2], 2));
    assert_eq!(
        about.bad.first,
        [
            "FILE: byte 48: expected the magic number of a blktrace record, found \"seve\"",
            "FILE: byte 107: expected 48 bytes of a record, found 30 (the file is cut short)"
        ]
    );
}

#[test]
fn what_comes_before_a_fault_in_compressed_data_can_be_kept() {
    let text: String = (0..1000).map(|i| format!("{i} 0 {i} 8 1\n")).collect();
    let content = gzip(text.as_bytes());
    let (trace, about) = read_bytes(&content[..content.len() - 1], None, true).unwrap();
    assert_eq!((trace.len(), about.bad.count), (1000, 1));
    assert!(about.bad.first[0].contains("cut short"), "{about:?}");
}

#[test]
fn each_wrong_field_of_disksim_is_named() {
    for (line, expected, found) in [
        ("x 0 0 8 1", "an arrival time in ms (a decimal number from 0)", "\"x\""),
        ("-1.5 0 0 8 1", "an arrival time in ms (a decimal number from 0)", "\"-1.5\""),
        ("nan 0 0 8 1", "an arrival time in ms (a decimal number from 0)", "\"nan\""),
        ("inf 0 0 8 1", "an arrival time in ms (a decimal number from 0)", "\"inf\""),
        ("1e999 0 0 8 1", "an arrival time in ms (a decimal number from 0)", "\"1e999\""),
        ("9223372036855 0 0 8 1", "an arrival time in ms (a decimal number from 0)", "\"9223372036855\""),
        ("1 -1 0 8 1", "a device number from 0 to 2147483647", "\"-1\""),
        ("1 2147483648 0 8 1", "a device number from 0 to 2147483647", "\"2147483648\""),
        ("1 0 -4 8 1", "a block number from 0 to 9223372034707292160", "\"-4\""),
        (
            "1 0 18446744073709551616 8 1",
            "a block number from 0 to 9223372034707292160",
            "\"18446744073709551616\"",
        ),
        ("1 0 0 -8 1", "a number of blocks from 0 to 2147483647", "\"-8\""),
        ("1 0 0 2147483648 1", "a number of blocks from 0 to 2147483647", "\"2147483648\""),
        ("1 0 0", "a number of blocks from 0 to 2147483647", "the end of the line"),
        ("1 0 0 8", "hexadecimal flags", "the end of the line"),
        ("1 0 0 8 R", "hexadecimal flags", "\"R\""),
        ("1 0 0 8 100000000", "hexadecimal flags", "\"100000000\""),
        ("1 0 0 8 1 x", "a batch number or the end of the line", "\"x\""),
        ("1 0 0 8 1 2 3", "the end of the line", "\"3\""),
    ] {
        let said = error_with("field.trace", format!("# head\n{GOOD}{line}\n"), forced("disksim"));
        assert_eq!(said, format!("FILE:3: expected {expected}, found {found}"), "{line}");
    }
}

#[test]
fn a_wrong_first_line_is_explained_too_when_its_shape_is_right() {
    assert_eq!(
        error("zero.trace", "1.5 0 0 -1 1\n"),
        "FILE:1: expected a number of blocks from 0 to 2147483647, found \"-1\""
    );
}

#[test]
fn what_was_found_is_escaped_and_cut() {
    let said = error("garbage.trace", [GOOD.as_bytes(), b"\x1b[31m", &[b'z'; 100], b" 1\n"].concat());
    let expected = "an arrival time in ms (a decimal number from 0)";
    assert_eq!(said, format!("FILE:2: expected {expected}, found \"\\x1b[31m{}...\"", "z".repeat(55)));
}

#[test]
fn each_wrong_field_of_blkparse_is_named() {
    const EVENT: &str = "an event (a device as major,minor first) or the summary of blkparse";
    const SECTORS: &str = "a number of sectors from 0 to 2147483647";
    for (line, expected, found) in [
        ("garbage", EVENT, "\"garbage\""),
        ("8 0 1", EVENT, "\"8\""),
        ("8,4294967296 0 1 0.5 1 D R 1 + 1", EVENT, "\"8,4294967296\""),
        ("8,0 x", "a CPU number", "\"x\""),
        ("8,0 0 x", "a sequence number", "\"x\""),
        ("8,0 0 1 -0.5 1", "a time in s (a decimal number from 0)", "\"-0.5\""),
        ("8,0 0 1 0.5 x", "a process number", "\"x\""),
        ("8,0 0 1 0.5 1", "an action", "the end of the line"),
        ("8,0 0 1 0.5 1 D", "a sector from 0 to 9223372034707292160", "the end of the line"),
        ("8,0 0 1 0.5 1 D R -8 + 8 [x]", "a sector from 0 to 9223372034707292160", "\"-8\""),
        ("8,0 0 1 0.5 1 D R 8 + -8 [x]", SECTORS, "\"-8\""),
        ("8,0 0 1 0.5 1 D R 8 + 2147483648 [x]", SECTORS, "\"2147483648\""),
        ("8,0 0 1 0.5 1 D R 8", "+ and a number of sectors", "the end of the line"),
        ("8,0 0 1 0.5 1 D R 8 - 8 [x]", "+ and a number of sectors", "\"-\""),
        ("8,0 0 1 0.5 1 D R 8 +", SECTORS, "the end of the line"),
        ("8,0 0 1 0.5 1 D R 8 + 12", "a process or an error in square brackets", "the end of the line"),
        ("8,0 0 1 0.5 1 D X 8 + 8 [x]", "RWBS flags with R, W, D or N", "\"X\""),
    ] {
        let said = error("field.blkparse", format!("  8,0 0 1 0.000000000 1 Q R 8 + 8 [x]\n{line}\n"));
        assert_eq!(said, format!("FILE:2: expected {expected}, found {found}"), "{line}");
    }
}

#[test]
fn an_endless_line_is_refused() {
    for length in [65_537, 3 << 20] {
        assert_eq!(
            error("endless.trace", format!("{GOOD}{}\n", "1".repeat(length))),
            "FILE:2: expected a line of at most 65536 bytes, found a longer line"
        );
    }
}

/// A line that is too long counts as one bad line, however long it is; the lines before and after it are read.
#[test]
fn endless_lines_can_be_skipped() {
    let good = |at: usize| format!("{at} 0 {at} 8 1\n");
    for length in [65_537, 200_000, 3 << 20] {
        let endless = format!("{}\n", "1".repeat(length));
        let lines = [good(1), endless.clone(), good(2), good(3), endless.clone(), endless, good(4)].concat();
        let (trace, about) = read_bytes(lines.as_bytes(), None, true).unwrap();
        assert_eq!((trace.lbn, about.bad.count), (vec![1, 2, 3, 4], 3), "{length}");
        let said = |line| format!("FILE:{line}: expected a line of at most 65536 bytes, found a longer line");
        assert_eq!(about.bad.first, [said(2), said(5), said(6)]);
    }
}

#[test]
fn a_blktrace_that_is_cut_short_is_refused_with_the_place() {
    let mut note = Record::new(1, DISPATCH, 0, 512);
    note.payload = vec![1; 10];
    let content = [note.little_endian(), note.little_endian()].concat();
    assert_eq!(
        error("cut.bin", &content[..58 + 20]),
        "FILE: byte 58: expected 48 bytes of a record, found 20 (the file is cut short)"
    );
    assert_eq!(
        error("cut_payload.bin", gzip(&content[..58 + 50])),
        "FILE: byte 106: expected 10 bytes of the payload of a record, found 2 (the file is cut short)"
    );
}

#[test]
fn a_damaged_blktrace_is_refused_with_the_place() {
    let good = Record::new(1, DISPATCH, 0, 512);
    let after = |record: Vec<u8>| error("damaged.bin", [good.little_endian(), record].concat());
    assert_eq!(
        after(vec![b'z'; 48]),
        "FILE: byte 48: expected the magic number of a blktrace record, found \"zzzz\""
    );
    assert_eq!(
        after(good.big_endian()),
        "FILE: byte 48: expected the magic number of a blktrace record, found \"eat\\x07\""
    );
    let mut newer = good.little_endian();
    newer[0] = 8;
    assert_eq!(after(newer), "FILE: byte 48: expected a blktrace record of version 7, found version 8");
    assert_eq!(
        after(Record::new(1, DISPATCH, u64::MAX, 512).little_endian()),
        "FILE: byte 48: expected a sector from 0 to 9223372034707292160, found 18446744073709551615"
    );
    assert_eq!(
        after(Record::new(u64::MAX, DISPATCH, 0, 512).little_endian()),
        "FILE: byte 48: expected a time from 0 to 9223372036854775807 ns, found 18446744073709551615"
    );
}

#[test]
fn a_compressed_file_that_is_cut_short_is_refused() {
    let text: String = (0..1000).map(|i| format!("{i} 0 {i} 8 1\n")).collect();
    for (name, content) in
        [("gzip", gzip(text.as_bytes())), ("Zstandard", zstd(text.as_bytes())), ("xz", xz(text.as_bytes()))]
    {
        for kept in [content.len() / 2, content.len() - 1] {
            let said = error(&format!("cut.{name}"), &content[..kept]);
            assert!(said.starts_with(&format!("FILE: expected more {name} data after ")), "{said}");
            let end = " decompressed bytes, found the end of the file (the file is cut short)";
            assert!(said.ends_with(end), "{said}");
        }
    }
}

#[test]
fn a_damaged_compressed_file_is_refused() {
    let mut wrong_checksum = gzip(b"1 0 0 8 1\n");
    let checksum_at = wrong_checksum.len() - 8;
    wrong_checksum[checksum_at] ^= 1;
    let said = error("damaged.gz", wrong_checksum);
    let start = "FILE: expected valid gzip data after 10 decompressed bytes, found damage: ";
    assert!(said.starts_with(start), "{said}");

    let mut wrong_block = zstd(b"1 0 0 8 1\n");
    wrong_block[5..].fill(0xff);
    let said = error("damaged.zst", wrong_block);
    let start = "FILE: expected valid Zstandard data after 0 decompressed bytes, found damage: ";
    assert!(said.starts_with(start), "{said}");
}
