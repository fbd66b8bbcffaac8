//! MQSim's ASCII format: one request per line, `arrival_ns device sector sectors type`; type 1 is a read, 0
//! a write.
//!
//! DiskSim's lines have the same form, but times in ms. A file counts as MQSim's if two conditions
//! hold. Every line at its start has five whole numbers, the last of them 0 or 1. The mean distance
//! of consecutive times is at least 1,000 (a single time is compared with 0). Requests are mostly
//! more than a microsecond apart, which is 1,000 if times are in ns; they are rarely more than a
//! second apart, which is 1,000 if times are in ms.

use super::super::columns::{Op, TraceRow};
use super::super::evidence::Aspect;
use super::super::fields::{content_lines, Fields, Parsed, I64_MAX};
use super::super::plausibility::Unit;
use super::super::reader::ReadOptions;
use super::super::trace_info::{ReaderOutput, TraceInfo};
use super::requests::{self, Entry, RequestFormat};
use super::shape::{split_blanks, whole_lines};
use super::FormatRow;

pub(super) const ROW: FormatRow = FormatRow::new(
    "mqsim",
    "MQSim ASCII: arrival_ns device sector sectors 1=read|0=write",
    requests::kind::<MqSim>(SAMPLE),
);

/// A small file in this format.
const SAMPLE: &[u8] = b"938513000 4 264719034 16 0\n938828000 3 197570570 16 0\n938944000 13 93230992 32 0\n";

/// Smallest mean distance of consecutive times if the times are in ns; times in ms lie closer
/// together.
const GAP_MIN: u64 = 1000;

#[derive(Default)]
struct MqSim {
    /// True if the format was detected, not named by the user; the file may then be in DiskSim's similar
    /// format.
    is_guessed: bool,
}

/// The time of a line; `None` if the line does not have MQSim's form.
fn time_of(line: &[u8]) -> Option<u64> {
    let words = split_blanks(line);
    let are_digits = words.iter().all(|word| word.iter().all(u8::is_ascii_digit));
    if words.len() != 5 || !are_digits || !matches!(words[4], b"0" | b"1") {
        return None;
    }
    std::str::from_utf8(words[0]).ok()?.parse().ok()
}

impl RequestFormat for MqSim {
    const UNITS: (Unit, Unit) = (Unit::Sectors, Unit::Sectors);

    fn new(options: &ReadOptions<'_>) -> Self {
        Self { is_guessed: options.format.is_none() }
    }

    fn looks_like(head: &[u8]) -> bool {
        let times: Option<Vec<u64>> = content_lines(whole_lines(head)).map(time_of).collect();
        match times.as_deref() {
            None | Some([]) => false,
            Some(&[only]) => only >= GAP_MIN,
            Some(times) => {
                let span = times.iter().max().unwrap_or(&0) - times.iter().min().unwrap_or(&0);
                span / (times.len() as u64 - 1) >= GAP_MIN
            }
        }
    }

    fn entry(&mut self, line: &[u8], _out: &mut ReaderOutput) -> Parsed<Option<Entry>> {
        let mut fields = Fields::new(line);
        let arrival_ns = fields.integer(0..=I64_MAX, "an arrival time in ns (a whole number from 0)")? as i64;
        let (device, place, size) = (fields.device()?, fields.lbn()?, fields.blocks()?);
        let op = match fields.integer(0..=1, "0 (write) or 1 (read)")? {
            0 => Op::Write,
            _ => Op::Read,
        };
        fields.end()?;
        Ok(Some(Entry { place, size, request: TraceRow { arrival_ns, op, device, ..TraceRow::default() } }))
    }

    fn finish(&mut self, about: &mut TraceInfo) {
        if self.is_guessed {
            let said =
                "the times look like MQSim's, in ns; if they are in ms, read the trace with --format disksim";
            about.remark(Aspect::Notation, said);
        }
    }
}
