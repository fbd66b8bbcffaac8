//! The fields of a line of text, between blanks or commas, and what to say when one is wrong.

use std::ops::RangeInclusive;

/// The largest first sector: the sector after the longest request still fits.
pub(super) const LBN_MAX: u64 = i64::MAX as u64 - i32::MAX as u64;
/// The largest value of a column of `i32`.
pub(super) const I32_MAX: u64 = i32::MAX as u64;
/// The largest value of a column of `i64`.
pub(super) const I64_MAX: u64 = i64::MAX as u64;
/// Every power of ten that a `u64` holds.
const POWERS_OF_TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut i = 1;
    while i < powers.len() {
        powers[i] = powers[i - 1] * 10;
        i += 1;
    }
    powers
};
/// This many decimal digits fit a `u64` whatever they are.
const SAFE_DIGITS: usize = 19;

/// What a parser makes of a field or a line.
pub(super) type Parsed<T> = Result<T, Fault>;

/// What was expected at which byte of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub expected: &'static str,
    pub at: usize,
    /// What ends a field, besides blanks.
    pub separator: u8,
}

impl Fault {
    /// The words for the user, given the line in which the fault was found.
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

/// Bytes of a file for an error message: escaped, and cut to 60.
pub(super) fn quote(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let shown = bytes.get(..SHOWN).unwrap_or(bytes).escape_ascii();
    let dots = if bytes.len() > SHOWN { "..." } else { "" };
    format!("\"{shown}{dots}\"")
}

/// The lines of a file's head that are neither blank nor a comment.
pub(super) fn content_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !matches!(line.first(), None | Some(b'#')))
}

const BLANK: u8 = b' ';
const COMMA: u8 = b',';

/// Walks over the fields of one line, which lie between runs of blanks or between commas (blanks around them are
/// no part of them).
pub(super) struct Fields<'a, const SEPARATOR: u8 = BLANK> {
    line: &'a [u8],
    at: usize,
}

/// Fields between commas.
pub(super) type Commas<'a> = Fields<'a, COMMA>;

impl<'a> Fields<'a, BLANK> {
    pub fn new(line: &'a [u8]) -> Self {
        Self { line, at: 0 }
    }

    /// Two decimal integers joined by a comma, as `blkparse` names a device.
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

    /// A hexadecimal integer of at most 32 bits, with or without a leading `0x`.
    pub fn hexadecimal(&mut self, expected: &'static str) -> Parsed<u32> {
        let word = self.word();
        let digits = word.strip_prefix(b"0x").unwrap_or(word);
        let fault = Self::fault(expected, self.at - word.len());
        if digits.is_empty() || digits.len() > 8 {
            return Err(fault);
        }
        digits.iter().try_fold(0, |value, &byte| {
            let digit = char::from(byte).to_digit(16).ok_or(fault)?;
            Ok(value << 4 | digit)
        })
    }
}

impl<'a> Commas<'a> {
    pub fn of(line: &'a [u8]) -> Self {
        Self { line, at: 0 }
    }
}

impl<'a, const SEPARATOR: u8> Fields<'a, SEPARATOR> {
    /// The next field, whatever it is; empty at the end of the line.
    #[inline]
    pub fn word(&mut self) -> &'a [u8] {
        self.skip_blanks();
        let start = self.at;
        let is_inside = |byte: &u8| *byte != SEPARATOR && (SEPARATOR != BLANK || *byte != b'\t');
        while self.line.get(self.at).is_some_and(is_inside) {
            self.at += 1;
        }
        let word = &self.line[start..self.at];
        if SEPARATOR == BLANK {
            return word;
        }
        self.take(SEPARATOR);
        word.trim_ascii_end()
    }

    /// A decimal integer in a range.
    #[inline]
    pub fn integer(&mut self, range: RangeInclusive<u64>, expected: &'static str) -> Parsed<u64> {
        self.skip_blanks();
        let start = self.at;
        let (value, count) = self.digits();
        let valid = (1..=SAFE_DIGITS).contains(&count) && range.contains(&value) && self.ends();
        if valid {
            Ok(value)
        } else {
            Err(Self::fault(expected, start))
        }
    }

    /// A decimal fraction from 0, in units of its `places`th decimal place, exactly; what lies
    /// beyond is rounded (half up). An exponent takes the way through `f64`.
    #[inline]
    pub fn decimal(&mut self, places: usize, expected: &'static str) -> Parsed<i64> {
        self.skip_blanks();
        let start = self.at;
        let (whole, whole_count) = self.digits();
        let (fraction, fraction_count) = if self.take(b'.') { self.fraction(places) } else { (0, 0) };
        let fault = Self::fault(expected, start);
        if whole_count + fraction_count == 0 || whole_count > SAFE_DIGITS {
            return Err(fault);
        }
        if matches!(self.line.get(self.at), Some(b'e' | b'E')) {
            return self.with_exponent(start, places).ok_or(fault);
        }
        let value = whole.checked_mul(POWERS_OF_TEN[places]).and_then(|value| value.checked_add(fraction));
        match value.and_then(|value| i64::try_from(value).ok()) {
            Some(value) if self.ends() => Ok(value),
            _ => Err(fault),
        }
    }

    /// The digits behind a decimal point in units of the `places`th, and how many there were.
    fn fraction(&mut self, places: usize) -> (u64, usize) {
        let start = self.at;
        let (value, count) = self.digits();
        if count <= places {
            return (value * POWERS_OF_TEN[places - count], count);
        }
        // Only the first digit beyond the last place decides the rounding.
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

    /// A fault at the next field.
    pub fn fault_here(&mut self, expected: &'static str) -> Fault {
        self.skip_blanks();
        Self::fault(expected, self.at)
    }

    fn fault(expected: &'static str, at: usize) -> Fault {
        Fault { expected, at, separator: SEPARATOR }
    }

    /// Whether the next field begins with this byte.
    pub fn next_is(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        self.line.get(self.at) == Some(&byte)
    }

    /// Nothing more on the line.
    pub fn end(&mut self) -> Parsed<()> {
        self.skip_blanks();
        if self.at == self.line.len() {
            Ok(())
        } else {
            Err(Self::fault("the end of the line", self.at))
        }
    }

    /// The digits from here, as a number (wrapped beyond 19 digits) and their count.
    #[inline]
    fn digits(&mut self) -> (u64, usize) {
        let start = self.at;
        let mut value = 0u64;
        while let Some(digit) =
            self.line.get(self.at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10)
        {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            self.at += 1;
        }
        (value, self.at - start)
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.line.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while matches!(self.line.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Whether a field ends here; a separator that is no blank is passed over.
    #[inline]
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

#[cfg(test)]
mod tests;
