//! The text that `blkparse` prints by default, an event a line:
//! `major,minor cpu sequence seconds pid action RWBS sector + sectors [command]`.

use super::columns::{DeviceNumbers, Request, Trace};
use super::fields::{content_lines, Fields, Parsed, I32_MAX, LBN_MAX};
use super::source::Source;
use super::Format;
use crate::error::Result;

pub(super) const FORMAT: Format = Format {
    name: "blkparse",
    description: "Linux blkparse text: requests dispatched to the device (action D)",
    matches,
    read,
};

const SECOND_PLACES: usize = 9;
/// `blkparse` says this of every file that it opens, before the events or behind them.
const PREAMBLE: &[u8] = b"Input file ";
/// The first words of the summary that ends the text.
const SUMMARY: [&[u8]; 5] = [b"CPU", b"Total", b"Throughput", b"Events", b"Skips"];

/// What a line says.
enum Line {
    Request { device: (u32, u32), request: Request },
    Flush,
    Discard,
    Command,
    OtherEvent,
    Preamble,
    Summary,
}

fn matches(head: &[u8]) -> bool {
    content_lines(head)
        .find(|line| !line.starts_with(PREAMBLE))
        .is_some_and(|line| Fields::new(line).pair("").is_ok())
}

fn read(source: &mut Source<'_>, trace: &mut Trace) -> Result<()> {
    let mut devices = DeviceNumbers::default();
    while let Some(line) = source.next_line()? {
        match parse(line).map_err(|fault| source.fault(fault))? {
            Line::Request { device: (major, minor), request } => {
                source.check_order(request.arrival_ns)?;
                trace.push(Request { device: devices.number(major, minor), ..request });
            }
            Line::Flush => trace.skipped.flushes += 1,
            Line::Discard => trace.skipped.discards += 1,
            Line::Command => trace.skipped.commands += 1,
            Line::OtherEvent | Line::Preamble => {}
            Line::Summary => break,
        }
    }
    Ok(())
}

fn parse(line: &[u8]) -> Parsed<Line> {
    if line.starts_with(PREAMBLE) {
        return Ok(Line::Preamble);
    }
    if SUMMARY.iter().any(|word| line.starts_with(word)) {
        return Ok(Line::Summary);
    }
    let mut fields = Fields::new(line);
    let device = fields.pair("an event (a device as major,minor first) or the summary of blkparse")?;
    fields.integer(0..=I32_MAX, "a CPU number")?;
    fields.integer(0..=u64::MAX, "a sequence number")?;
    let arrival_ns = fields.decimal(SECOND_PLACES, "a time in s (a decimal number from 0)")?;
    fields.integer(0..=I32_MAX, "a process number")?;
    match fields.word() {
        b"D" => parse_dispatch(&mut fields, device, arrival_ns),
        [] => Err(fields.fault_here("an action")),
        _ => Ok(Line::OtherEvent),
    }
}

/// The rest of a dispatch: `RWBS sector + sectors [command]`, `RWBS [command]` when it moves no
/// sectors, `RWBS bytes (packet) [command]` when it was passed through.
fn parse_dispatch(fields: &mut Fields<'_>, device: (u32, u32), arrival_ns: i64) -> Parsed<Line> {
    let before_flags = fields.fault_here("RWBS flags with R, W, D or N");
    let flags = fields.word();
    if flags.contains(&b'D') {
        return Ok(Line::Discard);
    }
    if fields.next_is(b'[') {
        return Ok(Line::Flush);
    }
    let lbn = fields.integer(0..=LBN_MAX, "a sector from 0 to 9223372034707292160")?;
    let before_length = fields.fault_here("+ and a number of sectors");
    if fields.next_is(b'(') || fields.next_is(b'[') {
        return Ok(Line::Command);
    }
    if fields.word() != b"+" {
        return Err(before_length);
    }
    let blocks = fields.integer(0..=I32_MAX, "a number of sectors from 0 to 2147483647")?;
    // Without this a number that the end of the file cuts short would pass for a smaller one.
    if !fields.next_is(b'[') {
        return Err(fields.fault_here("the name of a process in brackets"));
    }
    if blocks == 0 {
        return Ok(Line::Flush);
    }
    let write = flags.contains(&b'W');
    if !write && !flags.contains(&b'R') {
        return Err(before_flags);
    }
    let metadata = flags.contains(&b'M');
    let request = Request { arrival_ns, lbn: lbn as i64, blocks: blocks as i32, write, metadata, device: 0 };
    Ok(Line::Request { device, request })
}
