//! The traces of Florida International University (SNIA IOTTA 390 and 391): one request per line, `ns
//! process_number process block blocks W|R major minor digests...`, in blocks of 512 bytes.

use super::super::columns::{Op, TraceRow};
use super::super::device_numbers::Devices;
use super::super::fields::{Fields, Parsed, I32_MAX, I64_MAX};
use super::super::plausibility::Unit;
use super::super::trace_info::ReaderOutput;
use super::requests::{self, Entry, RequestFormat};
use super::shape::{blank_words, is_read_or_write, is_whole};
use super::FormatRow;

pub(super) const ROW: FormatRow = FormatRow::new(
    "fiu",
    "FIU: ns pid process sector sectors W|R major minor digests",
    requests::kind::<Fiu>(SAMPLE),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"0 4892 syslogd 904265560 8 W 6 0 531e779e0eb6e0aa9ae4a2dd4b2f6d1d\n";

/// Largest number of words in a process name (the kernel cuts process names after 15 bytes).
const NAME_WORDS_MAX: usize = 8;

#[derive(Default)]
struct Fiu {
    devices: Devices,
}

/// Parses the fields that follow the name of a process; the name itself may contain blanks.
fn behind_process(fields: &mut Fields<'_>) -> Parsed<(u64, u64, Op)> {
    let mut fault = None;
    for _ in 0..NAME_WORDS_MAX {
        fields.word();
        let mut behind = fields.clone();
        let mut extent = || Ok((behind.lbn()?, behind.blocks()?, behind.read_or_write()?));
        match extent() {
            Ok(found) => {
                *fields = behind;
                return Ok(found);
            }
            // The first fault is where a name without blanks would end.
            Err(found) => fault = fault.or(Some(found)),
        }
    }
    Err(fault.expect("expected at least one attempt to read a process name of one word"))
}

impl RequestFormat for Fiu {
    const UNITS: (Unit, Unit) = (Unit::Sectors, Unit::Sectors);

    fn looks_like(head: &[u8]) -> bool {
        matches!(blank_words(head)[..], [time, pid, _, lbn, blocks, op, major, minor, ..]
            if [time, pid, lbn, blocks, major, minor].into_iter().all(is_whole) && is_read_or_write(op))
    }

    fn entry(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<Option<Entry>> {
        let mut fields = Fields::new(line);
        let arrival_ns = fields.integer(0..=I64_MAX, "a time in ns (a whole number from 0)")? as i64;
        fields.integer(0..=I32_MAX, "a process number")?;
        let (place, size, op) = behind_process(&mut fields)?;
        let major = fields.integer(0..=I32_MAX, "a major device number")?;
        let minor = fields.integer(0..=I32_MAX, "a minor device number")?;
        if size == 0 {
            return Ok(Some(Entry::empty()));
        }
        let device = self.devices.of_linux((major, minor), &mut out.about);
        Ok(Some(Entry { place, size, request: TraceRow { arrival_ns, op, device, ..TraceRow::default() } }))
    }
}
