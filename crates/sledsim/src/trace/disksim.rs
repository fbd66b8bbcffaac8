//! DiskSim's ASCII format (DiskSim 4.0 manual, section 4.1.1): a request a line,
//! `arrival_ms device block blocks flags`, the flags hexadecimal, sometimes a batch number behind.

use super::columns::{Request, Trace};
use super::fields::{content_lines, Fields, Parsed, I32_MAX, LBN_MAX};
use super::source::Source;
use super::Format;
use crate::error::Result;

pub(super) const FORMAT: Format = Format {
    name: "disksim",
    description: "DiskSim ASCII: arrival_ms device block blocks flags(hex, bit 0 = read)",
    matches,
    read,
};

/// An arrival in ms has this many decimal places of ns.
const MS_PLACES: usize = 6;
const READ_FLAG: u32 = 1;

/// The first line has the shape of a request; its values may still be wrong, which `read` says better.
fn matches(head: &[u8]) -> bool {
    let Some(line) = content_lines(head).next() else { return false };
    let words: Vec<&[u8]> =
        line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(7).collect();
    let is_number = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|text| text.parse::<f64>().is_ok());
    let is_integer = |word: &&[u8]| word.iter().all(|byte| byte.is_ascii_hexdigit() || b"-x".contains(byte));
    (5..=6).contains(&words.len()) && is_number(words[0]) && words[1..].iter().all(is_integer)
}

fn read(source: &mut Source<'_>, trace: &mut Trace) -> Result<()> {
    while let Some(line) = source.next_line()? {
        let request = parse(line).map_err(|fault| source.fault(fault))?;
        source.check_order(request.arrival_ns)?;
        trace.push(request);
    }
    Ok(())
}

fn parse(line: &[u8]) -> Parsed<Request> {
    let mut fields = Fields::new(line);
    let arrival_ns = fields.decimal(MS_PLACES, "an arrival time in ms (a decimal number from 0)")?;
    let device = fields.integer(0..=I32_MAX, "a device number from 0 to 2147483647")?;
    let lbn = fields.integer(0..=LBN_MAX, "a block number from 0 to 9223372034707292160")?;
    let blocks = fields.integer(1..=I32_MAX, "a number of blocks from 1 to 2147483647")?;
    let flags = fields.hexadecimal("hexadecimal flags")?;
    if fields.end().is_err() {
        fields.integer(0..=I32_MAX, "a batch number or the end of the line")?;
        fields.end()?;
    }
    Ok(Request {
        arrival_ns,
        lbn: lbn as i64,
        blocks: blocks as i32,
        write: flags & READ_FLAG == 0,
        metadata: false,
        device: device as i32,
    })
}
