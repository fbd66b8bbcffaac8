//! Events of Linux's drivers in text form: the parts of a line, and values behind their keys.

use super::super::fields::{Fault, Parsed};
use super::ftrace::{name_of, time_of};

/// An event of a line: its time in the line, its name, and the position behind the name.
pub(super) struct Event<'a> {
    pub time: std::ops::Range<usize>,
    pub name: &'a [u8],
    pub rest: usize,
}

impl<'a> Event<'a> {
    /// Finds the event of a line of a driver.
    pub fn of(line: &'a [u8]) -> Option<Self> {
        let (time, mut fields) = time_of(line)?;
        let name = name_of(&mut fields, &[b"nvme:", b"scsi:"]);
        Some(Self { time, name, rest: fields.place() })
    }
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
