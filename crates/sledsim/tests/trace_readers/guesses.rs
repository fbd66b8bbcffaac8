//! Guesses about the columns of a table: a map of the user corrects them, and readers ask for a map instead of guessing
//! wrong.

use std::io::Cursor;
use std::ops::ControlFlow;

use sledsim::error::Result;
use sledsim::trace::{Input, Op, ReadOptions, Trace, TraceInfo, TraceReader};

use crate::support::{read_with, shared_traces};

fn read(text: &str, map: Option<&str>) -> Result<(Trace, TraceInfo)> {
    let options = ReadOptions { map, ..ReadOptions::default() };
    let input = Input::Reader(Box::new(Cursor::new(text.as_bytes().to_vec())), "FILE".to_owned());
    let mut reader = TraceReader::open(input, &options)?;
    let rows = reader.rest(&mut |_| ControlFlow::Continue(()))?;
    Ok((rows, reader.about().clone()))
}

fn error(text: &str, map: Option<&str>) -> String {
    read(text, map).map(|_| ()).unwrap_err().to_string()
}

/// A table with a header and 20 lines; `row` makes the line of each request.
fn table(header: &str, row: impl Fn(u64) -> String) -> String {
    let lines: Vec<String> = (1..=20).map(row).collect();
    format!("{header}\n{}\n", lines.join("\n"))
}

/// A place far from those of the neighbouring requests.
fn somewhere(at: u64) -> u64 {
    at * at * 7919 * 8 % 1_000_000
}

#[test]
fn a_map_amends_what_the_names_tell() {
    let text = table("ts,mode,lba,bytes,disk", |at| format!("{at},{},{},4096,7", at % 2 + 4, somewhere(at)));
    let told = "a table (csv): the columns were recognised by name: ";
    let (trace, about) = read(&text, Some("op=mode:read=4:write=5")).unwrap();
    assert_eq!((trace.op[0], trace.op[1], trace.device[0]), (Op::Write, Op::Read, 7));
    let map = "op=mode:read=4:write=5,time=ts:s,lbn=lba:sectors,size=bytes:B,device=disk";
    assert_eq!(about.notes(), [format!("{told}{map}")]);
    // The reported map can be copied, and leaves nothing to guess.
    let (again, about) = read(&text, Some(map)).unwrap();
    assert_eq!((again, about.notes().len()), (trace, 0));

    let (trace, _) = read(&text, Some("time=ts:ms,op=mode:read=4,device=-")).unwrap();
    assert_eq!((trace.arrival_ns[0], trace.device[0]), (1_000_000, 0));
    // A place in bytes removes that of sectors from the guess, a column that is another field the field that it was.
    let (trace, _) = read(&text, Some("offset=lba:B,op=-")).unwrap();
    assert_eq!(trace.lbn[0], (somewhere(1) / 512) as i64);
    let (trace, about) = read(&text, Some("device=mode,op=-")).unwrap();
    assert_eq!((trace.device[0], trace.op[0]), (5, Op::Read));
    assert_eq!(about.notes(), [format!("{told}device=mode,time=ts:s,lbn=lba:sectors,size=bytes:B")]);
}

#[test]
fn a_guess_in_which_all_would_be_reads_is_not_made() {
    let text = table("ts,host,mode,lba,bytes", |at| {
        format!("{at},h{at},{},{},4096", if at % 2 == 0 { "get" } else { "put" }, somewhere(at))
    });
    assert_eq!(
        error(&text, None),
        "FILE: expected a column that tells reads from writes, found the columns ts, host, mode, lba, bytes, \
         which have other names: add --map op=mode if this column holds the operation (op=mode:read=X:write=Y \
         names the operations), or --map op=- if all requests are reads"
    );
    let (trace, _) = read(&text, Some("op=mode:read=get")).unwrap();
    assert_eq!((trace.op[0], trace.op[1]), (Op::Write, Op::Read));
    let (trace, about) = read(&text, Some("op=-")).unwrap();
    assert!(trace.op.iter().all(|op| *op == Op::Read));
    assert_eq!(about.notes().len(), 1, "{:?}", about.notes());
    // No column looks like an operation: the message names no column.
    let bare = table("ts,lba,bytes", |at| format!("{at},{},4096", somewhere(at)));
    assert!(error(&bare, None).contains("add --map op=COLUMN, or --map op=- if"), "{}", error(&bare, None));
    // A complete map leaves nothing to guess.
    let (_, about) = read(&bare, Some("time=ts,lbn=lba,size=bytes")).unwrap();
    assert_eq!(about.notes(), ["no column tells reads from writes: all requests count as reads"]);
}

#[test]
fn what_only_reads_is_read_where_a_column_says_so() {
    for op in ["R", "read", "0", "28", "RA", "0x88"] {
        let text = table("ts,op,lba,bytes", |at| format!("{at},{op},{},4096", somewhere(at)));
        let (trace, _) = read(&text, None).unwrap_or_else(|error| panic!("{op}: {error}"));
        assert!(trace.op.iter().all(|op| *op == Op::Read), "{op}");
    }
}

#[test]
fn operations_are_found_by_what_stands_there() {
    let text = table("ts,comm,kind,lba,bytes", |at| {
        format!("{at},dd,{},{},4096", if at % 2 == 0 { "RA" } else { "WS" }, somewhere(at))
    });
    let (trace, about) = read(&text, None).unwrap();
    assert_eq!((trace.op[0], trace.op[1]), (Op::Write, Op::Read));
    assert!(about.notes()[0].ends_with("op=kind"), "{:?}", about.notes());
}

#[test]
fn operation_codes_of_scsi_are_known_and_what_moves_nothing_is_left_out() {
    let text = "version,time,op,size,lbn\n1,33898,2a,512,42932745\n1,33898,28,6656,40409911\n1,33899,12,36,0\n1,33899,8a,512,7\n1,33900,35,0,0\n";
    let (trace, about) = read(text, None).unwrap();
    assert_eq!(trace.op, [Op::Write, Op::Read, Op::Write, Op::Flush]);
    assert_eq!((trace.lbn[0], trace.blocks[1], about.skipped.commands), (42_932_745, 13, 1));
    assert!(error(&text.replace("2a", "zz"), None).contains("found \"zz\""));
}

#[test]
fn sizes_in_sectors_are_not_taken_for_bytes() {
    let sectors = table("ts,op,lba,size", |at| format!("{at},W,{},{}", somewhere(at), 8 << (at % 3)));
    assert_eq!(
        error(&sectors, None),
        "FILE: expected sizes in bytes in the column \"size\", found values that look like sectors of 512 bytes (16, 32, 8, 16, \
         ...): add --map size=size:sectors, or --map size=size:B if the values are right"
    );
    let (trace, _) = read(&sectors, Some("size=size:sectors")).unwrap();
    assert_eq!(trace.blocks[..3], [16, 32, 8]);
    let (trace, _) = read(&sectors, Some("size=size:B")).unwrap();
    assert_eq!(trace.blocks[..3], [1, 1, 1]);
    // Sizes that are no round numbers, of consecutive requests.
    let run = table("ts,op,lba,size", |at| format!("{at},W,{},13", 1000 + at * 13));
    assert!(error(&run, None).contains("add --map size=size:sectors"), "{}", error(&run, None));
    // Both columns in sectors.
    let both = table("ts,op,offset,size", |at| format!("{at},W,{},8", somewhere(at)));
    assert!(
        error(&both, None).contains("add --map size=size:sectors,offset=offset:sectors"),
        "{}",
        error(&both, None)
    );
}

/// Sizes are read as bytes, without an error, if more than half of them are whole sectors.
#[test]
fn sizes_of_whole_sectors_are_bytes_where_most_are() {
    for aligned in 0..20 {
        let text = table("ts,op,lba,size", |at| {
            format!("{at},W,{},{}", somewhere(at), if at <= aligned { 512 } else { 8 })
        });
        let is_doubted = read(&text, None).is_err();
        assert_eq!(is_doubted, aligned <= 10, "{aligned} of 20");
    }
}

/// Sizes that look like sectors stop the reader if at least two requests continue where the previous one ends with
/// sizes in sectors, and more than twice as many as with sizes in bytes.
#[test]
fn followers_tell_the_unit_of_sizes_where_they_are_most() {
    for [in_sectors, in_bytes] in [[1, 0], [2, 0], [2, 1], [3, 1], [4, 2], [5, 2], [6, 3], [7, 3]] {
        let text = table("ts,op,lba,size", |at| {
            let (place, size) = match at {
                _ if at <= in_sectors + 1 => (5000 + at * 13, 13),
                _ if at <= in_sectors + in_bytes + 2 => (9000 + at, 512),
                _ => (somewhere(at), 13),
            };
            format!("{at},W,{place},{size}")
        });
        let is_doubted =
            read(&text, None).is_err_and(|error| error.to_string().contains("size=size:sectors"));
        let expected = in_sectors >= 2 && in_sectors > 2 * in_bytes;
        assert_eq!(is_doubted, expected, "{in_sectors} in sectors, {in_bytes} in bytes");
    }
}

#[test]
fn sizes_in_bytes_are_not_taken_for_sectors() {
    let bytes = table("ts,op,lba,sectors", |at| format!("{at},W,{},{}", somewhere(at), 4096 << (at % 3)));
    assert!(error(&bytes, None).contains("add --map size=sectors:B, or --map size=sectors:sectors"));
    assert_eq!(read(&bytes, Some("size=sectors:B")).unwrap().0.blocks[..2], [16, 32]);
    let run = table("ts,op,lba,sectors", |at| format!("{at},W,{},4096", 512 * 512 + at * 8));
    assert!(error(&run, None).contains("add --map size=sectors:B"), "{}", error(&run, None));
    let places = table("ts,op,offset,bytes", |at| format!("{at},W,{},4096", somewhere(at)));
    assert!(error(&places, None).contains("add --map offset=offset:sectors, or"), "{}", error(&places, None));
    let places = table("ts,op,lba,bytes", |at| format!("{at},W,{},4096", at * 4096));
    assert!(error(&places, None).contains("add --map lbn=lba:B, or"), "{}", error(&places, None));
}

/// Places at scattered multiples of 512 sectors, with small requests, are taken for bytes: the reader asks for the
/// unit.
#[test]
fn scattered_places_in_bytes_are_not_taken_for_sectors() {
    let bytes = table("ts,op,lba,bytes", |at| format!("{at},W,{},4096", somewhere(at) * 512));
    assert_eq!(
        error(&bytes, None),
        "FILE: expected positions in sectors of 512 bytes in the column \"lba\", found values that look like bytes (32436224, \
         129744896, 291926016, 6979584, ...): add --map lbn=lba:B, or --map lbn=lba:sectors if the values are right"
    );
    assert_eq!(read(&bytes, Some("lbn=lba:B")).unwrap().0.lbn[0], somewhere(1) as i64);
    assert_eq!(read(&bytes, Some("lbn=lba:sectors")).unwrap().0.lbn[0], (somewhere(1) * 512) as i64);
    // Sectors of a partition that begins at the 63rd.
    let sectors = table("ts,op,offset,bytes", |at| format!("{at},W,{},4096", somewhere(at) + 63));
    assert!(
        error(&sectors, None).contains("add --map offset=offset:sectors, or"),
        "{}",
        error(&sectors, None)
    );
}

/// A unit that a map leaves out, here that of the size, is guessed, and the error suggests a complete map.
#[test]
fn a_unit_missing_in_a_map_is_guessed_from_the_sizes() {
    let bare: String = (1..=20).map(|at| format!("{at},W,{},{}\n", somewhere(at), 8 << (at % 3))).collect();
    let said = error(&bare, Some("time=1:s,lbn=3,size=4,op=2"));
    let whole = "time=1:s,lbn=3,op=2,size=4:sectors";
    assert!(
        said.ends_with(&format!(
            "add --map {whole}, or --map time=1:s,lbn=3,op=2,size=4:B if the values are right"
        )),
        "{said}"
    );
    assert_eq!(read(&bare, Some(whole)).unwrap().0.blocks[..3], [16, 32, 8]);
    assert_eq!(read(&bare, Some("time=1:s,lbn=3,op=2,size=4:B")).unwrap().0.blocks[..3], [1, 1, 1]);
}

/// Names of columns in a suggested map are quoted for the shell; a column whose name contains a separator of the map is
/// named by its number.
#[test]
fn columns_are_named_as_a_shell_and_a_map_take_them() {
    let text = table("ts,Command,Start LBA,Transfer Length", |at| format!("{at},W,{},8", somewhere(at)));
    assert!(error(&text, None).ends_with(
        "add --map 'size=Transfer Length:sectors', or --map 'size=Transfer Length:B' if the values are right"
    ));
    let text = table("\"time, s\",op,lba,size:B", |at| format!("{at},W,{},4096", somewhere(at)));
    let (trace, about) = read(&text, None).unwrap();
    let map = "time=1:s,op=op,lbn=lba:sectors,size=4:B";
    assert_eq!(about.notes(), [format!("a table (csv): the columns were recognised by name: {map}")]);
    assert_eq!(read(&text, Some(map)).unwrap().0, trace);
}

#[test]
fn hexadecimal_places_are_no_reason_to_need_a_map() {
    let text = table("ts,op,address,objSize", |at| format!("{at},W,{:#x},{:#x}", somewhere(at) * 512, 4096));
    let (trace, about) = read(&text, None).unwrap();
    assert_eq!((trace.lbn[0], trace.blocks[0]), (somewhere(1) as i64, 8));
    assert!(
        about.notes()[0].ends_with("time=ts:s,op=op,offset=address:B,size=objSize:B"),
        "{:?}",
        about.notes()
    );
}

#[test]
fn what_lacks_is_named() {
    assert_eq!(
        error("time,op,lba,size\n", None),
        "FILE: expected requests after the header of a table, found only the header \"time,op,lba,size\""
    );
    assert_eq!(
        error("time,op,lba,size\n1,W,8\n2,W,8\n", None),
        "FILE:2: expected 4 columns as in the header, found 3"
    );
    // The lines below unknown names have other columns: that is no table.
    let irregular = error("x,y,z,size\n1,W,8\n2,W,8\n", None);
    assert!(irregular.contains(", found a file that begins with \"x,y,z,size"), "{irregular}");
    let dates = table("Date,op,lba,size", |at| format!("2/29/2024 12:00:{at:02},W,{},4096", somewhere(at)));
    assert_eq!(
        error(&dates, None),
        "FILE: column \"Date\": expected times as numbers, dates such as 2024-02-29T12:00:00.5, or times of day such as 23:59:59.5, found \
         \"2/29/2024 12:00:01\"; to take times from another column, add --map time=COLUMN:UNIT"
    );
    let zip = "PK\u{3}\u{4}...";
    assert_eq!(
        error(zip, None),
        "FILE: expected a trace, found a zip archive, which must be unpacked first (unzip -p FILE | sledsim run -)"
    );
}

/// Unusual but possible files are read.
#[test]
fn unusual_traces_are_accepted() {
    for (header, row) in [
        ("ts,op,lba,bytes", (|at| format!("{at},W,{},4096", somewhere(at))) as fn(u64) -> String),
        ("ts,op,offset,size", |at| format!("{at},W,{},4096", somewhere(at) * 512)),
        ("ts,op,lba,bytes", |at| format!("{at},W,{},512", somewhere(at))),
        ("ts,op,lba,bytes", |at| format!("{at},W,{},{}", somewhere(at), 1024 * (at % 2 + 1))),
        // Sizes of any bytes, as in old file systems.
        ("ts,op,offset,size", |at| format!("{at},W,{},{}", at * 777, 37 + at * 17)),
        ("ts,op,lba,size", |at| format!("{at},W,{},6700", somewhere(at))),
        // A stream of large requests, in sectors and in bytes.
        ("ts,op,lba,sectors", |at| format!("{at},W,{},2048", at * 2048)),
        ("ts,op,lba,sectors", |at| format!("{at},W,{},8192", somewhere(at) * 8192)),
        ("ts,op,lba,sectors", |at| format!("{at},W,{},512", at * 512)),
        ("ts,op,lba,bytes", |at| format!("{at},W,{},1048576", at * 2048)),
        ("ts,op,offset,bytes", |at| format!("{at},W,{},1048576", at * 1_048_576)),
        ("ts,op,lba,sectors", |at| format!("{at},W,{},8", at * 512)),
        // The places of two streams in turn, at two distances.
        ("ts,op,lba,sectors", |at| format!("{at},W,{},8", (at / 2 * 3 + at % 2) * 512)),
        ("ts,op,lba,sectors", |at| format!("{at},W,0,{}", at % 3 + 1)),
    ] {
        let text = table(header, row);
        read(&text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
}

/// A table of three requests is too short to guess a unit: the reader takes the default.
#[test]
fn three_requests_say_nothing_of_units() {
    let text = "ts,op,lba,size\n1,W,8,8\n2,W,64,8\n3,W,800,8\n";
    assert_eq!(read(text, None).unwrap().0.blocks, [1, 1, 1]);
}

/// Tables of real captures are read without an error.
#[test]
fn no_real_trace_is_stopped() {
    let Some(folder) = shared_traces() else { return };
    for name in ["ext2-1k", "ext2-4k", "ext3-1k", "ext3-4k", "ext4-4k"] {
        let path = folder.join(format!("fs-captures/{name}/{name}.requests.csv.gz"));
        read_with(&path, ReadOptions::default()).unwrap();
    }
}
