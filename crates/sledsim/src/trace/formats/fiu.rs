//! The traces of Florida International University (SNIA IOTTA 390 and 391): a request a line,
//! `ns process_number process block blocks W|R major minor digests...`, in blocks of 512 bytes.

use super::super::columns::{Op, Request};
use super::super::devices::Devices;
use super::super::fields::{Fields, Parsed, I32_MAX, I64_MAX};
use super::super::lines::{LineFormat, Lines};
use super::super::plausibility::{Extents, Unit};
use super::super::trace_info::ReaderOutput;
use super::shape::{blank_words, is_read_or_write, is_whole};
use super::{FormatKind, FormatRow};

pub(super) const ROW: FormatRow = FormatRow::new(
    "fiu",
    "FIU: ns pid process sector sectors W|R major minor digests",
    FormatKind {
        has_clock: false,
        matches,
        open: |source, _| Ok(Lines::reader(source, Fiu::new())),
        writer: None,
    },
);

/// The kernel cuts names of processes at 15 bytes.
const NAME_WORDS_MAX: usize = 8;

struct Fiu {
    devices: Devices,
    /// Major, minor and number of the last device.
    last: Option<(u64, u64, i32)>,
    extents: Extents,
}

fn matches(head: &[u8]) -> bool {
    match blank_words(head)[..] {
        [time, pid, _, lbn, blocks, op, major, minor, ..] => {
            [time, pid, lbn, blocks, major, minor].into_iter().all(is_whole) && is_read_or_write(op)
        }
        _ => false,
    }
}

impl Fiu {
    fn new() -> Self {
        let extents = Extents::new(Unit::Sectors, Unit::Sectors);
        Self { devices: Devices::default(), last: None, extents }
    }

    fn device(&mut self, major: u64, minor: u64, out: &mut ReaderOutput) -> i32 {
        match self.last {
            Some((its_major, its_minor, number)) if (its_major, its_minor) == (major, minor) => number,
            _ => {
                let number = self.devices.number(format!("{major},{minor}").as_bytes(), &mut out.about);
                self.last = Some((major, minor, number));
                number
            }
        }
    }
}

/// What stands behind the name of a process, in which there may be blanks.
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
            // The first one is where a name without blanks would end.
            Err(found) => fault = fault.or(Some(found)),
        }
    }
    Err(fault.expect("one word was tried"))
}

impl LineFormat for Fiu {
    fn line(&mut self, line: &[u8], out: &mut ReaderOutput) -> Parsed<()> {
        let mut fields = Fields::new(line);
        let arrival_ns = fields.integer(0..=I64_MAX, "a time in ns (a whole number from 0)")? as i64;
        fields.integer(0..=I32_MAX, "a process number")?;
        let (lbn, blocks, op) = behind_process(&mut fields)?;
        let major = fields.integer(0..=I32_MAX, "a major device number")?;
        let minor = fields.integer(0..=I32_MAX, "a minor device number")?;
        if !self.extents.add(lbn, blocks, &mut out.about) {
            return Ok(());
        }
        let device = self.device(major, minor, out);
        let (lbn, blocks) = (lbn as i64, blocks as i32);
        out.rows.push(Request { arrival_ns, lbn, blocks, op, device, ..Request::default() });
        Ok(())
    }

    fn finish(&mut self, out: &mut ReaderOutput) {
        self.extents.add_notes(&mut out.about);
    }
}
