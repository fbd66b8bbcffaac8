//! The text that `blkparse` prints by default, an event a line:
//! `major,minor cpu sequence seconds pid action RWBS sector + sectors [command]`.

use super::super::columns::{flags, Op, TraceRow};
use super::super::completions::{Completions, Event};
use super::super::device_numbers::Devices;
use super::super::fields::{content_lines, Fields, Parsed, I32_MAX, LBN_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::trace_info::ReaderOutput;
use super::{FormatKind, FormatRow};
use crate::error::ensure;

pub(super) const ROW: FormatRow = FormatRow::new(
    "blkparse",
    "Linux blkparse text: requests dispatched to the device (action D)",
    FormatKind::new(matches, |source, _| Ok(Lines::reader(source, BlkParse::default()))),
);

const SECOND_PLACES: usize = 9;
/// `blkparse` says this of every file that it opens, before the events or behind them.
const PREAMBLE: &[u8] = b"Input file ";
/// The first words of the summary that ends the text.
const SUMMARY: [&[u8]; 5] = [b"CPU", b"Total", b"Throughput", b"Events", b"Skips"];

#[derive(Default)]
struct BlkParse {
    devices: Devices,
    completions: Completions,
    /// A summary has begun, behind which there are no events but those of another text.
    is_over: bool,
}

fn matches(head: &[u8]) -> bool {
    content_lines(head)
        .find(|line| !line.starts_with(PREAMBLE))
        .is_some_and(|line| Fields::new(line).pair("").is_ok())
}

impl LineFormat for BlkParse {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        self.is_over |= SUMMARY.iter().any(|word| line.starts_with(word));
        if self.is_over && Fields::new(line).pair("").is_err() || line.starts_with(PREAMBLE) {
            return Ok(());
        }
        self.is_over = false;
        let mut fields = Fields::new(line);
        fields.pair("an event (a device as major,minor first) or the summary of blkparse")?;
        let name = line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
        fields.integer(0..=I32_MAX, "a CPU number")?;
        fields.integer(0..=u64::MAX, "a sequence number")?;
        let time_ns = fields.decimal(SECOND_PLACES, "a time in s (a decimal number from 0)")?;
        fields.integer(0..=I32_MAX, "a process number")?;
        let event = match fields.word() {
            b"D" => Event::Dispatch,
            b"C" => Event::Completion,
            b"R" => Event::Requeue,
            b"Q" => {
                out.about.queued += 1;
                return Ok(());
            }
            [] => return Err(fields.fault_here("an action")),
            _ => return Ok(()),
        };
        let device = self.devices.number(name, &mut out.about);
        let before_flags = fields.fault_here("RWBS flags with R, W, D or N");
        let rwbs = fields.word();
        let Some((lbn, blocks)) = extent(&mut fields)? else {
            // A packet command is no request; but a completion of nothing may be that of a flush.
            if event == Event::Completion && rwbs.contains(&b'N') {
                self.completions.ended(event, (device, 0, 0), time_ns, out);
            }
            out.about.skipped.commands += u64::from(event == Event::Dispatch);
            return Ok(());
        };
        if event != Event::Dispatch {
            self.completions.ended(event, (device, lbn, blocks), time_ns, out);
            return Ok(());
        }
        let of_flush = TraceRow { arrival_ns: time_ns, device, op: Op::Flush, ..TraceRow::default() };
        let request = if blocks == 0 {
            of_flush
        } else {
            let (op, metadata, flags) = decode(rwbs).ok_or(before_flags)?;
            TraceRow { lbn, blocks, op, metadata, flags, ..of_flush }
        };
        self.completions.dispatched(request, out);
        Ok(())
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.completions.finish(out);
    }
}

/// Which sectors a dispatch or completion is of, by what stands behind its flags: `sector + sectors [command]`, or
/// `[command]` when it moves none. None when it was passed through: `bytes (packet) [command]`, of a completion
/// `(packet) [error]`. With option -t there is a time in parentheses behind the sectors.
fn extent(fields: &mut Fields<'_>) -> Parsed<Option<(i64, i32)>> {
    if fields.next_is(b'[') {
        return Ok(Some((0, 0)));
    }
    if fields.next_is(b'(') {
        return Ok(None);
    }
    let lbn = fields.integer(0..=LBN_MAX, "a sector from 0 to 9223372034707292160")? as i64;
    let before_length = fields.fault_here("+ and a number of sectors");
    if fields.next_is(b'(') || fields.next_is(b'[') {
        return Ok(None);
    }
    ensure!(fields.word() == b"+", before_length);
    let blocks = fields.integer(0..=I32_MAX, "a number of sectors from 0 to 2147483647")? as i32;
    if fields.next_is(b'(') {
        fields.parenthesis("a time in parentheses")?;
    }
    // Without this a number that the end of the file cuts short would pass for a smaller one.
    ensure!(fields.next_is(b'['), fields.fault_here("a process or an error in brackets"));
    Ok(Some((lbn, blocks)))
}

/// Decodes the letters: `F` (flush first), `R`, `W`, `D` or `N`, then `F` (FUA), `A` (ahead), `S`, `M`.
pub(super) fn decode(rwbs: &[u8]) -> Option<(Op, bool, u8)> {
    let letters = rwbs.strip_prefix(b"F").unwrap_or(rwbs);
    let has = |letter| letters.contains(&letter);
    let op = match letters.first()? {
        b'D' => Op::Discard,
        b'W' => Op::Write,
        b'R' => Op::Read,
        _ => return None,
    };
    let flag = |letter, flag| if has(letter) { flag } else { 0 };
    let flags = flag(b'S', flags::SYNC) | flag(b'F', flags::FUA) | flag(b'A', flags::READ_AHEAD);
    Some((op, has(b'M'), flags))
}
