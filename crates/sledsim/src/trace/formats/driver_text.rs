//! Events of Linux's tracers in text form: the parts of a line, and values behind their keys.

use super::super::fields::{Fault, Fields, Parsed};

/// Beginnings of lines that are not events: stack traces, and messages of the tools.
const REMARKS: [&[u8]; 6] = [b"CPU", b"cpus=", b"version", b"=>", b"<stack", b"trailer"];

/// Name of the event with which perf says that it lost events.
pub(super) const LOSS: &[u8] = b"PERF_RECORD_LOST";

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

/// Finds the position of the time in a line, and the fields behind it. The time is found by a search, because a
/// process name before it may contain any characters.
pub(super) fn time_of(line: &[u8]) -> Option<(std::ops::Range<usize>, Fields<'_>)> {
    let mut fields = Fields::new(line);
    loop {
        let word = fields.word();
        if word.is_empty() {
            return None;
        }
        if let Some(time) = word.strip_suffix(b":").filter(|time| is_decimal(time)) {
            let end = fields.place() - 1;
            return Some((end - time.len()..end, fields));
        }
    }
}

/// Takes the name of the event from the fields behind the time, without the colon, and without the name of a
/// group of events in front.
pub(super) fn name_of<'a>(fields: &mut Fields<'a>, groups: &[&[u8]]) -> &'a [u8] {
    let mut name = fields.word();
    if !name.is_empty() && name.iter().all(u8::is_ascii_digit) {
        // A number of events per sample.
        name = fields.word();
    }
    let name = name.strip_suffix(b":").unwrap_or(name);
    groups.iter().find_map(|group| name.strip_prefix(*group)).unwrap_or(name)
}

fn is_decimal(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| *byte == b'.');
    let is_number = |part: Option<&[u8]>| {
        part.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    };
    is_number(parts.next()) && is_number(parts.next()) && parts.next().is_none()
}

/// True if a line that is not an event may be skipped: it belongs to a stack trace, or is a message
/// of a tool.
pub(super) fn is_remark(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let first = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_hexadecimal = !first.is_empty() && first.iter().all(u8::is_ascii_hexdigit);
    // A frame of perf ends with the file of its function in parentheses.
    let is_frame = is_hexadecimal && (first.len() >= 8 || line.trim_ascii_end().ends_with(b")"));
    is_frame || REMARKS.iter().any(|remark| line.starts_with(remark))
}

/// True if a line says that the tracer lost events.
pub(super) fn says_loss(line: &[u8]) -> bool {
    [b"LOST".as_slice(), b"DROPPED"].iter().any(|word| line.windows(word.len()).any(|part| part == *word))
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
