//! Common parts of texts of block-layer events of Linux: letters of operations, and matching of dispatches
//! and completions.

use super::super::columns::{flags, Op, TraceRow};
use super::super::completions::{Completions, Event};
use super::super::device_numbers::Devices;
use super::super::fields::{Fault, Fields, Parsed, I32_MAX, LBN_MAX};
use super::super::trace_info::ReaderOutput;
use crate::error::ensure;

/// Events at the devices, which become requests.
#[derive(Default)]
pub(super) struct BlockEvents {
    devices: Devices,
    completions: Completions,
}

/// An event at a device, as given by its line.
pub(super) struct BlockEvent<'a> {
    pub event: Event,
    /// Name of the device, `major,minor`.
    pub device: &'a [u8],
    pub time_ns: i64,
    /// Letters of the operation.
    pub rwbs: &'a [u8],
    /// First sector and number of sectors; `None` for a command that was passed through.
    pub extent: Option<(i64, i32)>,
    /// Fault to report if the letters name no operation.
    pub fault: Fault,
}

impl BlockEvents {
    /// Takes in an event, and passes on complete requests.
    pub fn add(&mut self, event: BlockEvent<'_>, out: &mut ReaderOutput) -> Parsed<()> {
        let BlockEvent { event, device, time_ns, rwbs, extent, fault } = event;
        let device = self.devices.number(device, &mut out.about);
        let Some((lbn, blocks)) = extent else {
            // A packet command is no request; but a completion without sectors may be that of a flush.
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
            let (op, metadata, flags) = decode(rwbs).ok_or(fault)?;
            TraceRow { lbn, blocks, op, metadata, flags, ..of_flush }
        };
        self.completions.dispatched(request, out);
        Ok(())
    }

    /// Passes on the remaining requests at the end of a trace.
    pub fn finish(&mut self, out: &mut ReaderOutput) {
        self.completions.finish(out);
    }
}

/// The event of the action letter that `blkparse` and the tracer `blk` print; `None` for all other letters, of which
/// those of queued requests are counted.
pub(super) fn event_of(action: &[u8], out: &mut ReaderOutput) -> Option<Event> {
    match action {
        b"D" => Some(Event::Dispatch),
        b"C" => Some(Event::Completion),
        b"R" => Some(Event::Requeue),
        b"Q" => {
            out.about.queued += 1;
            None
        }
        _ => None,
    }
}

/// Parses the extent of a dispatch or completion that `blkparse` or the tracer `blk` print behind the flags:
/// `sector + sectors [command]`, or `[command]` without data. Returns `None` for a passed-through command:
/// `bytes (packet) [command]`, and `(packet) [error]` for its completion. With option -t a time in
/// parentheses follows the sectors.
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

/// Decodes the letters, and also a flush: `F` with no operation behind it.
pub(super) fn decode_or_flush(rwbs: &[u8]) -> Option<(Op, bool, u8)> {
    let flush = || rwbs.starts_with(b"F").then_some((Op::Flush, false, 0));
    decode(rwbs).or_else(flush)
}
