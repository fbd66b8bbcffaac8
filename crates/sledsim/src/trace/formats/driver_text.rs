//! Events of Linux's drivers in text form: the parts of a line, and values behind their keys.

use super::super::fields::{Fault, Fields, Parsed};

/// Beginnings of lines that are not events: stack traces, and messages of the tools.
const REMARKS: [&[u8]; 6] = [b"CPU", b"cpus=", b"version", b"=>", b"<stack", b"trailer"];

/// An event of a line: its time in the line, its name, and the position behind the name.
pub(super) struct Event<'a> {
    pub time: std::ops::Range<usize>,
    pub name: &'a [u8],
    pub rest: usize,
}

impl<'a> Event<'a> {
    /// Finds the event of a line. The time is found by a search, because a process name before it may contain
    /// any characters.
    pub fn of(line: &'a [u8]) -> Option<Self> {
        let mut fields = Fields::new(line);
        loop {
            let word = fields.word();
            if word.is_empty() {
                return None;
            }
            let Some(time) = word.strip_suffix(b":").filter(|time| is_decimal(time)) else { continue };
            let end = fields.place() - 1;
            let mut name = fields.word();
            if !name.is_empty() && name.iter().all(u8::is_ascii_digit) {
                // A number of events per sample.
                name = fields.word();
            }
            let name = name.strip_suffix(b":").unwrap_or(name);
            let name = [b"nvme:".as_slice(), b"scsi:"]
                .iter()
                .find_map(|group| name.strip_prefix(*group))
                .unwrap_or(name);
            return Some(Self { time: end - time.len()..end, name, rest: fields.place() });
        }
    }
}

fn is_decimal(word: &[u8]) -> bool {
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let parts: Vec<&[u8]> = word.split(|byte| *byte == b'.').collect();
    parts.len() == 2 && parts.into_iter().all(is_number)
}

/// True if a line that is not an event may be skipped: it belongs to a stack trace, or is a message of a tool.
pub(super) fn is_remark(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let first = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_address = first.len() >= 8 && first.iter().all(u8::is_ascii_hexdigit);
    is_address || REMARKS.iter().any(|remark| line.starts_with(remark))
}

/// The text behind `key` in the line from byte `start` on, up to a comma, blank or parenthesis, with its
/// position.
pub(super) fn value<'a>(line: &'a [u8], start: usize, key: &[u8]) -> Option<(&'a [u8], usize)> {
    let is_key = |at: &usize| {
        let is_behind_end =
            line[..*at].last().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        is_behind_end && line[*at..].starts_with(key)
    };
    let at = (start..line.len()).find(is_key)? + key.len();
    let is_inside = |byte: &&u8| !b", ()\t".contains(*byte);
    let length = line[at..].iter().take_while(is_inside).count();
    Some((&line[at..at + length], at))
}

/// Parses the number behind `key`, decimal or hexadecimal after `0x`.
pub(super) fn number(line: &[u8], start: usize, key: &[u8], max: u64, expected: &'static str) -> Parsed<u64> {
    let (word, at) = value(line, start, key).unwrap_or((b"", line.len()));
    let text = std::str::from_utf8(word).unwrap_or_default();
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let is_plain = text.starts_with(|first: char| first.is_ascii_digit());
    parsed.ok().filter(|number| is_plain && *number <= max).ok_or(Fault { expected, at, separator: b',' })
}
