//! Events of Linux's block layer in text form: decoding of the letters of an operation, and matching of
//! dispatches with completions.

use super::super::columns::{flags, Op, TraceRow};
use super::super::completions::{Completions, Ended, Event};
use super::super::device_numbers::Devices;
use super::super::fields::{Fault, Fields, Parsed, I32_MAX, LBN_MAX};
use super::super::trace_info::ReaderOutput;
use crate::error::ensure;

/// Dispatches and completions of requests at the devices, which are combined into requests with
/// measured times.
#[derive(Default)]
pub(super) struct BlockEvents {
    devices: Devices,
    completions: Completions,
}

/// An event at a device, as read from a line.
pub(super) struct BlockEvent<'a> {
    pub event: Event,
    /// Name of the device, in the form `major,minor`.
    pub device: &'a [u8],
    pub time_ns: i64,
    /// Letters of the operation, such as `WSM`.
    pub rwbs: &'a [u8],
    /// First sector and number of sectors; `None` for a command that is passed through to the device.
    pub extent: Option<(i64, i32)>,
    /// True for a completion with an error.
    pub has_failed: bool,
    /// Fault to report if the letters are no valid operation.
    pub fault: Fault,
}

impl BlockEvents {
    /// Processes an event, and appends the requests that are then complete to `out`.
    pub fn add(&mut self, event: BlockEvent<'_>, out: &mut ReaderOutput) -> Parsed<()> {
        let BlockEvent { event, device, time_ns, rwbs, extent, has_failed, fault } = event;
        let device = self.devices.number(device, &mut out.about);
        let Some((lbn, blocks)) = extent else {
            // A packet command is no request; but a completion without sectors may be that of a flush.
            if event == Event::Completion && rwbs.contains(&b'N') {
                let flush = Ended { device, op: Op::Flush, lbn: 0, blocks: 0, has_failed };
                self.completions.ended(event, flush, time_ns, out);
            }
            out.about.skipped.commands += u64::from(event == Event::Dispatch);
            return Ok(());
        };
        if event != Event::Dispatch {
            let op = decode(rwbs).map_or(Op::Flush, |(op, ..)| op);
            if blocks == 0 && matches!(op, Op::Read | Op::Discard) && !is_flush(rwbs) {
                return Ok(());
            }
            self.completions.ended(event, Ended { device, op, lbn, blocks, has_failed }, time_ns, out);
            return Ok(());
        }
        let of_flush = TraceRow { arrival_ns: time_ns, device, op: Op::Flush, ..TraceRow::default() };
        let request = if blocks == 0 {
            if !is_flush(rwbs) {
                let is_command = decode(rwbs).is_none();
                out.about.skipped.commands += u64::from(is_command);
                out.about.skipped.empty += u64::from(!is_command);
                return Ok(());
            }
            of_flush
        } else {
            let (op, metadata, flags) = decode(rwbs).ok_or(fault)?;
            TraceRow { lbn, blocks, op, metadata, flags, ..of_flush }
        };
        self.completions.dispatched(request, out);
        Ok(())
    }

    /// Records that events were lost at this place of the trace.
    pub fn lost(&mut self, out: &mut ReaderOutput) {
        self.completions.lost(out);
    }

    /// Appends the requests that were held back to `out`, at the end of a trace.
    pub fn finish(&mut self, out: &mut ReaderOutput) {
        self.completions.finish(out);
    }
}

/// The event that an action letter of `blkparse` or of the tracer `blk` describes; `None` for other
/// letters. `arrivals` is the letter of the event that counts as dispatch. The letter Q of a queued request is
/// counted in `out`.
pub(super) fn event_of(action: &[u8], arrivals: &[u8], out: &mut ReaderOutput) -> Option<Event> {
    match action {
        _ if action == arrivals => Some(Event::Dispatch),
        b"C" => Some(Event::Completion),
        b"R" => Some(Event::Requeue),
        b"Q" => {
            out.about.queued += 1;
            None
        }
        _ => None,
    }
}

/// Parses the sectors of a dispatch or completion as `blkparse` and the tracer `blk` print them behind the
/// flags: `sector + sectors [command]`, or `[command]` for a request without data. Returns `None` for a
/// command that is passed through: `bytes (packet) [command]`, or `(packet) [error]` for its completion.
/// With the option -t of `blkparse`, a time in parentheses follows the sectors.
pub(super) fn extent(fields: &mut Fields<'_>) -> Parsed<Option<(i64, i32)>> {
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
    // Otherwise a number cut short by the end of the file would pass for a smaller one.
    ensure!(fields.next_is(b'['), fields.fault_here("a process or an error in square brackets"));
    Ok(Some((lbn, blocks)))
}

/// True if the square brackets that come next hold the number of an error, as at the end of a completion.
pub(super) fn has_failed(event: Event, fields: &mut Fields<'_>) -> bool {
    let word = if event == Event::Completion && fields.next_is(b'[') { fields.word() } else { b"" };
    let number = word.strip_prefix(b"[").and_then(|word| word.strip_suffix(b"]")).unwrap_or_default();
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && digits != b"0"
}

/// True if the letters of an operation say that a flush comes first.
pub(super) fn is_flush(rwbs: &[u8]) -> bool {
    rwbs.starts_with(b"F")
}

/// Decodes the letters of an operation: `F` (flush first), then `R`, `W`, `D` or `N`, then `F`
/// (FUA), `A` (ahead), `S` (synchronous), `M` (metadata). Returns the operation, true for metadata,
/// and the flags.
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

/// Decodes letters of an operation, and accepts an `F` alone as a flush.
pub(super) fn decode_or_flush(rwbs: &[u8]) -> Option<(Op, bool, u8)> {
    let flush = || is_flush(rwbs).then_some((Op::Flush, false, 0));
    decode(rwbs).or_else(flush)
}
