//! Traces in tables of text, whose columns are named by a map of the user or recognised by their header.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::ControlFlow;

use proptest::prelude::*;
use sledsim::error::Result;
use sledsim::trace::{Input, Op, ReadOptions, Trace, TraceInfo, TraceReader, TraceRow};

use crate::support::shared_traces;
use crate::support::{read, read_bytes, read_with, rows};

pub fn read_mapped(text: &str, map: &str) -> Result<(Trace, TraceInfo)> {
    let options = ReadOptions { map: Some(map), ..ReadOptions::default() };
    let input = Input::Reader(Box::new(Cursor::new(text.as_bytes().to_vec())), "FILE".to_owned());
    let mut reader = TraceReader::open(input, &options)?;
    let rows = reader.rest(&mut |_| ControlFlow::Continue(()))?;
    Ok((rows, reader.about().clone()))
}

fn error(text: &str, map: &str) -> String {
    read_mapped(text, map).unwrap_err().to_string()
}

const MAP: &str =
    "time=ts:us,lbn=sector,size=bytes:B,op=type,device=vol,response=lat:us,service=svc:ms,metadata=m";

fn expected() -> Vec<TraceRow> {
    let first = TraceRow { arrival_ns: 1_500, lbn: 8, blocks: 8, response_ns: 80_000, ..TraceRow::default() };
    vec![
        TraceRow { service_ns: 70_500, metadata: true, ..first },
        TraceRow { arrival_ns: 2_000, lbn: 16, blocks: 2, op: Op::Write, device: 1, ..TraceRow::default() },
        TraceRow { arrival_ns: 3_000, lbn: 0, blocks: 1, op: Op::Discard, ..TraceRow::default() },
        TraceRow { arrival_ns: 4_000, op: Op::Flush, ..TraceRow::default() },
    ]
}

#[test]
fn a_map_says_which_column_holds_what_whatever_separates_them() {
    let lines = [
        "ts,what,sector,bytes,type,vol,lat,svc,m",
        "1.5,x,8,4096,R,a,80,0.0705,1",
        "2,\"x\",16,513,write,b,,,no",
        "3,,0,1,trim,a,0,0,0",
        "4,,0,0,flush,a,,,",
        "5,,0,0,read,a,,,0",
    ];
    let text = lines.join("\n") + "\n";
    for separator in [",", ", ", ";", "\t"] {
        for end in ["\n", "\r\n"] {
            let text = text.replace(',', separator).replace('\n', end);
            let (trace, about) = read_mapped(&text, MAP).unwrap();
            assert_eq!(rows(&trace), expected(), "{text}");
            assert_eq!(about.skipped.empty, 1);
            assert_eq!(about.device_names, BTreeMap::from([(0, "a".to_owned()), (1, "b".to_owned())]));
            assert!(about.notes().is_empty(), "{:?}", about.notes());
        }
    }
}

#[test]
fn columns_can_be_numbered_with_a_header_or_without() {
    let body = "0.5 7 8 4096.0 0\n1.5 8 16 8192 1\n";
    let map = "time=1:s,device=2,lbn=3,size=4:B,op=5:read=1";
    let expected = [
        TraceRow {
            arrival_ns: 500_000_000,
            device: 7,
            lbn: 8,
            blocks: 8,
            op: Op::Write,
            ..TraceRow::default()
        },
        TraceRow { arrival_ns: 1_500_000_000, device: 8, lbn: 16, blocks: 16, ..TraceRow::default() },
    ];
    for head in ["", "# a comment\n", "when disk where size what\n", "when disk 3 4 5\n", "# 1 2 3\n"] {
        let (trace, _) = read_mapped(&format!("{head}{body}"), map).unwrap();
        assert_eq!(rows(&trace), expected, "{head}");
    }
}

#[test]
fn a_comment_can_be_the_header_and_headers_can_come_again() {
    let text = "# Time LBA Blocks Op\n0.5 8 8 R\n";
    let (trace, _) = read_mapped(text, "time=time:s,lbn=lba,size=blocks:sectors,op=op").unwrap();
    assert_eq!((trace.lbn[0], trace.blocks[0]), (8, 8));
    let text = "ts,lba,n\n0,8,8\nts,lba,n\n1,16,8\n";
    let (trace, about) = read_mapped(text, "time=ts,lbn=lba,size=n:sectors").unwrap();
    assert_eq!(trace.lbn, [8, 16]);
    assert_eq!(about.notes(), ["no column tells reads from writes: all requests count as reads"]);
}

#[test]
fn units_are_exact() {
    let table = "128166372003061629,3,2\n";
    let (trace, about) = read_mapped(table, "time=1:filetime,offset=2:4096,size=3:KiB").unwrap();
    assert_eq!((trace.arrival_ns[0], trace.lbn[0], trace.blocks[0]), (0, 24, 4));
    assert_eq!(about.origin_unix_ns, Some(1_172_163_600_306_162_900));
    let (_, about) = read_mapped("1172163600306162.9,3,512\n", "time=1:us,offset=2,size=3").unwrap();
    assert_eq!(about.origin_unix_ns, Some(1_172_163_600_306_162_900));
    let (trace, about) = read_mapped("7,3,512\n", "time=1:ns,offset=2,size=3").unwrap();
    assert_eq!((trace.arrival_ns[0], about.origin_unix_ns), (7, None), "no time of day");
}

#[test]
fn wrong_units_are_suspected_aloud() {
    let line = |at: u64| format!("{}{at:02}0000,{},8,R\n", 128_166_372_003u64, at * 8 + 3);
    let table: String = (0..20).map(line).collect();
    let (_, about) = read_mapped(&table, "time=1:ns,offset=2,size=3:B,op=4").unwrap();
    assert_eq!(about.notes().len(), 3, "{:?}", about.notes());
    assert!(about.notes()[0].starts_with("sizes look like 512-byte sectors"));
    assert!(about.notes()[1].starts_with("positions look like 512-byte sectors"));
    let said = "times look wrong: the first request came 4 years after time 0; check the unit of the times";
    assert_eq!(about.notes()[2], said);
    let (_, about) = read_mapped(&table, "time=1:filetime,lbn=2,size=3:sectors,op=4").unwrap();
    assert!(about.notes().is_empty(), "{:?}", about.notes());
}

#[test]
fn a_header_of_common_names_needs_no_map_and_is_reported() {
    let text = "timestamp_us,op,lba,nsect\n1,R,8,8\n2,W,16,8\n";
    let (trace, about) = read_bytes(text.as_bytes(), None, false).unwrap();
    assert_eq!((about.format, trace.lbn), ("csv", vec![8, 16]));
    assert_eq!(
        about.notes(),
        ["a table (csv): the columns were recognised by name: time=timestamp_us:us,op=op,lbn=lba:sectors,size=nsect:sectors"]
    );
}

#[test]
fn without_a_map_or_common_names_the_columns_are_shown() {
    let said = |text: &str| read_bytes(text.as_bytes(), None, false).unwrap_err().to_string();
    let start = "FILE: expected a table and a map with the columns of time, size, and lbn or offset; found ";
    assert_eq!(
        said("when,lba,what\n1,8,R\n2,16,8\n"),
        format!("{start}the columns when, lba, what; give, for instance, --map time=COLUMN:us,lbn=lba:sectors,size=COLUMN:B,op=COLUMN")
    );
    assert_eq!(
        said("1;8;8;R\n2;16;8;W\n"),
        format!(
            "{start}4 columns without names (call them 1 to 4); first line: \"1;8;8;R\"; give, for instance, --map \
             time=COLUMN:us,offset=COLUMN:B,size=COLUMN:B,op=COLUMN"
        )
    );
}

#[test]
fn errors_name_the_fault_of_a_map() {
    let text = "ts,lba,len\n1,8,8\n";
    assert_eq!(
        error(text, "time=tss,lbn=lba,size=len"),
        "FILE: expected a column \"tss\" for the field time, found the columns ts, lba, len; did you mean \"ts\"?"
    );
    assert_eq!(
        error(text, "time=4,lbn=lba,size=len"),
        "FILE: expected a column \"4\" for the field time, found the columns ts, lba, len"
    );
    assert_eq!(
        error("ts,where,len\n1,8,8\n", "time=ts,size=len:sectors"),
        "FILE: expected a table and a map with the columns of time, size, and lbn or offset; found \
         the columns ts, where, len; give, for instance, --map time=ts,offset=COLUMN:B,size=len:sectors,op=COLUMN"
    );
    let options = ReadOptions { map: Some("time=1"), format: Some("spc"), ..ReadOptions::default() };
    let said = TraceReader::open(Input::Reader(Box::new(Cursor::new([])), "FILE".to_owned()), &options);
    assert_eq!(
        said.map(|_| ()).unwrap_err().to_string(),
        "a map of columns applies to the format csv only, found spc"
    );
}

#[test]
fn each_wrong_column_is_named() {
    let good = "ts,sector,bytes,type,vol,lat,svc,m\n1,8,512,R,1,0,0,0\n";
    for (line, expected, found) in [
        ("x,8,512,R,1,0,0,0", "a time in us (a number from 0, at most 292 years)", "\"x\""),
        (
            "128166372003061629,8,512,R,1,0,0,0",
            "a time in us (a number from 0, at most 292 years)",
            "\"128166372003061629\"",
        ),
        ("1,x,512,R,1,0,0,0", "a position (a number of at least 0)", "\"x\""),
        (
            "1,18014398509481984,512,R,1,0,0,0",
            "a position below 9223372036854775808 bytes",
            "\"18014398509481984\"",
        ),
        ("1,8,-512,R,1,0,0,0", "a size (a number from 0 to 1099511626752)", "\"-512\""),
        (
            "1,8,512,Q,1,0,0,0",
            "an operation (R, W, read, write, discard, flush, 0 for a read, 1 for a write, or a word that --map op=COLUMN:read=X:write=Y names)",
            "\"Q\"",
        ),
        ("1,8,512,R,a,0,0,0", "a device number from 0 to 2147483647", "\"a\""),
        ("1,8,512,R,1,x,0,0", "a time in us (a number from 0, at most 292 years)", "\"x\""),
        ("1,8,512,R,1,0,x,0", "a time in ms (a number from 0, at most 292 years)", "\"x\""),
        ("1,8,512,R,1,0,0,x", "a mark of metadata (1, yes or true; 0, no or false)", "\"x\""),
        ("1,8,,R,1,0,0,0", "a size (a number from 0 to 1099511626752)", "nothing"),
        ("1,,512,R,1,0,0,0", "a position (a number of at least 0)", "nothing"),
    ] {
        // The lines before are enough to make the device a number, without the wrong one.
        let lines = "2,8,512,R,1,0,0,0\n".repeat(5_000);
        let said = error(&format!("{good}{lines}{line}\n"), MAP);
        assert_eq!(said, format!("FILE:5003: expected {expected}, found {found}"), "{line}");
    }
}

/// The project's tables of captures, read by their header, give the same requests as the captures.
#[test]
fn requests_of_a_capture_read_alike_as_a_table() {
    let Some(folder) = shared_traces() else { return };
    let file = |ending: &str| folder.join(format!("fs-captures/ext3-4k/ext3-4k.{ending}"));
    let (table, about) = read_with(&file("requests.csv.gz"), ReadOptions::default()).unwrap();
    assert_eq!(about.format, "csv");
    // The header names neither flags nor times of service.
    let bare = |row: TraceRow| TraceRow { service_ns: 0, response_ns: 0, flags: 0, ..row };
    let capture: Vec<TraceRow> = rows(&read(&file("blkparse.txt.gz"))).into_iter().map(bare).collect();
    assert_eq!(rows(&table), capture);
}

#[test]
fn decoded_traces_of_hp_are_read_as_tables() {
    let Some(folder) = shared_traces() else { return };
    for (file, requests, reads) in [("hplajw", 44_519, 13_040), ("cello-2003", 43_000, 10_568)] {
        let path = folder.join(format!("hp-srt/{file}-decoded.csv.zst"));
        let (trace, about) = read_with(&path, ReadOptions::default()).unwrap();
        assert_eq!(about.format, "csv");
        let found = trace.op.iter().filter(|op| **op == Op::Read).count();
        assert_eq!((trace.len(), found), (requests, reads), "{file}: {:?}", about.notes());
    }
}

proptest! {
    #[test]
    fn any_table_by_any_map_is_read_or_refused(
        lines in prop::collection::vec("([0-9]{0,20}|[0-9]{1,3}[.][0-9]{0,9}|[RWDF01x\"]{0,2}|[ -~]{0,4})([,;\t ]([0-9]{0,20}|[ -~]{0,4})){0,8}", 0..8),
        map in prop::sample::select(vec![
            MAP,
            "time=1,lbn=2,size=3",
            "time=1:ns,offset=2:1073741824,size=3:MiB,op=4:read=1,device=5,metadata=6",
            "time=2:filetime,offset=1:KiB,size=3:sectors,device=1,response=4,service=5:ns",
        ]),
        any_map in "[a-z]{0,6}=[0-9a-z:=,]{0,12}",
    ) {
        let text = lines.join("\n");
        for map in [map, &any_map] {
            let Ok((trace, _)) = read_mapped(&text, map) else { continue };
            prop_assert!(trace.arrival_ns.is_sorted());
            for request in rows(&trace) {
                prop_assert!(request.lbn >= 0 && request.device >= 0 && request.response_ns >= 0, "{request:?}");
                prop_assert_eq!(request.blocks == 0, request.op == Op::Flush, "{:?}", request);
            }
        }
    }
}

#[test]
fn numbers_may_be_hexadecimal_and_have_decimal_commas() {
    let text = "ts;sector;bytes;type\n0,5;0x10;0X200;w\n1,25;32;1024;R\n";
    let trace = read_mapped(text, "time=ts:ms,lbn=sector,size=bytes:B,op=type").unwrap().0;
    assert_eq!(trace.arrival_ns, [500_000, 1_250_000]);
    assert_eq!((trace.lbn, trace.blocks), (vec![16, 32], vec![1, 2]));
    let wrong = "ts,sector,bytes,type\n0,0x,512,R\n";
    assert!(error(wrong, "time=ts:ms,lbn=sector,size=bytes:B,op=type").contains("found \"0x\""));
}

#[test]
fn times_may_be_dates() {
    let text = "timestamp,lbn,size,op\n2024-02-29T12:00:00Z,8,512,R\n2024-02-29T12:00:01.5Z,8,512,W\n";
    for text in [text.to_owned(), text.replacen("timestamp,lbn,size,op\n", "", 1)] {
        let (trace, about) = read_mapped(&text, "time=1,lbn=2,size=3:B,op=4").unwrap();
        assert_eq!(trace.arrival_ns, [0, 1_500_000_000]);
        assert_eq!(about.origin_unix_ns, Some(1_709_208_000_000_000_000));
    }
    assert!(error("2024-02-30T12:00:00Z,8,512,R", "time=1,lbn=2,size=3:B,op=4")
        .contains("expected a time such as"));
}

/// Numeric times count as times since 1970 if the first of them lies in 1990 or later.
#[test]
fn times_from_1990_on_are_those_of_a_clock() {
    const YEAR_1990_NS: i64 = 631_152_000_000_000_000;
    for first_ns in [YEAR_1990_NS - 1, YEAR_1990_NS, YEAR_1990_NS + 1] {
        let text = format!("ts,lbn,size,op\n{first_ns},8,512,R\n{},8,512,W\n", first_ns + 5);
        let (trace, about) = read_mapped(&text, "time=ts:ns,lbn=lbn,size=size:B,op=op").unwrap();
        let is_clock = first_ns >= YEAR_1990_NS;
        assert_eq!(about.origin_unix_ns, is_clock.then_some(first_ns));
        let from_ns = if is_clock { 0 } else { first_ns };
        assert_eq!(trace.arrival_ns, [from_ns, from_ns + 5]);
    }
}

#[test]
fn the_letters_of_blktrace_are_operations() {
    let text = "ts,lbn,size,rwbs\n0,8,512,WSM\n1,8,512,RA\n2,0,0,FN\n3,8,512,D\n";
    let trace = read_mapped(text, "time=ts:us,lbn=lbn,size=size:B,op=rwbs").unwrap().0;
    assert_eq!(trace.op, [Op::Write, Op::Read, Op::Flush, Op::Discard]);
    assert_eq!(trace.metadata, [true, false, false, false]);
    assert!(
        error("ts,lbn,size,rwbs\n0,8,512,XYZ\n", "time=ts:us,lbn=lbn,size=size:B,op=rwbs").contains("XYZ")
    );
}

#[test]
fn pandas_index_and_bars_and_a_byte_order_mark_are_understood() {
    let table = ",time_us,lbn,sectors,op\n0,5,8,1,R\n1,7,16,2,W\n";
    for text in [table.to_owned(), table.replace(',', "|"), format!("\u{feff}{table}").replacen(',', "i,", 1)]
    {
        let (trace, about) = read_bytes(text.as_bytes(), None, false).unwrap();
        assert_eq!(
            (trace.arrival_ns, trace.lbn, about.format),
            (vec![5000, 7000], vec![8, 16], "csv"),
            "{text}"
        );
    }
    let spc = "\u{feff}0,8,512,R,0.5\n0,8,512,W,0.75\n";
    let (trace, about) = read_bytes(spc.as_bytes(), None, false).unwrap();
    assert_eq!((trace.len(), about.format), (2, "spc"));
    let wide: Vec<u8> = "0,8,512".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let said = read_bytes(&[&[0xff, 0xfe], &wide[..]].concat(), None, false).unwrap_err().to_string();
    assert!(said.contains("a text in UTF-16"), "{said}");
}
