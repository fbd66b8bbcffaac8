//! Form of the first lines of a text file, by which the format of the file is recognised.

use super::super::fields::content_lines;
use super::super::quantities::read_or_write;

/// The complete lines among the first bytes of a file; the last line is dropped if it may be incomplete.
pub(super) fn whole_lines(head: &[u8]) -> &[u8] {
    let head = head.get(..HEAD_BYTES).unwrap_or(head);
    head.iter().rposition(|&byte| byte == b'\n').map_or(head, |end| &head[..end])
}

/// The first line that is neither blank nor a comment.
pub(super) fn first_line(head: &[u8]) -> &[u8] {
    content_lines(head).next().unwrap_or_default()
}

/// The fields of the first line if they are separated by runs of blanks.
pub(super) fn blank_words(head: &[u8]) -> Vec<&[u8]> {
    split_blanks(first_line(head))
}

/// Splits a line into fields at runs of blanks.
pub(super) fn split_blanks(line: &[u8]) -> Vec<&[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(WORDS_MAX).collect()
}

/// The fields of the first line if they are separated by commas.
pub(super) fn comma_words(head: &[u8]) -> Vec<&[u8]> {
    first_line(head).split(|&byte| byte == b',').map(<[u8]>::trim_ascii).take(WORDS_MAX).collect()
}

/// Number of bytes at the start of a file by which its format is recognised.
const HEAD_BYTES: usize = 64 << 10;
/// Largest number of fields of a line that recognition examines.
const WORDS_MAX: usize = 16;

/// True if a word is a whole number, also a negative one or one out of range; the reader reports
/// invalid values in a clearer message.
pub(super) fn is_whole(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// True if a word is a decimal number, with or without a fraction.
pub(super) fn is_number(word: &[u8]) -> bool {
    let starts = word.first().is_some_and(|byte| byte.is_ascii_digit() || b"-.".contains(byte));
    starts && std::str::from_utf8(word).is_ok_and(|text| text.parse::<f64>().is_ok())
}

pub(super) fn is_read_or_write(word: &[u8]) -> bool {
    read_or_write(word).is_some()
}

/// True if a line equals the header, apart from upper and lower case and blanks.
pub(super) fn is_header(line: &[u8], header: &str) -> bool {
    let kept = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    kept.map(u8::to_ascii_lowercase).eq(header.bytes().map(|byte| byte.to_ascii_lowercase()))
}
