//! Parsing of the fields of a text line, separated by blanks or commas. A field that cannot be
//! parsed gives an error message.

use std::ops::RangeInclusive;

use crate::error::ensure;

/// The largest number of a request's first sector: even the longest request then ends at a valid
/// sector number.
pub(super) const LBN_MAX: u64 = i64::MAX as u64 - i32::MAX as u64;
/// The largest value that a column of `i32` can hold.
pub(super) const I32_MAX: u64 = i32::MAX as u64;
/// The largest value that a column of `i64` can hold.
pub(super) const I64_MAX: u64 = i64::MAX as u64;
/// The powers of ten that fit a `u64`, in ascending order.
const POWERS_OF_TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut i = 1;
    while i < powers.len() {
        powers[i] = powers[i - 1] * 10;
        i += 1;
    }
    powers
};
/// Largest number of decimal digits with which every number fits into a `u64`.
const SAFE_DIGITS: usize = 19;

/// A parsed field or line, or the fault that makes parsing impossible.
pub(super) type Parsed<T> = Result<T, Fault>;

/// A fault in a line: a description of the expected content, and the position of the fault in the
/// line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub expected: &'static str,
    pub at: usize,
    /// Byte that ends a field, in addition to a blank.
    pub separator: u8,
}

impl Fault {
    /// Returns the error message for this fault in `line`, with the expected and the found content.
    pub fn message(&self, line: &[u8]) -> String {
        let rest = line.get(self.at..).unwrap_or_default();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == self.separator;
        let found = match rest.split(is_end).next().unwrap_or_default() {
            [] if rest.is_empty() => "the end of the line".to_owned(),
            [] => "nothing".to_owned(),
            field => quote(field),
        };
        format!("expected {}, found {found}", self.expected)
    }
}

/// Quotes bytes of a file for an error message: escaped, and cut to 60 bytes.
pub(super) fn quote(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let shown = bytes.get(..SHOWN).unwrap_or(bytes).escape_ascii();
    let dots = if bytes.len() > SHOWN { "..." } else { "" };
    format!("\"{shown}{dots}\"")
}

/// Returns those lines among the first bytes `head` of a file that are neither blank nor comments.
pub(super) fn content_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !matches!(line.first(), None | Some(b'#')))
}

const BLANK: u8 = b' ';
const COMMA: u8 = b',';

/// Reader of the fields of a line. Fields are separated by runs of blanks or, for another
/// `SEPARATOR`, by commas with blanks around them.
#[derive(Clone)]
pub(super) struct Fields<'a, const SEPARATOR: u8 = BLANK> {
    line: &'a [u8],
    at: usize,
}

/// Reader of the fields of a line that are separated by commas.
pub(super) type Commas<'a> = Fields<'a, COMMA>;

impl<'a> Fields<'a, BLANK> {
    pub fn new(line: &'a [u8]) -> Self {
        Self::from(line, 0)
    }

    /// Returns a reader of the fields of a line from byte `at` on.
    pub fn from(line: &'a [u8], at: usize) -> Self {
        Self { line, at }
    }

    /// Parses two decimal integers joined by a comma, as `blkparse` writes a device. `expected`
    /// describes a valid field in an error message.
    pub fn pair(&mut self, expected: &'static str) -> Parsed<(u32, u32)> {
        self.skip_blanks();
        let fault = Self::fault(expected, self.at);
        let (first, first_count) = self.digits();
        let comma = self.take(b',');
        let (second, second_count) = self.digits();
        let counted = [first_count, second_count].iter().all(|count| (1..=SAFE_DIGITS).contains(count));
        match (u32::try_from(first), u32::try_from(second)) {
            (Ok(first), Ok(second)) if comma && counted && self.ends() => Ok((first, second)),
            _ => Err(fault),
        }
    }

    /// Parses a hexadecimal integer of at most 32 bits, with or without a leading `0x`. `expected`
    /// describes a valid field in an error message.
    pub fn hexadecimal(&mut self, expected: &'static str) -> Parsed<u32> {
        self.skip_blanks();
        let fault = Self::fault(expected, self.at);
        self.skip(b"0x");
        let (start, mut value) = (self.at, 0);
        while let Some(digit) = self.line.get(self.at).and_then(|byte| char::from(*byte).to_digit(16)) {
            value = value << 4 | digit;
            self.at += 1;
        }
        ensure!((1..=8).contains(&(self.at - start)) && self.ends(), fault);
        Ok(value)
    }
}

impl<'a, const SEPARATOR: u8> Fields<'a, SEPARATOR> {
    pub fn of(line: &'a [u8]) -> Self {
        Self { line, at: 0 }
    }

    /// Returns the bytes of the next field, or no bytes at the end of the line.
    #[inline]
    pub fn word(&mut self) -> &'a [u8] {
        self.short_word().0
    }

    /// Returns the bytes of the next field, and its first eight bytes as a little-endian number,
    /// padded with zero bytes.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn short_word(&mut self) -> (&'a [u8], u64) {
        self.skip_blanks();
        let (start, bytes) = (self.at, self.eight_bytes());
        let is_inside = |byte: &u8| *byte != SEPARATOR && (SEPARATOR != BLANK || *byte != b'\t');
        let near = Self::length_of_word(bytes);
        self.at = self.line.len().min(start + near);
        while near == EIGHT && self.line.get(self.at).is_some_and(is_inside) {
            self.at += 1;
        }
        let word = &self.line[start..self.at];
        if SEPARATOR == BLANK {
            return (word, first_bytes(bytes, word.len()));
        }
        self.take(SEPARATOR);
        let word = word.trim_ascii_end();
        (word, first_bytes(bytes, word.len()))
    }

    /// Number of bytes before the end of a field, for eight bytes of the line given as a
    /// little-endian number.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn length_of_word(bytes: u64) -> usize {
        let mut ends = zero_bytes(bytes ^ u64::from_le_bytes([SEPARATOR; EIGHT]));
        if SEPARATOR == BLANK {
            ends |= zero_bytes(bytes ^ u64::from_le_bytes([b'\t'; EIGHT]));
        }
        (ends.trailing_zeros() / 8) as usize
    }

    /// Skips `bytes` if the line continues with them; returns true if they were skipped.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn skip(&mut self, bytes: &[u8]) -> bool {
        let found = self.line[self.at..].starts_with(bytes);
        self.at += if found { bytes.len() } else { 0 };
        found
    }

    /// Position of the next field in the line, or of the blanks before this field.
    pub fn place(&self) -> usize {
        self.at
    }

    /// Returns the bytes from position `start` to the current position.
    pub fn since(&self, start: usize) -> &'a [u8] {
        &self.line[start..self.at]
    }

    /// Parses a decimal integer within `range`. `expected` describes a valid field in an error
    /// message.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn integer(&mut self, range: RangeInclusive<u64>, expected: &'static str) -> Parsed<u64> {
        self.skip_blanks();
        let start = self.at;
        let (value, count) = self.digits();
        let valid = (1..=SAFE_DIGITS).contains(&count) && range.contains(&value) && self.ends();
        ensure!(valid, Self::fault(expected, start));
        Ok(value)
    }

    /// Parses a decimal number of at least 0, and returns it as a number of units of the `places`th
    /// decimal place, rounded half up. A number with an exponent is parsed through `f64`, all
    /// others exactly.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn decimal(&mut self, places: usize, expected: &'static str) -> Parsed<i64> {
        self.skip_blanks();
        let start = self.at;
        let (whole, whole_count) = self.digits();
        let (fraction, fraction_count) = if self.take(b'.') { self.fraction(places) } else { (0, 0) };
        let fault = Self::fault(expected, start);
        ensure!(whole_count + fraction_count > 0 && whole_count <= SAFE_DIGITS, fault);
        if matches!(self.line.get(self.at), Some(b'e' | b'E')) {
            return self.with_exponent(start, places).ok_or(fault);
        }
        let value = whole.checked_mul(POWERS_OF_TEN[places]).and_then(|value| value.checked_add(fraction));
        match value.and_then(|value| i64::try_from(value).ok()) {
            Some(value) if self.ends() => Ok(value),
            _ => Err(fault),
        }
    }

    /// Parses the digits after a decimal point. Returns their value in units of the `places`th
    /// decimal place, and how many digits they are.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn fraction(&mut self, places: usize) -> (u64, usize) {
        let start = self.at;
        let (value, count) = self.digits();
        if count <= places {
            return (value * POWERS_OF_TEN[places - count], count);
        }
        // The first digit beyond the last place alone decides the rounding.
        let (kept, _) = Fields::new(&self.line[start..=start + places]).digits();
        ((kept + 5) / 10, count)
    }

    #[cold]
    fn with_exponent(&mut self, start: usize, places: usize) -> Option<i64> {
        self.at = start;
        let value: f64 = std::str::from_utf8(self.word()).ok()?.parse().ok()?;
        let scaled = (value * POWERS_OF_TEN[places] as f64).round();
        (0.0..i64::MAX as f64).contains(&scaled).then_some(scaled as i64)
    }

    /// Returns a fault at the next field. `expected` describes a valid field in an error message.
    pub fn fault_here(&mut self, expected: &'static str) -> Fault {
        self.skip_blanks();
        Self::fault(expected, self.at)
    }

    fn fault(expected: &'static str, at: usize) -> Fault {
        Fault { expected, at, separator: SEPARATOR }
    }

    /// True if the next field begins with `byte`.
    pub fn next_is(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        self.line.get(self.at) == Some(&byte)
    }

    /// Skips a text in parentheses. `expected` describes a valid text in an error message.
    pub fn parenthesis(&mut self, expected: &'static str) -> Parsed<()> {
        let fault = self.fault_here(expected);
        let rest = &self.line[self.at..];
        let end = rest.iter().position(|byte| *byte == b')').filter(|_| rest.first() == Some(&b'('));
        self.at += end.ok_or(fault)? + 1;
        Ok(())
    }

    /// Checks that the line has no further field; returns a fault if it has one.
    pub fn end(&mut self) -> Parsed<()> {
        self.skip_blanks();
        ensure!(self.at == self.line.len(), Self::fault("the end of the line", self.at));
        Ok(())
    }

    /// Parses the decimal digits at the current position; returns their value (wrong beyond 19
    /// digits) and how many digits they are.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn digits(&mut self) -> (u64, usize) {
        let (mut value, mut count) = leading_digits(self.eight_bytes());
        self.at += count;
        let mut part = count;
        while part == EIGHT {
            let digits;
            (digits, part) = leading_digits(self.eight_bytes());
            value = value.wrapping_mul(POWERS_OF_TEN[part]).wrapping_add(digits);
            self.at += part;
            count += part;
        }
        (value, count)
    }

    /// The next eight bytes of the line as a little-endian number, padded with zero bytes beyond
    /// the end of the line.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn eight_bytes(&self) -> u64 {
        let rest = &self.line[self.at..];
        match (rest.first_chunk(), self.line.last_chunk()) {
            (Some(bytes), _) => u64::from_le_bytes(*bytes),
            (None, Some(bytes)) if !rest.is_empty() => {
                u64::from_le_bytes(*bytes) >> (8 * (EIGHT - rest.len()))
            }
            _ => rest.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)),
        }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn take(&mut self, byte: u8) -> bool {
        let found = self.line.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn skip_blanks(&mut self) {
        while matches!(self.line.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// True if a field ends at the current position; skips the separator after the field unless it
    /// is a blank.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn ends(&mut self) -> bool {
        if SEPARATOR == BLANK {
            return matches!(self.line.get(self.at), None | Some(b' ' | b'\t'));
        }
        if self.take(SEPARATOR) {
            return true;
        }
        self.skip_blanks();
        self.at == self.line.len() || self.take(SEPARATOR)
    }
}

/// Number of bytes of a line that are processed together, as one number.
const EIGHT: usize = 8;

/// Returns a number in which the highest bit of a byte is set if this byte of `bytes` is zero. Bits
/// above the lowest zero byte may be wrong.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn zero_bytes(bytes: u64) -> u64 {
    bytes.wrapping_sub(0x0101_0101_0101_0101) & !bytes & 0x8080_8080_8080_8080
}

/// The first `count` of eight bytes given as a little-endian number; the other bytes become zero.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn first_bytes(bytes: u64, count: usize) -> u64 {
    if count < EIGHT {
        bytes & ((1 << (8 * count)) - 1)
    } else {
        bytes
    }
}

/// Value of the decimal digits with which eight bytes (a little-endian number) begin, and how many
/// digits they are.
///
/// All digits are processed together, because a loop over the digits would be slower: the processor
/// cannot predict how long it runs.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn leading_digits(bytes: u64) -> (u64, usize) {
    let digits = bytes ^ 0x3030_3030_3030_3030;
    // The highest bit of every byte that is not a digit; only bits behind the first such byte may be wrong.
    let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    let count = (others.trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    // Padded with zeros in front there are always eight: pairs, then fours, then all.
    let digits = digits << (8 * (EIGHT - count));
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let even = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(100 + (1_000_000 << 32));
    let odd = (pairs >> 16 & 0x0000_00ff_0000_00ff).wrapping_mul(1 + (10_000 << 32));
    (even.wrapping_add(odd) >> 32, count)
}

#[cfg(test)]
mod tests;
